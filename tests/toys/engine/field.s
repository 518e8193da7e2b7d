; The playfield in memory, wherever options.inc puts it: row_low/row_high are its stored rows, COLUMN_STRIDE the step.

; Carry clear: orientation try_n fits at try_x, try_y. Cells above the stored rows are free.
fits:
    ldx try_n
    lda shape_size,x
    sta count
    lda shape_first,x
    tax
@cell:
    lda try_x
    clc
    adc cell_x,x
    cmp #COLUMNS
    bcs @no
    tay
    lda try_y
    clc
    adc cell_y,x
    clc
    adc #HIDDEN
    bmi @next
    cmp #STORED
    bcs @no
    stx keep
    jsr point_at
    ldx keep
    ldy #0
    lda (ptr),y
    cmp #CODE_EMPTY
    bne @no
@next:
    inx
    dec count
    bne @cell
    clc
    rts
@no:
    sec
    rts

; ptr := the cell in stored row A, column Y.
point_at:
    tax
    lda row_low,x
    clc
    adc column_low,y
    sta ptr
    lda row_high,x
    adc column_high,y
    sta ptr + 1
    rts

; The piece's cells into the playfield; what is above the stored rows is lost.
write_piece:
    ldx p_n
    lda shape_code,x
    sta carried
    lda shape_size,x
    sta count
    lda shape_first,x
    tax
@cell:
    lda p_x
    clc
    adc cell_x,x
    tay
    lda p_y
    clc
    adc cell_y,x
    clc
    adc #HIDDEN
    bmi @next
    stx keep
    jsr point_at
    ldy #0
    lda carried
    sta (ptr),y
    ldx keep
@next:
    inx
    dec count
    bne @cell
    rts

clear_field:
    ldx #STORED - 1
@row:
    jsr point_at_row
    ldy #0
@cell:
    lda #CODE_EMPTY
    sta (ptr),y
    jsr next_column
    bne @cell
    dex
    bpl @row
    rts

; ptr := the first cell of stored row X; count := COLUMNS.
point_at_row:
    lda row_low,x
    sta ptr
    lda row_high,x
    sta ptr + 1
    lda #COLUMNS
    sta count
    rts

; Zero: that was the last column.
next_column:
    lda ptr
    clc
    adc #COLUMN_STRIDE
    sta ptr
    bcc @done
    inc ptr + 1
@done:
    dec count
    rts

; A := the highest visible row that is full, as a stored row; NO_ROW: none.
find_full_row:
    ldx #HIDDEN
    ldy #0
@row:
    jsr point_at_row
@cell:
    lda (ptr),y
    cmp #CODE_EMPTY
    beq @gap
    jsr next_column
    bne @cell
    txa
    rts
@gap:
    inx
    cpx #STORED
    bne @row
    lda #NO_ROW
    rts

; Everything above stored row full_row comes down a row, column by column from the top.
remove_row:
    lda #0
    sta at
    ldy #0
@column:
    ldx #0
    txa
    ldy at
    jsr point_at
    ldy full_row
    iny
    sty count
    lda #CODE_EMPTY
    sta carried
    ldy #0
@cell:
    lda (ptr),y
    tax
    lda carried
    sta (ptr),y
    stx carried
    lda ptr
    clc
    adc #<ROW_STRIDE
    sta ptr
    lda ptr + 1
    adc #>ROW_STRIDE
    sta ptr + 1
    dec count
    bne @cell
    inc at
    lda at
    cmp #COLUMNS
    bne @column
    rts
