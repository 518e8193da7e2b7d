; What the screens say. Scripts are read by draw_script (video.s).

.enum
    SCREEN_LEGAL
    SCREEN_TITLE
    SCREEN_TYPE
    SCREEN_LEVEL
    SCREEN_PLAY
.endenum

screens:
    .word legal_script, title_script, type_script, level_script, play_script

.define AT(column, row) $2000 + 32 * (row) + (column)

.macro place address
    .byte >(address), <(address)
.endmacro
.macro text column, row, string
    place AT column, row
    .byte .strlen(string), string
.endmacro
.macro string column, row, words   ; as queue_string takes it
    .byte .strlen(words)
    place AT column, row
    .byte words
.endmacro
.macro run address, count, value
    place address
    .byte $80 + (count), value
.endmacro
.macro frame column, row, width, height  ; outer corner, inner size
    place AT column, row
    .byte $C0, width, height
.endmacro
.macro attributes column, row, first, middle, count, last
    place $23C0 + 8 * (row) + (column)
    .byte 1, first
    run $23C0 + 8 * (row) + (column) + 1, count, middle
    place $23C0 + 8 * (row) + (column) + 1 + (count)
    .byte 1, last
.endmacro
.macro palettes
    place $3F00
    .byte 32
    .byte $0F, $21, $2A, $27      ; playfield; by level during a game
    .byte $0F, $0C, $10, $30      ; grid, frames, text
    .byte $0F, $28, $2C, $2A      ; bars
    .byte $0F, $24, $16, $12
    .byte $0F, $21, $2A, $27      ; pieces
    .byte $0F, $0F, $10, $30      ; words over the playfield
    .byte $0F, $16, $10, $30      ; cursor
    .byte $0F, $0F, $10, $30
.endmacro

legal_script:
    palettes
    frame 2, 9, 26, 10
    text 9, 11, "FALLING BLOCKS"
    text 4, 13, "A TEST CARTRIDGE FOR BOTS"
    text 10, 15, "EMUBOT DEMO"
    text 6, 17, "FREE UNDER MIT TERMS"
    .byte $FF

; A row of blocks: each 1 is a block, leftmost column first.
.macro blocks column, row, bits, width, block
    place AT column, row
    .byte width
    .repeat width, i
    .if (bits) & (1 << ((width) - 1 - i))
    .byte block
    .else
    .byte TILE_EMPTY
    .endif
    .endrepeat
.endmacro

title_script:
    palettes
    frame 1, 4, 28, 13
    ;                F   A   L   L   I N    G
    blocks 2,  6, %111001001000100010100101111, 27, $7B
    blocks 2,  7, %100010101000100010110101000, 27, $7B
    blocks 2,  8, %110011101000100010101101011, 27, $7B
    blocks 2,  9, %100010101000100010100101001, 27, $7B
    blocks 2, 10, %100010101110111010100101111, 27, $7B
    ;                B   L   O   C   K   S
    blocks 4, 12, %11001000111011101010111, 23, $7C
    blocks 4, 13, %10101000101010001010100, 23, $7C
    blocks 4, 14, %11001000101010001100111, 23, $7C
    blocks 4, 15, %10101000101010001010001, 23, $7C
    blocks 4, 16, %11001110111011101010111, 23, $7C
    attributes 0, 1, $15, $05, 6, $45
    attributes 0, 2, $11, $00, 6, $44
    attributes 0, 3, $11, $00, 6, $44
    attributes 0, 4, $51, $50, 6, $54
    .repeat 2, i
    run AT 2, 20 + i, 4, TILE_SOLID + 2
    run AT 6, 20 + i, 4, TILE_SOLID
    run AT 10, 20 + i, 4, TILE_SOLID + 1
    run AT 14, 20 + i, 4, TILE_SOLID + 2
    run AT 18, 20 + i, 4, TILE_SOLID
    run AT 22, 20 + i, 4, TILE_SOLID + 1
    run AT 26, 20 + i, 4, TILE_SOLID + 2
    .endrepeat
    place $23C0 + 8 * 5
    .byte 8, $55, $59, $5A, $5A, $5E, $5F, $5F, $57
    text 10, 23, " EMUBOT DEMO "
    text 10, 25, " PRESS START "
    .byte $FF

press_start_on:
    string 10, 25, " PRESS START "
press_start_off:
    string 10, 25, "             "

type_script:
    palettes
    frame 2, 6, 26, 16
    text 11, 8, "GAME TYPE"
    text 7, 12, "A TYPE"
    text 19, 12, "B TYPE"
    text 5, 18, "LEFT RIGHT: CHOOSE"
    text 5, 20, "START: NEXT   B: BACK"
    .byte $FF

refusal:
    string 6, 15, "ONLY A TYPE IS HERE."
no_refusal:
    string 6, 15, "                    "

level_script:
    palettes
    frame 2, 6, 26, 19
    text 14, 8, "LEVEL"
    .repeat 5, i
    frame 7 + 4 * i, 10, 1, 1
    frame 7 + 4 * i, 14, 1, 1
    place AT 8 + 4 * i, 11
    .byte 1, i
    place AT 8 + 4 * i, 15
    .byte 1, 5 + i
    .endrepeat
    text 5, 19, "START:      PLAY"
    text 5, 21, "A + START:  PLAY + 10"
    text 5, 23, "B:          BACK"
    .byte $FF

HUD_SCORE = AT 24, 8
HUD_LINES = AT 7, 8
HUD_LEVEL = AT 27, 13
HUD_COUNT = AT 7, 13               ; seven of them, two rows apart

play_script:
    palettes
    text 8, 3, " FALLING BLOCKS "
    frame FIELD_COLUMN - 1, FIELD_ROW - 1, COLUMNS, ROWS
    attributes 3, 1, $05, $05, 1, $45
    .repeat 4, i
    attributes 3, 2 + i, $00, $00, 1, $44
    .endrepeat
    attributes 3, 6, $50, $50, 1, $54
    frame 3, 5, 6, 3
    text 4, 6, "LINES"
    frame 3, 10, 6, 15
    text 4, 11, "PIECES"
    text 4, 13, "T"
    text 4, 15, "J"
    text 4, 17, "Z"
    text 4, 19, "O"
    text 4, 21, "S"
    text 4, 23, "L"
    text 4, 25, "I"
    frame 23, 5, 6, 3
    text 24, 6, "SCORE"
    frame 23, 10, 6, 3
    text 24, 11, "LEVEL"
    frame 23, 15, 6, 6
    text 24, 16, "NEXT"
    frame 23, 24, 6, 1
    text 24, 25, "EMUBOT"
    .byte $FF

.macro sprites x0, y0, string
    .repeat .strlen(string), i
    .byte y0 - 1, TILE_OPAQUE + .strat(string, i) - 'A' + 10, 1, x0 + 8 * i
    .endrepeat
.endmacro
pause_sprites:
    sprites 116, 120, "PAUSE"
    .byte $FF
over_sprites:
    sprites 120, 104, "GAME"
    sprites 120, 116, "OVER"
    sprites 116, 136, "PRESS"
    sprites 116, 148, "START"
    .byte $FF
