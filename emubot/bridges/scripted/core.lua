-- The emulator's side of emubot: hands out the console's memory and presses the pads. It knows no game.
-- Without emubot the game runs on as ever; with it they take turns, frame by frame.
--
-- Every message, in both directions, is 12 bytes and a body: "EMU" and a letter, a number, the length of the body; the
-- numbers are unsigned, 32 bits, the highest byte first.
--   to emubot    H hello: number = version of this protocol, body = lines "name=value"
--                F frame: number = how many frames emubot was given, body = the emulator's own frame count (4), which
--                  jumps at a reset and where a state is loaded, what else happened since the last one (1, the sum of
--                  NOTES), the console's 2,048 bytes of RAM
--                W wait: the emulator is paused; no body
--                M memory, R the cartridge: the bytes that were asked for, with the number of the question
--                E end: body = a sentence that says why
--   from emubot  P pads: number = that of the last frame; body = which ports it owns (1), pad 1, pad 2 (A = 128,
--                  B, SELECT, START, UP, DOWN, LEFT, RIGHT = 1)
--                M, R: body = first byte (4), how many (4), of the CPU's memory or of the cartridge
--                V speed: body = "normal" or "maximum"

local VERSION = 1
local HEADER = 12
local LARGEST = 64     -- bytes of body that emubot may send
local LARGEST_READ = 8192
local NOTES = { ran_on = 1, state_loaded = 2, movie = 4 }

local function number(value)
    return string.char(math.floor(value / 16777216) % 256, math.floor(value / 65536) % 256,
        math.floor(value / 256) % 256, value % 256)
end

local function read_number(text, at)
    local a, b, c, d = string.byte(text, at, at + 3)
    return ((a * 256 + b) * 256 + c) * 256 + d
end

local function framed(kind, count, body)
    return "EMU" .. kind .. number(count) .. number(#body) .. body
end

-- The names of a pad's buttons, from 128 down to 1, to a table by pad of tables by button: true or false, as what is
-- left out would be the keyboard's.
local function button_tables(names)
    local tables = {}
    for value = 0, 255 do
        local buttons = {}
        for place, name in ipairs(names) do buttons[name] = math.floor(value / 2 ^ (8 - place)) % 2 == 1 end
        tables[value] = buttons
    end
    return tables
end

-- One emulator's half of the conversation. `host` has what differs:
--   patience            seconds for which the emulator stands still for a silent emubot
--   wire                meet(occupied) -> whether somebody new is there; send(bytes) -> whether it went out;
--                       message(seconds) -> the bytes of one message, or nil; open(); close()
--   greeting()          the lines of H
--   now()               seconds, for the patience
--   count(), ram()      the emulator's frame count, and the RAM, of this moment
--   memory, cartridge   (first, how many) -> bytes
--   speed(word)         sets a speed; nil where the emulator cannot
local function conversation(host)
    local wire = host.wire
    local in_step = false     -- whether the emulator waits for emubot's pads before each frame
    local given = 0           -- frames that emubot was given
    local notes = {}          -- what happened since the last one
    local pads = {}           -- by port 1 and 2; nil: not emubot's
    local hurried = false     -- whether emubot has changed the speed
    local it = {}

    local function drop()
        wire.close()
        in_step, pads = false, {}
        if hurried then host.speed("normal") end -- what it was before, no script can know
        hurried = false
    end

    local function send(kind, count, body)
        if wire.open() and not wire.send(framed(kind, count, body)) then drop() end
    end

    function it.note(name) notes[name] = true end

    function it.refuse(sentence)
        send("E", given, sentence)
        drop()
    end

    function it.paused() send("W", given, "") end

    local function answer(kind, count, body, range)
        local first, length = #body == 8 and read_number(body, 1), #body == 8 and read_number(body, 5)
        if not first or length > LARGEST_READ then
            it.refuse("emubot asked for memory in a way this script does not understand")
        else
            send(kind, count, range(first, length))
        end
    end

    -- The pads may only be changed by whoever knows the frame they are for.
    local function take_pads(count, body)
        if #body ~= 3 or count ~= given then
            it.refuse("emubot is at frame " .. count .. " and the emulator at frame " .. given)
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

    -- Deals with what emubot sent; true when it is time for a frame.
    local function served(seconds)
        local whole = wire.message(seconds)
        if not whole then
            if not wire.open() then
                drop()
            elseif in_step then -- it thinks too long: the game is its user's again
                in_step, notes.ran_on, pads = false, true, {}
            end
            return true
        end
        local length = #whole >= HEADER and read_number(whole, 9)
        if whole:sub(1, 3) ~= "EMU" or not length or length > LARGEST or #whole ~= HEADER + length then
            it.refuse("what came in is no message of emubot's: do they have the same version?")
            return true
        end
        local kind, count, body = whole:sub(4, 4), read_number(whole, 5), whole:sub(HEADER + 1)
        if kind == "P" then
            in_step = take_pads(count, body)
            return true
        elseif kind == "M" then
            answer(kind, count, body, host.memory)
        elseif kind == "R" then
            answer(kind, count, body, host.cartridge)
        elseif kind == "V" and host.speed and (body == "normal" or body == "maximum") then
            host.speed(body)
            hurried = true
        else
            it.refuse("emubot sent a message that this script does not know: do they have the same version?")
        end
        return not wire.open()
    end

    local function hand_over()
        given = given + 1
        local sum = 0
        for note in pairs(notes) do sum = sum + NOTES[note] end
        notes = {}
        send("F", given, number(host.count()) .. string.char(sum) .. host.ram())
    end

    -- Call this once a frame, when the game has not read the pads yet; returns the pads of the ports that emubot has.
    function it.turn()
        if wire.meet(in_step) then
            if hurried then host.speed("normal") end
            in_step, pads, given, notes, hurried = false, {}, 0, {}, false
            send("H", VERSION, host.greeting())
        end
        if wire.open() and in_step then hand_over() end
        local due = host.now() + host.patience
        while wire.open() and not served(in_step and math.max(due - host.now(), 0) or 0) do end
        return pads
    end

    return it
end
