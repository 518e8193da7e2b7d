-- emubot in BizHawk: start emubot first (emubot play --bridge bizhawk), then BizHawk with --socket_ip=127.0.0.1
-- --socket_port=9997 and this file (--lua=FILE, or Tools, Lua Console, Open Script).
-- BizHawk's scripts can only call, not listen, and only by text: each message goes as hexadecimal digits. BizHawk puts
-- its length and a space before what it sends, and expects the same.
local PATIENCE = 5
local LEAST = 1        -- milliseconds; 0 would wait for ever

local function say(sentence) console.log("emubot: " .. sentence) end

local port = comm.socketServerGetPort()
if not port then
    say("start BizHawk with --socket_ip=127.0.0.1 --socket_port=9997, or it cannot reach emubot")
    return
end

local wire = {}
do
    local connected, first, refused = false, true, false

    -- Nothing but a length: it says whether the other side is still there.
    local function alive() return comm.socketServerSend("") > 0 end

    function wire.open() return connected end

    function wire.close() connected = false end

    -- Whether nobody waits at the port any more. A call that nobody takes may stop the game for seconds, so that is it.
    function wire.refused() return refused end

    -- emubot may leave for a while, to compile what it needs, and waits at its port meanwhile.
    function wire.meet()
        if connected then return false end
        -- The connection made when BizHawk started may be an old one.
        connected = (first and alive()) or (pcall(comm.socketServerSetPort, port) and alive())
        first, refused = false, not connected
        return connected
    end

    function wire.send(bytes)
        local digits = bytes:gsub(".", function(char) return string.format("%02X", char:byte()) end)
        return comm.socketServerSend(digits) > 0
    end

    function wire.message(seconds)
        comm.socketServerSetTimeout(math.max(math.floor(seconds * 1000), LEAST))
        local digits = comm.socketServerResponse()
        if digits == "" then -- it was silent, or it is gone
            connected = alive()
            return nil
        end
        return (digits:gsub("%x%x", function(two) return string.char(tonumber(two, 16)) end))
    end
end

local domains = {}
for _, name in pairs(memory.getmemorydomainlist()) do domains[name] = memory.getmemorydomainsize(name) end
local prg, chr = domains["PRG ROM"] or 0, domains["CHR VROM"] or 0

local function bytes_of(first, count, domain)
    local bytes = memory.read_bytes_as_array(first, count, domain)
    for place = 1, count do bytes[place] = string.char(bytes[place]) end
    return table.concat(bytes, "", 1, count)
end

local it = conversation({
    patience = PATIENCE,
    wire = wire,
    now = os.clock, -- of the processor: a wait of the socket has its own end
    greeting = function()
        return "program=BizHawk\nrom=" .. gameinfo.getromname() .. "\nprg=" .. prg .. "\nchr=" .. chr
            .. "\nwram=" .. (domains["WRAM"] and 1 or 0) .. "\npads=3\nmovie="
            .. (movie.mode() == "PLAY" and "playback" or "") .. "\n"
    end,
    count = emu.framecount,
    ram = function() return bytes_of(0, 2048, "RAM") end,
    memory = function(first, count) return bytes_of(first, count, "System Bus") end,
    cartridge = function(first, count)
        local of_prg = math.max(math.min(count, prg - first), 0)
        local bytes = of_prg > 0 and bytes_of(first, of_prg, "PRG ROM") or ""
        return count > of_prg and bytes .. bytes_of(first + of_prg - prg, count - of_prg, "CHR VROM") or bytes
    end,
    speed = function(word)
        emu.limitframerate(word == "normal")
        if word == "normal" then client.speedmode(100) end
    end,
})

local buttons = {}
for player = 1, 2 do
    local names = {}
    for place, name in ipairs({ "A", "B", "Select", "Start", "Up", "Down", "Left", "Right" }) do
        names[place] = "P" .. player .. " " .. name
    end
    buttons[player] = button_tables(names)
end

-- In one call: each lets go of all buttons that it does not name (JoypadApi.cs, Set).
local function press(pads)
    local pressed, any = {}, false
    for player, value in pairs(pads) do
        any = true
        for name, down in pairs(buttons[player][value]) do pressed[name] = down end
    end
    if any then joypad.set(pressed) end
end

event.onloadstate(function() it.note("state_loaded") end)
event.onexit(function() it.refuse("the script was stopped in BizHawk") end)

local met = false
while true do
    if movie.mode() == "PLAY" then it.note("movie") end
    press(it.turn())
    if wire.refused() then
        say(met and "emubot has left. To play on, start emubot, and then this script again"
            or "emubot does not wait at port " .. port .. ": start emubot play --bridge bizhawk, then this script again")
        return
    end
    met = true
    emu.frameadvance()
end
