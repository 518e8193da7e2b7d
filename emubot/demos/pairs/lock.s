; A lock: both halves drop to the top of their columns; items act.

; Carry on from state_control with X = player. The pair's place stays readable until the next one comes.
lock:
    lda #PLAY_SETTLE
    sta play_state,x
    lda #0
    sta searched,x
    sta fallen
    jsr sound_lock
    lda cur_bottom,x
    cmp #BIG
    bcc @pair
    bne @carbuncle
    jmp lock_big
@carbuncle:
    jmp lock_carbuncle
@pair:
    lda direction,x               ; the lower half first
    cmp #2
    beq @second_first
    jsr @pivot
    jsr @second
    jmp settle_wait
@second_first:
    jsr @second
    jsr @pivot
    jmp settle_wait
@pivot:
    ldx player
    lda pair_x,x
    sta cell_x
    lda pair_y,x
    sta cell_y
    lda cur_pivot,x
    jmp land
@second:
    ldx player
    ldy direction,x
    lda pair_x,x
    clc
    adc second_dx,y
    sta cell_x
    lda pair_y,x
    clc
    adc second_dy,y
    sta cell_y
    lda cur_second,x

; Kind A falls from cell_x, cell_y to the top of its column; above the stored rows it vanishes.
land:
    sta amount
    lda cell_x
    jsr column_top                ; Y: the cell; carry set if the column is full
    lda #<-1
    bcs @distance
    tya
    and #$0F
@distance:
    php
    sec
    sbc cell_y
    bmi @put
    cmp fallen
    bcc @put
    sta fallen
@put:
    plp
    bcs @done
    lda amount
    jsr put_cell
@done:
    rts

; Y: offset of the lowest empty cell of column A; carry set if there is none. Keeps X.
column_top:
    asl
    asl
    asl
    asl
    ora #FLOOR
    tay
@look:
    lda (cells),y
    beq @found
    dey
    tya
    and #$0F
    cmp #$0F
    bne @look
    rts                           ; carry is set
@found:
    clc
    rts

; SETTLE's wait from the most rows that something fell.
settle_wait:
    ldx player
    lda #TRUE_SETTLE
    ldy fallen
    beq @set
@row:
    clc
    adc #TRUE_PER_ROW
    dey
    bne @row
@set:
    sta wait,x
    rts

; A big one clears its two columns and is gone.
lock_big:
    lda pair_x,x
    jsr @column
    ldx player
    lda pair_x,x
    clc
    adc #1
    jsr @column
    jmp settle_wait
@column:
    asl
    asl
    asl
    asl
    ora #FLOOR
    sta cell_x
@cell:
    ldy cell_x
    lda (cells),y
    beq @done                     ; nothing is above a gap
    lda #EMPTY
    jsr put_cell
    dec cell_x
    lda cell_x
    and #$0F
    cmp #$0F
    bne @cell
@done:
    rts

; A carbuncle gives the coloured cells at its sides the colour of the one below it, and is gone.
lock_carbuncle:
    lda pair_x,x
    jsr column_top
    bcs @done
    tya
    and #$0F
    cmp #FLOOR
    beq @done
    iny
    lda (cells),y
    cmp #NUISANCE
    beq @done
    sta amount
    dey
    tya
    clc
    adc #16
    jsr @side
    lda cell_y
    sec
    sbc #32
    jsr @side
@done:
    jmp settle_wait
@side:
    sta cell_y
    tay
    lda (cells),y
    beq @left_alone
    cmp #NUISANCE
    bcs @left_alone
    lda amount
    jsr put_cell
@left_alone:
    rts
