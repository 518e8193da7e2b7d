-- Mesen 2 without its window: the functions that emubot's script calls, as Mesen's LuaApi.cpp and ScriptingContext.cpp
-- have them (2.1.1), over the console of these tests. A callback that takes longer than its second is ended.
local console = require("console")
local strict = console.strict
local now = require("socket.core").gettime
local callbacks, log = {}, io.open(os.getenv("EMUBOT_FOLDER") .. "/said", "w")
log:setvbuf("no")
local hash = "ABCD"
local polled = false
one_pad = os.getenv("EMUBOT_ONE_PAD")
local documented = os.getenv("EMUBOT_DOCUMENTED")
local names = { "a", "b", "select", "start", "up", "down", "left", "right" }
local states = {}

-- What the keyboard holds, until the script says otherwise.
local function poll()
    for port = 0, 1 do
        states[port] = {}
        for place, name in ipairs(names) do states[port][name] = console.keys[port + 1] >> (8 - place) & 1 == 1 end
    end
end

local types = { nesMemory = 8, nesDebug = 0x108, nesPrgRom = 40, nesInternalRam = 41, nesWorkRam = 42, nesSaveRam = 43,
    nesChrRom = 49 }
local sizes = { [8] = 65536, [40] = console.prg, [41] = 2048, [42] = 0, [43] = 8192, [49] = console.chr }

local function byte(at, kind)
    kind = kind & 0xFF
    assert(at >= 0 and at < sizes[kind], "address")
    if kind == 40 then return console.rom(at) end
    if kind == 49 then return console.rom(console.prg + at) end
    return console.memory[at]
end

emu = strict("emu", {
    memType = strict("memType", types),
    eventType = strict("eventType", { startFrame = 2, endFrame = 3, reset = 4, scriptEnded = 5, inputPolled = 6,
        stateLoaded = 7 }),
    log = function(text) log:write(text, "\n") end,
    displayMessage = function(category, text) assert(category and text) end,
    getMemorySize = function(kind) return assert(sizes[kind]) end,
    read = function(at, kind) return byte(at, kind) end,
    read32 = function(at, kind)
        return byte(at, kind) | byte(at + 1, kind) << 8 | byte(at + 2, kind) << 16 | byte(at + 3, kind) << 24
    end,
    getRomInfo = function() return { name = console.name, path = "", fileSha1Hash = hash } end,
    getState = function() return { frameCount = console.frames } end,
    getInput = function(port)
        if port == 1 and one_pad then return {} end
        return states[port]
    end,
    -- In 2.1.1 the third value is the port, and not the second one as it is documented.
    setInput = function(buttons, port, subport)
        assert(polled, "setInput has no effect but where the input is polled")
        if not documented then port, subport = subport or 0, 0 end
        if subport ~= 0 or (port == 1 and one_pad) then return end
        states[port] = setmetatable(buttons, { __index = states[port] })
    end,
    addEventCallback = function(callback, event)
        callbacks[event] = callbacks[event] or {}
        table.insert(callbacks[event], callback)
        return callback
    end,
})

local function fire(event)
    for _, callback in ipairs(callbacks[event] or {}) do
        local begun = now()
        debug.sethook(function()
            if now() - begun > 1 then error("Maximum execution time (1 seconds) exceeded.") end
        end, "", 1) -- Mesen looks every 1,000 instructions
        local fine, failure = pcall(callback)
        debug.sethook()
        if not fine then log:write(tostring(failure), "\n") end
    end
end

function state_loaded() console.frames = 5 fire(7) end
function swap() hash, console.name, console.rom = "EF01", "another", function(at) return at % 13 end end
function stop() fire(5) callbacks = {} end

if os.getenv("EMUBOT_SANDBOXED") then require = nil end -- nor are io and os there, where I/O is not allowed
assert(loadfile(os.getenv("EMUBOT_SCRIPT")))()
while true do
    console.obey()
    poll()
    polled = true
    fire(6)
    polled = false
    for port = 0, 1 do console.pads[port + 1] = console.pad(states[port], names) end
    console.step()
end
