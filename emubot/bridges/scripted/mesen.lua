-- emubot in Mesen 2: Debug, Script Window, open this file, and run it. In that window's Script, Settings, Script
-- Window, allow access to I/O and OS functions and network access first: a script may listen only then.
local PATIENCE = 0.8   -- seconds; Mesen stops a callback after one second, if its user has not set more

local function say(sentence)
    emu.log("emubot: " .. sentence)
    emu.displayMessage("emubot", sentence)
end

local found, socket = false, nil
if require then found, socket = pcall(require, "socket.core") end
if not found then
    say("in Script, Settings, Script Window allow access to I/O and OS functions and network access, and run this "
        .. "script again")
    return
end

local PORT = tonumber(os.getenv("EMUBOT_MESEN_PORT")) or 9996
local wire = served_by(socket, PORT, PATIENCE, say)
local PRG, CHR, RAM, BUS = emu.memType.nesPrgRom, emu.memType.nesChrRom, emu.memType.nesInternalRam,
    emu.memType.nesDebug -- the processor's memory, read without what a read would cause
local prg, chr = emu.getMemorySize(PRG), emu.getMemorySize(CHR)
local cartridge = emu.getRomInfo().fileSha1Hash

local function bytes_of(first, count, byte)
    local bytes = {}
    for at = first, first + count - 1 do bytes[#bytes + 1] = string.char(byte(at)) end
    return table.concat(bytes)
end

local function rom_byte(at)
    if at < prg then return emu.read(at, PRG) end
    return at < prg + chr and emu.read(at - prg, CHR) or 0
end

local function has_pad(port) return emu.getInput(port).a ~= nil end

local it = conversation({
    patience = PATIENCE,
    wire = wire,
    now = socket.gettime,
    greeting = function()
        local wram = emu.getMemorySize(emu.memType.nesWorkRam) + emu.getMemorySize(emu.memType.nesSaveRam)
        return "program=Mesen\nrom=" .. emu.getRomInfo().name .. "\nprg=" .. prg .. "\nchr=" .. chr
            .. "\nwram=" .. (wram > 0 and 1 or 0)
            .. "\npads=" .. (has_pad(0) and 1 or 0) + (has_pad(1) and 2 or 0) .. "\n"
    end,
    count = function() return emu.getState()["frameCount"] end,
    ram = function()
        local bytes = {}
        for at = 0, 2044, 4 do bytes[#bytes + 1] = string.pack("<I4", emu.read32(at, RAM)) end
        return table.concat(bytes)
    end,
    memory = function(first, count)
        return bytes_of(first, count, function(at) return emu.read(at, BUS) end)
    end,
    cartridge = function(first, count) return bytes_of(first, count, rom_byte) end,
})

local buttons = button_tables({ "a", "b", "select", "start", "up", "down", "left", "right" })

local shifted -- whether setInput takes the port from its third value; nil: not known yet

local function press(port, pressed)
    if shifted then emu.setInput(pressed, port, port) else emu.setInput(pressed, port, 0) end
end

-- Mesen 2.1.1 documents setInput(input, port, subport) and reads the port where the subport should be (LuaApi.cpp,
-- SetInput, lua_settop): found out here, so that the script is right in other versions too.
local function find_out()
    if not has_pad(1) then return end -- there may be one later
    local first, second = emu.getInput(0), emu.getInput(1)
    emu.setInput({ a = not second.a }, 1, 0)
    shifted = emu.getInput(1).a == second.a
    press(0, first)
    press(1, second)
end

-- The emulator polls its pads once a frame, before the game can read them.
emu.addEventCallback(function()
    if shifted == nil then find_out() end
    if emu.getRomInfo().fileSha1Hash ~= cartridge then
        it.refuse("another cartridge was put into Mesen")
        cartridge = emu.getRomInfo().fileSha1Hash
        prg, chr = emu.getMemorySize(PRG), emu.getMemorySize(CHR)
    end
    for port, value in pairs(it.turn()) do press(port - 1, buttons[value]) end
end, emu.eventType.inputPolled)
emu.addEventCallback(function() it.note("state_loaded") end, emu.eventType.stateLoaded)
emu.addEventCallback(function() it.note("state_loaded") end, emu.eventType.reset)
emu.addEventCallback(function()
    it.refuse("the script was stopped in Mesen")
    wire.stop()
end, emu.eventType.scriptEnded)
