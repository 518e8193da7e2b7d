; A piece under control: turn, shift, fall, in this order; what is free for it; its lock.

state_control:
    jsr turn
    jsr shift
    jmp fall

; On edges only; A clockwise, before B. A piece that cannot lie flat in its place tries one column to the left.
turn:
    lda pad_new,x
    asl
    bcs @clockwise
    bpl @done
    lda #<-1
    bne @try                      ; always
@clockwise:
    lda #1
@try:
    clc
    adc direction,x
    and #3
    sta try_dir
    lda pair_x,x
    sta try_x
    lda pair_y,x
    sta try_y
    jsr fits
    bcc @turn
    lda try_dir
    lsr
    bcs @done
    dec try_x
    jsr fits
    bcs @done
@turn:
    lda try_x
    sta pair_x,x
    lda try_dir
    sta direction,x
    jmp sound_turn
@done:
    rts

; A press shifts at once and starts the counter; a held direction shifts when the counter reaches 16, then every 6
; frames.
shift:
    lda direction,x
    sta try_dir
    lda pair_y,x
    sta try_y
    ldy #0
    lda pad_new,x
    and #BTN_LEFT
    bne @left
    lda pad_new,x
    and #BTN_RIGHT
    bne @right
    lda pad_held,x
    and #BTN_LEFT + BTN_RIGHT
    beq @done
    inc repeat,x
    ldy repeat,x
    cpy #16
    bne @done
    ldy #10
    and #BTN_LEFT
    beq @right
@left:
    lda #<-1
    bne @try                      ; always
@right:
    lda #1
@try:
    sty repeat,x
    clc
    adc pair_x,x
    sta try_x
    jsr fits
    bcs @done
    lda try_x
    sta pair_x,x
@done:
    rts

; DOWN without a direction cuts what is left of the row's time.
fall:
    lda pad_held,x
    and #BTN_DOWN + BTN_LEFT + BTN_RIGHT
    cmp #BTN_DOWN
    bne @time
    lda drop_timer,x
    cmp #SOFT_DROP
    bcc @time
    lda #SOFT_DROP
    sta drop_timer,x
@time:
    dec drop_timer,x
    bne fall_done
    lda direction,x
    sta try_dir
    lda pair_x,x
    sta try_x
    ldy pair_y,x
    iny
    sty try_y
    jsr fits
    bcs lock
    inc pair_y,x
    jmp row_time
fall_done:
    rts

; The halves become cells; the upper one is lost if it is above the field, and the lower one is then single.
lock:
    jsr halves
    lda pair_y,x
    asl
    asl
    asl
    ora pair_x,x
    ora base
    tay
    lda direction,x
    lsr
    bcs @upright
    lda t3
    sta CELLS + 1,y
    bcc @pivot                    ; always
@upright:
    clc
    lda pair_y,x
    bne @upper
    lda t2
    and #COLOUR
    sta t2
    bne @pivot                    ; always
@upper:
    lda t3
    sta CELLS - 8,y
    tya
    sbc #7                        ; carry is clear: 8
    tay
    jsr draw_row
    tya
    clc
    adc #8
    tay
@pivot:
    lda t2
    sta CELLS,y
    jsr draw_row
    lda #PLAY_SETTLE
    sta play_state,x
    lda #SETTLE
    sta wait,x
    jmp sound_lock

; t2: the half at the pivot, t3: the other one, as cells of the piece of player X. Keeps X.
halves:
    lda current_1,x
    sta t2
    lda current_2,x
    sta t3
    lda direction,x               ; half 2 is at the pivot of 1 and 2
    beq @flat
    cmp #3
    beq @upright
    ldy t2
    lda t3
    sta t2
    sty t3
    lda direction,x
    lsr
    bcc @flat
@upright:
    lda t2
    ora #LINK_UP
    sta t2
    lda t3
    ora #LINK_DOWN
    sta t3
    rts
@flat:
    lda t2
    ora #LINK_RIGHT
    sta t2
    lda t3
    ora #LINK_LEFT
    sta t3
    rts

; Carry clear if the pivot at try_x, try_y and the other half by try_dir are free; above the field everything is. Keeps X.
fits:
    lda try_x
    cmp #COLUMNS
    bcs @done
    lda try_y
    cmp #ROWS
    bcs @done
    asl
    asl
    asl
    ora try_x
    ora base
    tay
    lda CELLS,y
    cmp #1
    bcs @done
    lda try_dir
    lsr
    bcs @upright
    lda try_x
    cmp #COLUMNS - 1
    bcs @done
    lda CELLS + 1,y
    cmp #1
@done:
    rts
@upright:
    lda try_y
    clc
    beq @done
    lda CELLS - 8,y
    cmp #1
    rts

; The row of cell Y is to be drawn anew. Keeps X and Y.
draw_row:
    sty t0
    tya
    lsr
    lsr
    lsr
    tay
    lda #1
    sta changed,y
    ldy t0
    rts
