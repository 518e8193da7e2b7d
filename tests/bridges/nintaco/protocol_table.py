"""The protocol table of facts, Nintaco 3.6, written down once more: what each call carries and what it answers.

Id, name in the API, arguments: i int, z bool, c char, s string, I int[], C char[] (written like a string), S string[],
- none; after `>` the answer.
"""

from __future__ import annotations

_TABLE = """
23 setPaused z   24 isPaused >z   25 getFrameCount >i   26 getA >i   27 setA i   28 getS >i   29 setS i
30 getPC >i   31 setPC i   32 getX >i   33 setX i   34 getY >i   35 setY i   36 getP >i   37 setP i   38 isN >z
39 setN z   40 isV >z   41 setV z   42 isD >z   43 setD z   44 isI >z   45 setI z   46 isZ >z   47 setZ z
48 isC >z   49 setC z   50 getPPUv >i   51 setPPUv i   52 getPPUt >i   53 setPPUt i   54 getPPUx >i   55 setPPUx i
56 isPPUw >z   57 setPPUw z   58 getCameraX >i   59 setCameraX i   60 getCameraY >i   61 setCameraY i
62 getScanline >i   63 getDot >i   64 isSpriteZeroHit >z   65 setSpriteZeroHit z   66 getScanlineCount >i
67 requestInterrupt -   68 acknowledgeInterrupt -   69 peekCPU i>i   70 readCPU i>i   71 writeCPU ii
72 peekCPU16 i>i   73 readCPU16 i>i   74 writeCPU16 ii   75 peekCPU32 i>i   76 readCPU32 i>i   77 writeCPU32 ii
78 readPPU i>i   79 writePPU ii   80 readPaletteRAM i>i   81 writePaletteRAM ii   82 readOAM i>i   83 writeOAM ii
84 readGamepad ii>z   85 writeGamepad iiz   86 isZapperTrigger >z   87 setZapperTrigger z   88 getZapperX >i
89 setZapperX i   90 getZapperY >i   91 setZapperY i   92 setColor i   93 getColor >i   94 setClip iiii
95 clipRect iiii   96 resetClip -   97 copyArea iiiiii   98 drawLine iiii   99 drawOval iiii   100 drawPolygon IIi
101 drawPolyline IIi   102 drawRect iiii   103 drawRoundRect iiiiii   104 draw3DRect iiiiz   105 drawArc iiiiii
106 fill3DRect iiiiz   107 fillArc iiiiii   108 fillOval iiii   109 fillPolygon IIi   110 fillRect iiii
111 fillRoundRect iiiiii   112 drawChar cii   113 drawChars Ciiiiz   114 drawString siiz   115 createSprite iiiI
116 drawSprite iii   117 setPixel iii   118 getPixel ii>i   119 getPixels >I   121 reset -   122 deleteSprite i
123 setSpeed i   124 stepToNextFrame -   125 showMessage s   126 getWorkingDirectory >s   127 getContentDirectory >s
128 open s   129 openArchiveEntry ss   130 getArchiveEntries s>S   131 getDefaultArchiveEntry s>s
132 openDefaultArchiveEntry s   134 saveState s   135 loadState s   136 quickSaveState i   137 quickLoadState i
138 setTVSystem s   139 getTVSystem >s   140 getDiskSides >i   141 insertDisk ii   142 flipDiskSide -
143 ejectDisk -   144 insertCoin -   145 pressServiceButton -   146 screamIntoMicrophone -   147 glitch -
148 getFileInfo >s   149 setFullscreenMode z   150 saveScreenshot -   151 addCheat iiisz   152 removeCheat iii
153 addGameGenie ssz   154 removeGameGenie s   155 addProActionRocky ssz   156 removeProActionRocky s
157 getPrgRomSize >i   158 readPrgRom i>i   159 writePrgRom ii   160 getChrRomSize >i   161 readChrRom i>i
162 writeChrRom ii   163 getStringWidth sz>i
"""

_WORDS = _TABLE.split()
NAMES = {int(number): name for number, name in zip(_WORDS[::3], _WORDS[1::3], strict=True)}
# The arguments and the answer of each id.
SIGNATURES = {
    int(number): (arguments.strip("-"), answer)
    for number, word in zip(_WORDS[::3], _WORDS[2::3], strict=True)
    for arguments, _, answer in [word.partition(">")]
}
# powerCycle and close: either may stop the emulator for good. getCharsWidth: the real one ends the connection over it.
FORBIDDEN = {120, 133, 164}
# What an id that adds a listener carries, and how long its event's payload is.
REGISTRATIONS = {1: "i", 3: "i", 5: "i", 9: "iiiii", 11: "i", 13: "i", 15: "ii", 17: "iii", 19: "i", 21: "i"}
