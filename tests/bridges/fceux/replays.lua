-- Plays the movie that FCEUX was started with, and writes the console's RAM after each of its frames.
local out = assert(io.open(os.getenv("EMUBOT_FOLDER") .. "/replay.part", "wb"))
emu.speedmode("maximum")
while movie.mode() == "playback" do
    emu.frameadvance()
    out:write(memory.readbyterange(0, 2048))
end
out:close()
os.rename(os.getenv("EMUBOT_FOLDER") .. "/replay.part", os.getenv("EMUBOT_FOLDER") .. "/replay")
while true do emu.frameadvance() end
