; Picture tiles: characters, then the four of the board. Everything is drawn here, there is no art file.

TILE_EMPTY = $30
TILE_WALL  = $31
TILE_BLOCK = $32
TILE_PIECE = $33
TILE_BLANK = $34

.repeat 26, n
.charmap $41 + n, 10 + n
.endrepeat
.repeat 10, n
.charmap $30 + n, n
.endrepeat
.charmap ' ', TILE_BLANK
.charmap '+', $25

.include "tiles.inc"

chr_start:
OPAQUE .set 0
.include "font.inc"

tile TILE_EMPTY                   ; a dot, colour 1
    plane $00, $00, $00, $10, $00, $00, $00, $00
    blank_plane
tile TILE_WALL                    ; colour 1
    plane $EE, $EE, $EE, $00, $BB, $BB, $BB, $00
    blank_plane
tile TILE_BLOCK                   ; colour 2 with a light edge
    plane $FE, $80, $80, $80, $80, $80, $80, $00
    plane $FE, $FE, $FE, $FE, $FE, $FE, $FE, $00
tile TILE_PIECE                   ; colour 3
    plane $FE, $FE, $FE, $FE, $FE, $FE, $FE, $00
    plane $FE, $FE, $FE, $FE, $FE, $FE, $FE, $00
tile TILE_BLANK
    blank_plane
    blank_plane
