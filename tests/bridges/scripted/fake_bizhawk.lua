-- BizHawk without its window: the functions that emubot's script calls, as their C# sources have them (2.9), over the
-- console of these tests. Its reading loops for ever at the end of a connection that was closed in good order; here
-- that ends the program with code 3.
local console = require("console")
local socket = require("socket.core")
local strict = console.strict
local said = io.open(os.getenv("EMUBOT_FOLDER") .. "/said", "w")
said:setvbuf("no")
local port = tonumber(os.getenv("EMUBOT_PORT"))
local handlers, mode = {}, "INACTIVE"
local own = console
local connection, timeout

local function connect()
    connection = (socket.tcp4 or socket.tcp)()
    local connected, failure = connection:connect("127.0.0.1", port)
    if not connected then error("SocketException: " .. failure) end
    connection = connected and connection
end

-- Both a reset and an end are "closed" for LuaSocket; after an end, a byte can still be sent.
local function failed(failure)
    if failure == "closed" and connection:send("x") then
        said:write("BizHawk hangs: the connection was closed and not reset\n")
        os.exit(3)
    end
    return ""
end

comm = strict("comm", {
    socketServerGetPort = function() return port end,
    socketServerSetPort = function(to) port = to connect() end,
    socketServerSetTimeout = function(milliseconds) timeout = milliseconds > 0 and milliseconds / 1000 or nil end,
    socketServerSend = function(text)
        connection:settimeout(nil)
        return connection:send(#text .. " " .. text) and #text + #tostring(#text) + 1 or -1
    end,
    socketServerResponse = function()
        connection:settimeout(timeout)
        local length = ""
        while true do
            local char, failure = connection:receive(1)
            if not char then return failed(failure) end
            if char == " " then break end
            length = length .. char
        end
        local text, failure = connection:receive(tonumber(length))
        return text or failed(failure)
    end,
})
local fakes = {
    console = { log = function(text) said:write(text, "\n") end },
    memory = {
        getmemorydomainlist = function() return { [0] = "RAM", "System Bus", "PRG ROM", "CHR VROM", "WRAM" } end,
        getmemorydomainsize = function(name)
            return ({ RAM = 2048, ["System Bus"] = 65536, ["PRG ROM"] = console.prg, ["CHR VROM"] = console.chr,
                WRAM = 8192 })[name]
        end,
        read_bytes_as_array = function(first, count, domain)
            local bytes = {}
            for place = 1, count do
                local at = first + place - 1
                assert(at < memory.getmemorydomainsize(domain), "address")
                bytes[place] = (domain == "PRG ROM" and console.rom(at))
                    or (domain == "CHR VROM" and console.rom(console.prg + at)) or console.memory[at]
            end
            return bytes
        end,
    },
    joypad = {
        set = function(buttons)
            own.pads = {} -- what a call does not name, it lets go of
            for player = 1, 2 do
                if buttons["P" .. player .. " A"] ~= nil then
                    local keys = {}
                    for place, key in ipairs({ "A", "B", "Select", "Start", "Up", "Down", "Left", "Right" }) do
                        keys[place] = "P" .. player .. " " .. key
                    end
                    console.pads[player] = console.pad(buttons, keys)
                end
            end
        end,
    },
    gameinfo = { getromname = function() return console.name end },
    movie = { mode = function() return mode end },
    client = { speedmode = function(percent) assert(percent == 100) end },
    event = {
        onloadstate = function(handler) handlers.load = handler end,
        onexit = function(handler) handlers.exit = handler end,
    },
    emu = {
        framecount = function() return console.frames end,
        limitframerate = function(on) said:write("limit ", tostring(on), "\n") end,
        frameadvance = function() coroutine.yield() end,
    },
}
for name, functions in pairs(fakes) do _ENV[name] = strict(name, functions) end

function state_loaded() own.frames = 5 handlers.load() end
function play_movie() mode = "PLAY" end
function stop() handlers.exit() script = nil end
function again() script = coroutine.create(assert(loadfile(os.getenv("EMUBOT_SCRIPT")))) end

connect()
again()
while true do
    own.obey()
    if script and coroutine.status(script) ~= "dead" then assert(coroutine.resume(script)) end
    own.step()
end
