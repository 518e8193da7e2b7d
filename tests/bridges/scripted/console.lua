-- A console for the fake emulators: 64 KiB in which a frame count and the pads that the game read are seen.
local socket = require("socket.core")

local console = {
    memory = {}, frames = 0, pads = { 0, 0 }, keys = { 0, 0 }, prg = 32768, chr = 8192, name = "tiny", busy = false,
}
for at = 0, 65535 do console.memory[at] = 0 end

function console.rom(at) return at * 7 % 251 end

-- What the game reads in a frame: the script's pads, or where it has set none the keyboard's.
function console.step()
    console.frames = console.frames + 1
    console.memory[0x10] = console.frames % 256
    console.memory[0x11] = console.frames // 256 % 256
    for port = 1, 2 do
        console.memory[0x11 + port] = console.pads[port] or console.keys[port]
        console.pads[port] = nil
    end
    if not console.busy then socket.sleep(0.001) end
end

-- What a test has put into the folder as order.lua is done between two frames, as a person would by hand.
function console.obey()
    local path = os.getenv("EMUBOT_FOLDER") .. "/order.lua"
    local file = io.open(path)
    if not file then return end
    local text = file:read("a")
    file:close()
    assert(load(text, "order", "t", setmetatable({ console = console, socket = socket }, { __index = _G })))()
    os.remove(path)
end

-- Of a table by button names: the pad; each of the eight must be said.
function console.pad(buttons, names)
    local pad = 0
    for place, name in ipairs(names) do
        assert(type(buttons[name]) == "boolean", name .. " is left to the keyboard")
        if buttons[name] then pad = pad + (1 << (8 - place)) end
    end
    return pad
end

-- A table of an emulator's functions: one that it does not have is an error at once.
function console.strict(name, functions)
    return setmetatable(functions, { __index = function(_, key) error("there is no " .. name .. "." .. key, 2) end })
end

return console
