; Picture tiles (8 KiB CHR, only the first 4 KiB used): everything is drawn here, there is no art file.
; A tile is two planes of eight bytes; a pixel's colour is bit of plane 0 + 2 * bit of plane 1. A cell's tile is the cell's
; own byte.

TILE_EMPTY = $00
TILE_PLAIN = $50                  ; + character: colour 3 on black
TILE_FONT  = $C0                  ; + character: white on colour 1
TILE_PANEL = $F0

.include "../letters.inc"
.include "../tiles.inc"

; A cell in each of the three colours: a body, with a slit across, a slit upright or a hole in it, so that cells differ
; without colour too.
.macro cell_of colour, r0, r1, r2, r3, r4, r5, r6, r7
    .repeat 2, number
    .if (colour) & (1 << number)
    .if colour = 1
    .byte r0, r1, r2, (r3) & %11000011, (r4) & %11000011, r5, r6, r7
    .elseif colour = 2
    .byte r0, r1, (r2) & %11100111, (r3) & %11100111, (r4) & %11100111, (r5) & %11100111, r6, r7
    .else
    .byte r0, r1, r2, (r3) & %11100111, (r4) & %11100111, r5, r6, r7
    .endif
    .else
    blank_plane
    .endif
    .endrepeat
.endmacro
.macro cells number, r0, r1, r2, r3, r4, r5, r6, r7
tile number + 1
    .repeat 3, i
    cell_of i + 1, r0, r1, r2, r3, r4, r5, r6, r7
    .endrepeat
.endmacro

chr_start:
    cells 0,          $3C, $7E, $FF, $FF, $FF, $FF, $7E, $3C
    cells TARGET,     $FF, $81, $BD, $BD, $BD, $BD, $81, $FF
    cells LINK_LEFT,  $FC, $FE, $FF, $FF, $FF, $FF, $FE, $FC
    cells LINK_RIGHT, $3F, $7F, $FF, $FF, $FF, $FF, $7F, $3F
    cells LINK_UP,    $FF, $FF, $FF, $FF, $FF, $FF, $7E, $3C
    cells LINK_DOWN,  $3C, $7E, $FF, $FF, $FF, $FF, $FF, $FF

tile TILE_PLAIN
OPAQUE .set 0
.include "../font.inc"
    cells VANISHING,          $3C, $42, $81, $81, $81, $81, $42, $3C
    cells VANISHING + TARGET, $3C, $42, $81, $81, $81, $81, $42, $3C

tile TILE_FONT
OPAQUE .set 1
.include "../font.inc"
tile TILE_PANEL
    plane $FE, $FF, $FF, $FF, $EF, $FF, $FF, $FF
    blank_plane
