; Picture tiles (8 KiB CHR, only the first 4 KiB used): everything is drawn here, there is no art file.
; A tile is two planes of eight bytes; a pixel's colour is bit of plane 0 + 2 * bit of plane 1.

TILE_BLACK = $2F
TILE_BLOCK = $2E
TILE_PANEL = $2D
TILE_CELLS = $40                  ; 4 tiles a kind: upper left, lower left, upper right, lower right; also sprites
TILE_FLASH   = TILE_CELLS + 4 * 8
TILE_FLASH_2 = TILE_CELLS + 4 * 11
TILE_FONT  = $80                  ; + character: white on colour 1; without it: white on black

.include "../letters.inc"
.include "../tiles.inc"

chr_start:
OPAQUE .set 0
.include "../font.inc"

tile TILE_PANEL
    .res 8, $FF
    blank_plane
    ; block of the title: colour 1 with a white edge
    plane $00, $7E, $7E, $7E, $7E, $7E, $7E, $00
    plane $00, $40, $40, $40, $40, $40, $7E, $00
tile TILE_BLACK + 1

; A cell: 16 x 16 pixels, a body in one colour and a white mark on it, so that cells differ without colour too.
; The rows b0-b15 are the body, m0-m15 the mark; both 16 pixels wide.
.macro half colour, shift, b0, b1, b2, b3, b4, b5, b6, b7, m0, m1, m2, m3, m4, m5, m6, m7
    .repeat 2, number
        half_row (colour) & (1 << number), shift, b0, m0
        half_row (colour) & (1 << number), shift, b1, m1
        half_row (colour) & (1 << number), shift, b2, m2
        half_row (colour) & (1 << number), shift, b3, m3
        half_row (colour) & (1 << number), shift, b4, m4
        half_row (colour) & (1 << number), shift, b5, m5
        half_row (colour) & (1 << number), shift, b6, m6
        half_row (colour) & (1 << number), shift, b7, m7
    .endrepeat
.endmacro
.macro half_row in_plane, shift, body, mark
    .if in_plane
        .byte (((body) | (mark)) >> (shift)) & $FF
    .else
        .byte ((mark) >> (shift)) & $FF
    .endif
.endmacro
.macro square colour, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15
    .repeat 2, side
        half colour, 8 - 8 * side, ROUND_0, ROUND_1, ROUND_2, ROUND_3, ROUND_3, ROUND_3, ROUND_3, ROUND_3, m0, m1, m2, m3, m4, m5, m6, m7
        half colour, 8 - 8 * side, ROUND_3, ROUND_3, ROUND_3, ROUND_3, ROUND_3, ROUND_2, ROUND_1, ROUND_0, m8, m9, m10, m11, m12, m13, m14, m15
    .endrepeat
.endmacro
ROUND_0 .set %0000000000000000
ROUND_1 .set %0011111111111100
ROUND_2 .set %0111111111111110
ROUND_3 .set %0111111111111110

tile TILE_CELLS
    ; empty: a dim dot in the middle
    plane $00, $00, $00, $00, $00, $00, $00, $01
    blank_plane
    plane $01, $00, $00, $00, $00, $00, $00, $00
    blank_plane
    plane $00, $00, $00, $00, $00, $00, $00, $80
    blank_plane
    plane $80, $00, $00, $00, $00, $00, $00, $00
    blank_plane
tile TILE_CELLS + 4
    ; 1: bars across
    square 1, 0, 0, 0, 0, 0, %0001111111111000, %0001111111111000, 0, 0, %0001111111111000, %0001111111111000, 0, 0, 0, 0, 0
    ; 2: bars upright
    square 2, 0, 0, 0, %0000011001100000, %0000011001100000, %0000011001100000, %0000011001100000, %0000011001100000, %0000011001100000, %0000011001100000, %0000011001100000, %0000011001100000, %0000011001100000, 0, 0, 0
    ; 3: a cross
    square 1, 0, 0, 0, %0000000110000000, %0000000110000000, %0000000110000000, %0000000110000000, %0001111111111000, %0001111111111000, %0000000110000000, %0000000110000000, %0000000110000000, %0000000110000000, 0, 0, 0
    ; 4: diagonals
    square 2, 0, 0, 0, %0001100000011000, %0001110000111000, %0000111001110000, %0000011111100000, %0000001111000000, %0000001111000000, %0000011111100000, %0000111001110000, %0001110000111000, %0001100000011000, 0, 0, 0
    ; 5: a ring
    square 1, 0, 0, 0, %0000011111100000, %0000111111110000, %0001110000111000, %0001100000011000, %0001100000011000, %0001100000011000, %0001100000011000, %0001110000111000, %0000111111110000, %0000011111100000, 0, 0, 0
    ; 6: four dots
    square 2, 0, 0, 0, %0001110000111000, %0001110000111000, %0001110000111000, 0, 0, 0, 0, %0001110000111000, %0001110000111000, %0001110000111000, 0, 0, 0
    ; nuisance: a grey plate without a mark
    square 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    ; flash: a white frame
ROUND_1 .set 0
ROUND_2 .set 0
ROUND_3 .set 0
    square 2, 0, %0011111111111100, %0100000000000010, %0100000000000010, %0100000000000010, %0100000000000010, %0100000000000010, %0100000000000010, %0100000000000010, %0100000000000010, %0100000000000010, %0100000000000010, %0100000000000010, %0100000000000010, %0011111111111100, 0
    ; big: a plate full of squares
ROUND_1 .set $FFFF
ROUND_2 .set $FFFF
ROUND_3 .set $FFFF
    square 2, 0, %0111111111111110, %0100000000000010, %0101111111111010, %0101000000001010, %0101011111101010, %0101010000101010, %0101010110101010, %0101010110101010, %0101010000101010, %0101011111101010, %0101000000001010, %0101111111111010, %0100000000000010, %0111111111111110, 0
    ; carbuncle: a lozenge
ROUND_1 .set 0
ROUND_2 .set 0
ROUND_3 .set 0
    square 2, %0000000110000000, %0000001111000000, %0000011001100000, %0000110000110000, %0001100000011000, %0011000110001100, %0110001111000110, %1100011111100011, %1100011111100011, %0110001111000110, %0011000110001100, %0001100000011000, %0000110000110000, %0000011001100000, %0000001111000000, %0000000110000000
    ; the smaller flash
    square 2, 0, 0, 0, 0, 0, %0000011111100000, %0000010000100000, %0000010000100000, %0000010000100000, %0000010000100000, %0000011111100000, 0, 0, 0, 0, 0

tile TILE_FONT
OPAQUE .set 1
.include "../font.inc"
