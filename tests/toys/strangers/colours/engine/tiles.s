; Picture tiles: characters, then those of the cells. Everything is drawn here, there is no art file.

TILE_EMPTY = $30
TILE_COLOR = $31                  ; six of them, each another pattern
TILE_NUISANCE = $37
TILE_POPPING = $38
TILE_TARGET = $39                 ; six
TILE_WALL = $3F
TILE_BLANK = $40
TILE_ARROW = $41

.repeat 10, n
.charmap $30 + n, n
.endrepeat
.repeat 26, n
.charmap $41 + n, 10 + n
.endrepeat
.charmap ' ', TILE_BLANK
.charmap '+', 37

.include "tiles.inc"

chr_start:
OPAQUE .set 0
.include "font.inc"

.macro ball r2, r3, r4, r5        ; a disc with a pattern in its middle
    plane $3C, $7E, $FF - (r2), $FF - (r3), $FF - (r4), $FF - (r5), $7E, $3C
    plane $3C, $42, $81 | (r2), $81 | (r3), $81 | (r4), $81 | (r5), $42, $3C
.endmacro
.macro imp r2, r3, r4, r5         ; a target: a square with eyes and the same pattern
    plane $FF, $DB, $FF - (r2), $FF - (r3), $FF - (r4), $FF - (r5), $FF, $A5
    plane $00, $24, r2, r3, r4, r5, $00, $00
.endmacro

tile TILE_EMPTY                   ; a dot
    plane $00, $00, $00, $10, $00, $00, $00, $00
    blank_plane
tile TILE_COLOR
    ball $00, $00, $00, $00
    ball $3C, $3C, $3C, $3C
    ball $18, $3C, $3C, $18
    ball $24, $24, $24, $24
    ball $3C, $00, $00, $3C
    ball $24, $18, $18, $24
tile TILE_NUISANCE
    plane $7E, $81, $81, $81, $81, $81, $81, $7E
    blank_plane
tile TILE_POPPING
    plane $18, $00, $42, $81, $81, $42, $00, $18
    plane $18, $00, $42, $81, $81, $42, $00, $18
tile TILE_TARGET
    imp $00, $00, $00, $00
    imp $3C, $3C, $3C, $3C
    imp $18, $3C, $3C, $18
    imp $24, $24, $24, $24
    imp $3C, $00, $00, $3C
    imp $24, $18, $18, $24
tile TILE_WALL
    plane $EE, $EE, $EE, $00, $BB, $BB, $BB, $00
    blank_plane
tile TILE_BLANK
    blank_plane
    blank_plane
tile TILE_ARROW
    plane $00, $20, $30, $38, $30, $20, $00, $00
    plane $00, $20, $30, $38, $30, $20, $00, $00
.segment "CODE"
