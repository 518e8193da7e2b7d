-- emubot's script, stopped after a hundred frames and started anew, as by Stop and Start in FCEUX's window.
local advance = emu.frameadvance
local ends

emu.frameadvance = coroutine.yield
emu.registerexit = function(done) ends = done end

local function started()
    return coroutine.create(assert(loadfile(os.getenv("EMUBOT_SCRIPT"))))
end

local script = started()
local frame = 0
while true do
    frame = frame + 1
    if frame == 100 then
        ends()
        script = started()
    end
    assert(coroutine.resume(script))
    advance()
end
