-- The emulator's side of emubot's FCEUX bridge: a server on 127.0.0.1 that hands out RAM and presses the pads.
-- Load it in FCEUX: File, Load Lua Script (on Windows: Lua, New Lua Script Window), Browse, Start (Run); or start FCEUX
-- with --loadlua and this file (on Windows: -lua).
-- It knows no game. Without emubot the game runs on as ever; with it they take turns, frame by frame.
--
-- Every message, in both directions, is 12 bytes and a body: "EMU" and a letter, a number, the length of the body; the
-- numbers are unsigned, 32 bits, the highest byte first.
--   to emubot    H hello: number = version of this protocol, body = lines "name=value"
--                F frame: number = how many frames emubot was given, body = FCEUX's own frame count (4), which jumps
--                  at a reset and where a state is loaded, what else happened since the last one (1, the sum of NOTES), the console's 2,048 bytes of RAM
--                W wait: FCEUX is paused; no body
--                M memory, R the cartridge: the bytes that were asked for, with the number of the question
--                E end: body = a sentence that says why
--   from emubot  P pads: number = that of the last frame; body = which ports it owns (1), pad 1, pad 2 (A = 128,
--                  B, SELECT, START, UP, DOWN, LEFT, RIGHT = 1)
--                M, R: body = first byte (4), how many (4), of the CPU's memory or of the cartridge file
--                V speed: body = one of emu.speedmode's words

local VERSION = 1
local PORT = tonumber(os.getenv("EMUBOT_FCEUX_PORT")) or 9998
local PATIENCE = 5     -- seconds that FCEUX stands still for a silent emubot
local BEAT = 1         -- seconds between two W
local LARGEST = 64     -- bytes of body that emubot may send
local LARGEST_READ = 8192
local NOTES = { ran_on = 1, state_loaded = 2, movie = 4 }
local BUTTONS = { "A", "B", "select", "start", "up", "down", "left", "right" } -- from 128 down to 1

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

local function number(value)
    return string.char(math.floor(value / 16777216) % 256, math.floor(value / 65536) % 256,
        math.floor(value / 256) % 256, value % 256)
end

local function read_number(text, at)
    local a, b, c, d = string.byte(text, at, at + 3)
    return ((a * 256 + b) * 256 + c) * 256 + d
end

local server              -- nil while somebody else has the port
local next_try = 0
local told = false        -- whether it was said that the port is taken
local client              -- nil while nobody is attached
local in_step = false     -- whether FCEUX waits for emubot's pads before each frame
local received = ""
local heard = 0           -- when emubot's last message came
local given = 0           -- frames that emubot was given
local notes = {}          -- what happened since the last one
local pads = {}           -- by port 1 and 2; nil: not emubot's
local cartridge           -- MD5 of the one that runs
local last_beat = 0
local hurried = false     -- whether emubot has changed FCEUX's speed

local function drop()
    if client then client:close() end
    client, in_step, received, pads = nil, false, "", {}
    if hurried then emu.speedmode("normal") end -- what it was before, no script can know
    hurried = false
end

local function send(kind, count, body)
    client:settimeout(PATIENCE, "t")
    if not client:send("EMU" .. kind .. number(count) .. number(#body) .. body) then drop() end
end

local function refuse(sentence)
    if client then send("E", given, sentence) end
    drop()
end

local function listen()
    if server or socket.gettime() < next_try then return end
    next_try = socket.gettime() + 2
    local made = (socket.tcp4 or socket.tcp)() -- LuaSocket 3 takes options only where the family is known
    -- Windows lets two programs share a port that both reuse, and needs no such leave to restart.
    if package.config:sub(1, 1) == "/" then made:setoption("reuseaddr", true) end
    if made:bind("127.0.0.1", PORT) and made:listen(4) then
        made:settimeout(0)
        server = made
        say("waiting at port " .. PORT .. "; start emubot whenever you like")
    else
        made:close()
        if not told then say("port " .. PORT .. " is taken, by another FCEUX perhaps; trying again and again") end
        told = true
    end
end

local function greet()
    send("H", VERSION, "program=FCEUX\nrom=" .. (rom.getfilename() or "") .. "\nmd5=" .. cartridge
        .. "\nmovie=" .. (movie.mode() or "") .. "\n")
end

-- One at a time; who fell silent makes room.
local function accept()
    local caller = server:accept()
    if not caller then return end
    caller:setoption("tcp-nodelay", true)
    if client and (in_step or socket.gettime() - heard < PATIENCE) then
        local first = client
        client = caller
        send("E", 0, "another emubot plays here already: end it first")
        if client then client:close() end
        client = first
        return
    end
    drop()
    client, given, notes, heard = caller, 0, {}, socket.gettime()
    greet()
end

local function memory_range(first, count)
    return memory.readbyterange(first, count)
end

local function rom_range(first, count)
    if rom.readbyterange then return rom.readbyterange(first, count) end
    local bytes = {}
    for at = first, first + count - 1 do bytes[#bytes + 1] = string.char(rom.readbyte(at)) end
    return table.concat(bytes)
end

local function answer(kind, count, body, range)
    local first, length = #body == 8 and read_number(body, 1), #body == 8 and read_number(body, 5)
    if not first or length > LARGEST_READ then
        refuse("emubot asked for memory in a way this script does not understand")
    else
        send(kind, count, range(first, length))
    end
end

-- The pads may only be changed by whoever knows the frame they are for.
local function take_pads(count, body)
    if #body ~= 3 or count ~= given then
        refuse("emubot is at frame " .. count .. " and FCEUX at frame " .. given)
        return false
    end
    pads = {}
    if not notes.ran_on then -- else they were chosen for a frame that is long past
        local owned = string.byte(body, 1)
        if owned % 2 == 1 then pads[1] = string.byte(body, 2) end
        if math.floor(owned / 2) % 2 == 1 then pads[2] = string.byte(body, 3) end
    end
    return true
end

-- One whole message, or nil where there is none within so many seconds.
local function message(seconds)
    local until_then = socket.gettime() + seconds
    local wanted = 12
    while client do
        if #received >= 12 then
            wanted = 12 + read_number(received, 9)
            if received:sub(1, 3) ~= "EMU" or wanted > 12 + LARGEST then
                refuse("what came in is no message of emubot's: do they have the same version?")
                return nil
            end
            if #received >= wanted then break end
        end
        client:settimeout(math.max(until_then - socket.gettime(), 0), "t")
        local text, failure, part = client:receive(wanted, received)
        received = text or part
        if failure == "timeout" then return nil end
        if failure then drop() end
    end
    if not client then return nil end
    local whole = received
    received, heard = "", socket.gettime()
    return whole:sub(4, 4), read_number(whole, 5), whole:sub(13)
end

-- Deals with what emubot sent; true when it is time for a frame.
local function served()
    local kind, count, body = message(in_step and PATIENCE or 0)
    if not kind then
        if client and in_step then -- it thinks too long: the game is its user's again
            in_step, notes.ran_on, pads = false, true, {}
        end
        return true
    elseif kind == "P" then
        in_step = take_pads(count, body)
        return true
    elseif kind == "M" then
        answer(kind, count, body, memory_range)
    elseif kind == "R" then
        answer(kind, count, body, rom_range)
    elseif kind == "V" and (body == "normal" or body == "maximum") then
        emu.speedmode(body)
        hurried = true
    else
        refuse("emubot sent a message that this script does not know: do they have the same version?")
    end
    return not client
end

local button_tables = {}
for value = 0, 255 do
    local buttons = {}
    for place, button in ipairs(BUTTONS) do buttons[button] = math.floor(value / 2 ^ (8 - place)) % 2 == 1 end
    button_tables[value] = buttons -- all eight true or false: nil would leave a button to the keyboard
end

local function hand_over()
    given = given + 1
    local sum = 0
    for note in pairs(notes) do sum = sum + NOTES[note] end
    notes = {}
    send("F", given, number(emu.framecount()) .. string.char(sum) .. memory.readbyterange(0, 2048))
end

local function look_around()
    local now = rom.gethash("md5")
    if cartridge and now ~= cartridge then refuse("another cartridge was put into FCEUX") end
    cartridge = now
    if movie.mode() == "playback" then notes.movie = true end
end

savestate.registerload(function() notes.state_loaded = true end)
gui.register(function() -- also called while FCEUX is paused
    if client and emu.paused() and socket.gettime() - last_beat >= BEAT then
        last_beat = socket.gettime()
        send("W", given, "")
    end
end)
emu.registerexit(function()
    refuse("the script was stopped in FCEUX")
    if server then server:close() end
end)

listen()
while not emu.emulating() do emu.frameadvance() end
while true do
    look_around()
    listen()
    if server then accept() end
    if client and in_step then hand_over() end
    while client and not served() do end
    for port, value in pairs(pads) do joypad.set(port, button_tables[value]) end
    emu.frameadvance()
end
