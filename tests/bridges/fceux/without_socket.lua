-- emubot's script where LuaSocket is not installed; what it says is written down.
package.path, package.cpath = "", ""

local said = assert(io.open(os.getenv("EMUBOT_FOLDER") .. "/said.part", "w"))

function print(sentence) said:write(sentence, "\n") end

assert(loadfile(os.getenv("EMUBOT_SCRIPT")))()
said:close()
os.rename(os.getenv("EMUBOT_FOLDER") .. "/said.part", os.getenv("EMUBOT_FOLDER") .. "/said")
while true do emu.frameadvance() end
