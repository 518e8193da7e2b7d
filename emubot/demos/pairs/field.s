; The public playfield: what CELLS holds, in this build's codes. Each cell has a byte for its kind and one for its looks.

.if TRUE_KIND_BYTE = 0
KIND_AT  = 0
LOOKS_AT = 1
.else
KIND_AT  = 1
LOOKS_AT = 0
.endif

; Kind A into cell Y of the player in hand, there and in the playfield, without links. The row is to be drawn anew.
; Changes X and Y.
put_cell:
    sty t1
    jsr write_cell
    lda t1
    and #$0F
    ldx player
    ora row_base,x
    tay
    lda #1
    sta changed,y
    rts

; The same without drawing.
write_cell:
    sta (cells),y
    tax
    lda kind_codes,x
    ldx public,y
    stx t0
    ldy t0
.if KIND_AT = 1
    iny
.endif
    sta (field),y
    lda #0
.if KIND_AT = 1
    dey
.else
    iny
.endif
    sta (field),y
    rts

; A popping cell Y becomes the popping code of this moment, and its row is to be drawn anew. Keeps Y, changes X.
show_cell:
    sty t0
    lda public,y
    tay
.if KIND_AT = 0
    iny
.endif
    lda #0
    sta (field),y
.if KIND_AT = 0
    dey
.else
    iny
.endif
    lda pop_code
    sta (field),y
    lda t0
    and #$0F
    ldx player
    ora row_base,x
    tax
    lda #1
    sta changed,x
    ldy t0
    rts

; All rows of the player in hand are to be drawn anew.
draw_all_rows:
    ldx player
    ldy row_base,x
    ldx #ROWS
    lda #1
@row:
    sta changed,y
    iny
    dex
    bne @row
    rts

row_base:
    .byte 0, 16

; Both players' playfields, without a cell; and the walls of GROUPS.
clear_fields:
    ldx #127
@cell:
    lda #WALL
    sta GROUPS,x
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

; Link and animation bits, one row a frame, the players in turn: what a cell is linked to (1 up, 2 right, 4 down,
; 8 left), and bits that change for themselves.
refresh_links:
    ldx #0
    lda mode
    beq @player
    lda turn
    lsr
    bcs @same_row
    inx
@player:
    dec link_row
    bpl @same_row
    lda #ROWS - 1
    sta link_row
@same_row:
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
