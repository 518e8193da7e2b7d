; A pair under control: rotation, shift, fall, in this order; and what is free for it.

state_control:
    jsr rotate
    jsr shift
    jmp fall

; On edges only; A clockwise, before B. A second cell that is not free pushes the pair one cell the other way; there is
; no turn by two. Items do not turn.
rotate:
    lda cur_bottom,x
    cmp #BIG
    bcs @done
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
    tay
    lda pair_x,x
    sta try_x
    lda pair_y,x
    sta try_y
    jsr fits
    bcc @turn
    ldy try_dir
    lda try_x
    sec
    sbc second_dx,y
    sta try_x
    lda try_y
    sec
    sbc second_dy,y
    sta try_y
    bmi @done                     ; a kick does not lift the pivot above the stored rows
    jsr fits
    bcs @done
@turn:
    lda try_x
    sta pair_x,x
    lda try_y
    sta pair_y,x
    lda try_dir
    sta direction,x
    clc
    adc #UPRIGHT
    and #3
    sta orientation,x
    jmp sound_turn
@done:
    rts

; A press shifts at once and starts the counter; a held direction shifts when the counter reaches 16, then every 6
; frames.
shift:
    lda pad_new,x
    ldy #0
    and #BTN_LEFT
    bne @press_left
    lda pad_new,x
    and #BTN_RIGHT
    bne @press_right
    lda pad_held,x
    and #BTN_LEFT + BTN_RIGHT
    beq @done
    inc repeat,x
    ldy repeat,x
    cpy #16
    bne @done
    ldy #10
    and #BTN_LEFT
    beq @press_right
@press_left:
    sty repeat,x
    lda pair_x,x
    sec
    sbc #1
    bcs @try                      ; always
@press_right:
    sty repeat,x
    lda pair_x,x
    clc
    adc #1
@try:
    sta try_x
    lda pair_y,x
    sta try_y
    lda direction,x
    sta try_dir
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
    cmp #TRUE_SOFT_DROP
    bcc @time
    lda #TRUE_SOFT_DROP
    sta drop_timer,x
@time:
    dec drop_timer,x
    bne @done
    lda pair_x,x
    sta try_x
    ldy pair_y,x
    iny
    sty try_y
    lda direction,x
    sta try_dir
    jsr fits
    bcs @lock
    lda try_y
    sta pair_y,x
    ldy level
    lda gravity,y
    sta drop_timer,x
@done:
    rts
@lock:
    jmp lock

; Carry clear if the pivot at try_x, try_y and the second cell beside it by try_dir are free. Keeps X.
; Columns hold no gaps, so the upper two cells of a big one are free if the lower two are.
fits:
    lda try_x
    sta cell_x
    lda try_y
    sta cell_y
    jsr cell_free
    bcs cell_done
    ldy try_dir
    lda try_x
    adc second_dx,y               ; carry is clear
    sta cell_x
    lda try_y
    clc
    adc second_dy,y
    sta cell_y

; Carry clear if cell_x, cell_y is free. Above the stored rows everything within the columns is. Keeps X.
cell_free:
    lda cell_x
    beq cell_taken
    cmp #7
    bcs cell_done
    lda cell_y
    cmp #$80
    bcs cell_above
    cmp #ROWS
    bcs cell_done
    lda cell_x
    asl
    asl
    asl
    asl
    ora cell_y
    tay
    lda (cells),y
    cmp #1
cell_done:
    rts
cell_above:
    clc
    rts
cell_taken:
    sec
    rts

second_dx:                        ; by direction: up, right, down, left, none
    .lobytes 0, 1, 0, -1, 0
second_dy:
    .lobytes -1, 0, 1, 0, 0
