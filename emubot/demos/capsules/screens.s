; What the screens say. Scripts are read by draw_script (../script.inc).

.define SCREENS title_script, menu_script, one_script
screens_low:
    .lobytes SCREENS
screens_high:
    .hibytes SCREENS

ATTRIBUTE_TABLE = $23C0

.macro all_palettes
    place $3F00
    .byte 32
    .repeat 2
    .byte $0F, $27, $2B, $24
    .byte $0F, $27, $2B, $24
    .byte $0F, $27, $2B, $24
    .byte $0F, $01, $10, $30
    .endrepeat
.endmacro

; The black well of a field, and the colours of its cells; `column` is a multiple of 4.
.macro well column
    block column, 8, COLUMNS, ROWS, TILE_EMPTY
    .repeat 4, i
    place ATTRIBUTE_TABLE + 8 * (i + 2) + (column) / 4
    .byte 2, 0, 0
    .endrepeat
.endmacro

; Two joined halves side by side on the title.
.macro capsule column, row, first, second
    place AT column, row
    .byte 2, LINK_RIGHT + (first), LINK_LEFT + (second)
.endmacro

title_script:
    all_palettes
    block 4, 8, 24, 8, TILE_EMPTY
    .repeat 2, i
    place ATTRIBUTE_TABLE + 8 * (i + 2) + 1
    .byte 6, 0, 0, 0, 0, 0, 0
    .endrepeat
    .repeat 3, i
    capsule 6 + 7 * i, 10, 1 + i, 1 + (i + 1) .mod 3
    capsule 10 + 7 * i, 13, 1 + (i + 2) .mod 3, 1 + i
    .endrepeat
    text 9, 5, "C A P S U L E S"
    text 4, 18, "A TEST CARTRIDGE FOR BOTS"
    text 10, 22, "PRESS START"
    text 6, 26, "FREE UNDER MIT TERMS"
    .byte $FF

menu_script:
    all_palettes
    text 12, 4, "NEW GAME"
    text 3, 9, "PLAYERS"
    text 20, 9, "SELECT"
    text 3, 12, "STAGE"
    text 20, 12, "UP DOWN"
    text 3, 15, "PACE"
    text 20, 15, "LEFT RIGHT"
    text 11, 23, "START: PLAY"
    .byte $FF

mode_one:
    string 12, 9, "ONE"
mode_two:
    string 12, 9, "TWO"
pace_0:
    string 12, 15, "SLOW  "
pace_1:
    string 12, 15, "MEDIUM"
pace_2:
    string 12, 15, "FAST  "
.define PACES pace_0, pace_1, pace_2
pace_low:
    .lobytes PACES
pace_high:
    .hibytes PACES

.macro field_words column, name
    well column
    text column, 3, name
    text column, 6, "NEXT"
    text column, 25, "LEFT"
.endmacro

one_script:
    all_palettes
    field_words 4, "1P"
    text 13, 9, "STAGE"
    text 13, 18, "STAGES"
    text 13, 19, "WON"
    text 21, 9, "ONE PLAYER"
    text 21, 24, "EMUBOT"
    text 21, 26, "DEMO"
    .byte $FF

two_script:
    all_palettes
    field_words 4, "1P"
    field_words 20, "2P"
    text 13, 9, "STAGE"
    text 15, 15, "VS"
    text 4, 27, "COME"
    text 20, 27, "COME"
    .byte $FF

; Eight letters each, without a ground of their own.
.macro plain string
    .repeat 8, i
    .if .strat(string, i) = ' '
    .byte TILE_EMPTY
    .else
    .byte TILE_PLAIN + .strat(string, i) - 'A' + 10
    .endif
    .endrepeat
.endmacro
words:
    plain " PAUSE  "
    plain "  OVER  "
    plain "  WINS  "
    plain " LOSES  "
    plain "  DONE  "
