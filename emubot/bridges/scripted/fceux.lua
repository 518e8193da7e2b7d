-- emubot in FCEUX: load this file with File, Load Lua Script (on Windows: Lua, New Lua Script Window), Browse,
-- Start (Run); or start FCEUX with --loadlua and this file (on Windows: -lua).
local BEAT = 1         -- seconds between two W
local PATIENCE = 5
local PORT = tonumber(os.getenv("EMUBOT_FCEUX_PORT")) or 9998

local function say(sentence)
    print("emubot: " .. sentence)
    emu.message("emubot: " .. sentence)
end

-- FCEUX for Windows has the compiled half of LuaSocket inside, and that is all this script needs.
local found, socket = pcall(require, "socket.core")
if not found then
    say("LuaSocket is missing: on Debian and Ubuntu install the package lua-socket, elsewhere LuaSocket for Lua 5.1 "
        .. "(on Windows take FCEUX's own download, which has it inside); then start this script again.")
    return
end

local wire = served_by(socket, PORT, PATIENCE, say)
local cartridge           -- MD5 of the one that runs

local function rom_range(first, count)
    if rom.readbyterange then return rom.readbyterange(first, count) end
    local bytes = {}
    for at = first, first + count - 1 do bytes[#bytes + 1] = string.char(rom.readbyte(at)) end
    return table.concat(bytes)
end

local it = conversation({
    patience = PATIENCE,
    wire = wire,
    now = socket.gettime,
    greeting = function()
        return "program=FCEUX\nrom=" .. (rom.getfilename() or "") .. "\nmd5=" .. cartridge
            .. "\nmovie=" .. (movie.mode() or "") .. "\n"
    end,
    count = emu.framecount,
    ram = function() return memory.readbyterange(0, 2048) end,
    memory = memory.readbyterange,
    cartridge = rom_range,
    speed = function(word) emu.speedmode(word) end,
})

local function look_around()
    local now = rom.gethash("md5")
    if cartridge and now ~= cartridge then it.refuse("another cartridge was put into FCEUX") end
    cartridge = now
    if movie.mode() == "playback" then it.note("movie") end
end

local last_beat = 0
local buttons = button_tables({ "A", "B", "select", "start", "up", "down", "left", "right" })

savestate.registerload(function() it.note("state_loaded") end)
gui.register(function() -- also called while FCEUX is paused
    if emu.paused() and socket.gettime() - last_beat >= BEAT then
        last_beat = socket.gettime()
        it.paused()
    end
end)
emu.registerexit(function()
    it.refuse("the script was stopped in FCEUX")
    wire.stop()
end)

while not emu.emulating() do emu.frameadvance() end
while true do
    look_around()
    for port, value in pairs(it.turn()) do joypad.set(port, buttons[value]) end
    emu.frameadvance()
end
