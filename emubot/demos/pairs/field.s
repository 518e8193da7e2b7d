; The public playfield: what CELLS holds, in this build's codes. Each cell has a byte for its kind and one for its looks.

.if TRUE_KIND_BYTE = 0
KIND_AT  = 0
LOOKS_AT = 1
.else
KIND_AT  = 1
LOOKS_AT = 0
.endif

; Kind A into cell Y of the player in hand, there and in the playfield; no links yet. Changes X and Y.
put_cell:
    sta (cells),y
    tax
    lda kind_codes,x
    ldx public,y
    jmp put_code

; A popping cell Y becomes the popping code of this moment. Keeps Y, changes X.
show_cell:
    sty t0
    lda pop_code
    ldx public,y
    jsr put_code
    ldy t0
    rts

; Code A at the public offset X; the row is to be drawn anew. Changes Y.
put_code:
    stx t1
    ldy t1
.if KIND_AT = 1
    iny
.endif
    sta (field),y
.if KIND_AT = 1
    dey
.else
    iny
.endif
    lda #0
    sta (field),y
    lda t1
    lsr
    lsr
    lsr
    lsr
    ldx player
    ora row_base,x
    tay
    lda #1
    sta changed,y
    rts

row_base:
    .byte 0, 16

; Both players' playfields, without a cell.
clear_fields:
    ldx #127
@cell:
    lda #WALL
    ldy public,x
    beq @walled
    lda #EMPTY
@walled:
    sta CELLS,x
    sta CELLS + 128,x
    dex
    bpl @cell
    ldy #16 * ROWS - 1
@byte:
    tya
    and #$0F
    tax
    lda empty_row,x
    sta FIELD,y
    sta FIELD_2,y
    dey
    cpy #<-1
    bne @byte
    rts

empty_row:
    .byte $00, $08
    .repeat 6
    .if KIND_AT = 0
    .byte TRUE_CODE_EMPTY, 0
    .else
    .byte 0, TRUE_CODE_EMPTY
    .endif
    .endrepeat
    .byte $00, $08

; Link and animation bits, one row of each player a frame: what a cell is linked to (1 up, 2 right, 4 down, 8 left), and
; bits that change for themselves.
refresh_links:
    ldx link_row
    inx
    cpx #ROWS
    bcc @row
    ldx #0
@row:
    stx link_row
    ldx #0
    jsr refresh_row
    lda mode
    beq @done
    ldx #1
    jsr refresh_row
@done:
    rts

refresh_row:
    lda cells_low,x
    sta cells
    lda field_high,x
    sta field + 1
    lda #16
    ora link_row
    sta cell_x
@cell:
    ldy cell_x
    lda (cells),y
    beq @next                     ; an empty cell has no looks
    bmi @next                     ; nor has one that pops
    sta t2
    ldx #0
    stx t3                        ; links
    cmp #NUISANCE
    bcs @linked
    lda link_row
    beq @linked
    cmp #1
    beq @right                    ; the hidden row does not link
    dey
    lda t2
    cmp (cells),y
    bne @not_up
    lda #1
    sta t3
@not_up:
    iny
@right:
    iny
    lda t2
    cmp (cells),y
    bne @not_down
    lda t3
    ora #4
    sta t3
@not_down:
    tya
    clc
    adc #15
    tay
    lda t2
    cmp (cells),y
    bne @not_right
    lda t3
    ora #2
    sta t3
@not_right:
    tya
    sec
    sbc #32
    tay
    lda t2
    cmp (cells),y
    bne @linked
    lda t3
    ora #8
    sta t3
@linked:
    ldy cell_x
    lda public,y
    tay
    ldx t2
    lda turn                      ; animation: bits 4 and 5
    lsr
    adc cell_x
    and #$30
    ora t3
.if KIND_AT = 1
    sta (field),y
    iny
.else
    iny
    sta (field),y
    dey
.endif
.if TRUE_CODE_LAYOUT > 0
    lda t3
    .repeat TRUE_LINK_SHIFT
    asl
    .endrepeat
    ora kind_codes,x
    sta (field),y
.endif
@next:
    lda cell_x
    clc
    adc #16
    sta cell_x
    cmp #16 * 7
    bcc @cell
    rts

kind_codes:
    .byte TRUE_CODE_EMPTY
    .repeat 6, colour
    .byte .ident(.sprintf("TRUE_CODE_%d", colour + 1))
    .endrepeat
    .byte TRUE_CODE_NUISANCE

public:                           ; offset in the playfield of the cell at 16 * x + y; 0 for walls
    .repeat 8, column
    .repeat 16, row
    .if column > 0 && column < 7 && row < ROWS
    .byte 16 * row + 2 * column
    .else
    .byte 0
    .endif
    .endrepeat
    .endrepeat
