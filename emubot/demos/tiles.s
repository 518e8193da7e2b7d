; Picture tiles (8 KiB CHR, only the first 4 KiB used): everything is drawn here, there is no art file.
; A tile is two planes of eight bytes; a pixel's colour is bit of plane 0 + 2 * bit of plane 1.

TILE_GRID   = $40                 ; 4 tiles: + 1 in odd rows, + 2 in odd columns
TILE_FRAME  = $30                 ; 9 tiles: upper, middle and lower row; the middle one is never drawn
TILE_SOLID  = $28                 ; + 0-2: colours 1-3
TILE_ARROW  = $2B
TILE_OPAQUE = $80                 ; + character: white on colour 1, for sprites over the playfield

; Characters are their tiles: digits from 0, so that a digit's value is its tile, then letters.
.repeat 10, n
.charmap $30 + n, n
.endrepeat
.repeat 26, n
.charmap $41 + n, 10 + n
.endrepeat
.charmap '-', 36
.charmap '+', 37
.charmap '.', 38
.charmap ':', 39
.charmap ' ', TILE_EMPTY

.include "tiles.inc"

chr_start:
OPAQUE .set 0
.include "font.inc"

tile TILE_SOLID
    .res 8, $FF
    blank_plane
    blank_plane
    .res 8, $FF
    .res 16, $FF
    ; arrow to the right, colour 3
    plane $40, $60, $70, $78, $70, $60, $40, $00
    plane $40, $60, $70, $78, $70, $60, $40, $00

; Frame: a double line, colour 2 outside, colour 1 inside.
.macro frame_tile r0, r1, r2, r3, r4, r5, r6, r7
    blank_plane
    plane r0, r1, r2, r3, r4, r5, r6, r7
.endmacro
tile TILE_FRAME
    frame_tile $00, $00, $00, $1F, $10, $17, $14, $14
    frame_tile $00, $00, $00, $FF, $00, $FF, $00, $00
    frame_tile $00, $00, $00, $F8, $08, $E8, $28, $28
    frame_tile $14, $14, $14, $14, $14, $14, $14, $14
    frame_tile $00, $00, $00, $00, $00, $00, $00, $00
    frame_tile $28, $28, $28, $28, $28, $28, $28, $28
    frame_tile $14, $14, $17, $10, $1F, $00, $00, $00
    frame_tile $00, $00, $FF, $00, $FF, $00, $00, $00
    frame_tile $28, $28, $E8, $08, $F8, $00, $00, $00

; Grid of a test card: one line every 16 pixels, colour 1.
tile TILE_GRID
    plane $FF, $80, $80, $80, $80, $80, $80, $80
    blank_plane
    plane $80, $80, $80, $80, $80, $80, $80, $80
    blank_plane
    plane $FF, $00, $00, $00, $00, $00, $00, $00
    blank_plane

; Curtain: bars in colours 1, 2, 3.
tile TILE_CURTAIN
    plane $FF, $FF, $00, $00, $FF, $FF, $00, $00
    plane $00, $00, $FF, $FF, $FF, $FF, $00, $00

; Blocks: one colour and one pattern each, so that they differ without colour too.
tile $7B
    plane $FE, $FE, $C6, $C6, $C6, $FE, $FE, $00
    blank_plane
    blank_plane
    plane $FE, $EE, $EE, $82, $EE, $EE, $FE, $00
    plane $FE, $BE, $DE, $EE, $F6, $FA, $FE, $00
    plane $FE, $BE, $DE, $EE, $F6, $FA, $FE, $00

tile TILE_OPAQUE
OPAQUE .set 1
.include "font.inc"

; $EF stays blank.
