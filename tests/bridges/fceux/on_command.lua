-- emubot's script as it is, and before each frame whatever a test has put into the folder as order.lua:
-- what a person does in FCEUX's menus while emubot plays.
local order = os.getenv("EMUBOT_FOLDER") .. "/order.lua"

emu.registerbefore(function()
    local file = io.open(order)
    if not file then return end
    local text = file:read("*a")
    file:close()
    assert(loadstring(text))()
    os.remove(order)
end)

assert(loadfile(os.getenv("EMUBOT_SCRIPT")))() -- not dofile, across which Lua 5.1 cannot yield
