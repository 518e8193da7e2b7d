; What the screens say. Scripts are read by draw_script (video.s).

.define SCREENS title_script, menu_script, endless_script
screens_low:
    .lobytes SCREENS
screens_high:
    .hibytes SCREENS

.macro cell column, row, kind      ; a cell of 2 x 2 tiles
    place AT column, row
    .byte 2, TILE_CELLS + 4 * (kind), TILE_CELLS + 4 * (kind) + 2
    place AT column, row + 1
    .byte 2, TILE_CELLS + 4 * (kind) + 1, TILE_CELLS + 4 * (kind) + 3
.endmacro
.macro all_palettes
    place $3F00
    .byte 32
    .repeat 2
    .byte $0F, $16, $2A, $30
    .byte $0F, $28, $12, $30
    .byte $0F, $24, $2C, $30
    .byte $0F, $0C, $10, $30
    .endrepeat
.endmacro

; A row of blocks: each 1 is a block, leftmost column first.
.macro blocks column, row, bits, width
    place AT column, row
    .byte width
    .repeat width, i
    .if (bits) & (1 << ((width) - 1 - i))
    .byte TILE_BLOCK
    .else
    .byte TILE_BLACK
    .endif
    .endrepeat
.endmacro

title_script:
    all_palettes
    block 2, 4, 28, 9, TILE_BLACK
    ;               P    A    I   R    S
    blocks 4,  6, %11110111101110111101111, 23
    blocks 4,  7, %10010100100100100101000, 23
    blocks 4,  8, %11110111100100111101111, 23
    blocks 4,  9, %10000100100100101000001, 23
    blocks 4, 10, %10000100101110100101111, 23
    .repeat 6, i
    cell 4 + 4 * i, 18, i + 1
    .endrepeat
    .repeat 2, i                  ; each letter its palette
    place ATTRIBUTE_TABLE + 8 * (i + 1)
    .byte 8, $FF, $00, $55, $99, $22, $44, $55, $FF
    .endrepeat
    place ATTRIBUTE_TABLE + 32    ; each cell too
    .byte 8, $FF, $CF, $CF, $DF, $DF, $EF, $EF, $FF
    text 3, 14, "A TEST CARTRIDGE FOR BOTS"
    text 9, 22, " PRESS START "
    text 6, 25, "FREE UNDER MIT TERMS"
    .byte $FF

press_start_on:
    string 9, 22, " PRESS START "
press_start_off:
    string 9, 22, "             "

menu_script:
    all_palettes
    text 12, 4, "NEW GAME"
    text 3, 9, "MODE"
    text 20, 9, "SELECT"
    text 3, 12, "COLOURS"
    text 20, 12, "UP DOWN"
    text 3, 15, "LEVEL"
    text 20, 15, "LEFT RIGHT"
    text 3, 18, "ITEMS"
    text 20, 18, "A OR B"
    text 11, 23, "START: PLAY"
    .byte $FF

mode_endless:
    string 12, 9, "ENDLESS"
mode_versus:
    string 12, 9, "VERSUS "
items_off:
    string 12, 18, "OFF"
items_on:
    string 12, 18, "ON "

endless_script:
    all_palettes
    block 2, 2, 12, 26, TILE_BLACK
    text 2, 1, "1P"
    text 14, 3, "NEXT"
    text 14, 10, "LV"
    text 2, 28, "CHAIN"
    text 20, 4, "ENDLESS"
    text 20, 8, "PAIRS"
    text 20, 13, "BEST CHAIN"
    text 20, 18, "COLOURS"
    text 20, 25, "EMUBOT"
    text 20, 27, "DEMO"
    .byte $FF

versus_script:
    all_palettes
    block 2, 2, 12, 26, TILE_BLACK
    block 18, 2, 12, 26, TILE_BLACK
    text 2, 1, "1P"
    text 18, 1, "2P"
    text 14, 3, "NEXT"
    text 14, 10, "LV"
    text 15, 13, "VS"
    text 2, 28, "CHAIN    +"
    text 18, 28, "CHAIN    +"
    .byte $FF

; Twelve letters each, white on black.
.macro plain string
    .repeat 12, i
    .if .strat(string, i) = ' '
    .byte TILE_BLACK
    .else
    .byte .strat(string, i) - 'A' + 10
    .endif
    .endrepeat
.endmacro
words:
    plain "   PAUSE    "
    plain " GAME  OVER "
    plain "    WINS    "
    plain "   LOSES    "
