; A piece in the air. The order in a frame: turn, shift, fall, lock.

state_playing:
    lda #0
    sta moved
    ldx #0
    lda pad_new
    asl                           ; A
    bcs @turn
    asl                           ; B
    bcc @shift
    ldx #SHAPES
@turn:
    jsr turn
@shift:
    lda pad_new
    and #BTN_LEFT
    beq @right
    lda #$FF
    jsr shift
@right:
    lda pad_new
    and #BTN_RIGHT
    beq @fall
    lda #1
    jsr shift
@fall:
    lda p_y
    sta top
    jsr rows_due
@row:
    lda due
    beq @fallen
    jsr look_below
    bcs @blocked
    inc p_y
    dec due
    jmp @row
@blocked:
.if LOCK_DELAY = 0
    jmp lock
.endif
@fallen:
.if LOCK_DELAY > 0
    lda p_y
    cmp top
    bne @restore
    .if MOVES_RESTORE
    lda moved
    bne @restore
    .endif
    beq @at_rest
@restore:
    lda #LOCK_DELAY
    sta rest
@at_rest:
    jsr look_below
    bcc @done
    dec rest
    bne @done
    jmp lock
.endif
@done:
    rts

; To due: the rows that fall in this frame. Soft drop counts while no direction is held.
.if VELOCITY
rows_due:
    lda speed
    sta ptr
    lda speed + 1
    sta ptr + 1
    lda pad_held
    and #BTN_DOWN | BTN_LEFT | BTN_RIGHT
    cmp #BTN_DOWN
    bne @add
    lda ptr
    cmp #<SOFT_DROP
    lda ptr + 1
    sbc #>SOFT_DROP
    bcs @add                      ; faster by itself
    lda #<SOFT_DROP
    sta ptr
    lda #>SOFT_DROP
    sta ptr + 1
@add:
    lda fraction
    clc
    adc ptr
    sta fraction
    lda ptr + 1
    adc #0
    sta due
    rts
.else
rows_due:
    lda pad_held
    and #BTN_DOWN | BTN_LEFT | BTN_RIGHT
    cmp #BTN_DOWN
    bne @tick
    lda #SOFT_DROP
    cmp timer
    bcs @tick
    sta timer
@tick:
    lda #0
    sta due
    dec timer
    bne @done
    lda speed
    sta timer
    inc due
@done:
    rts
.endif

look_here:                        ; try_ ... := where the piece is
    lda p_n
    sta try_n
    lda p_x
    sta try_x
    lda p_y
    sta try_y
    rts

look_below:                       ; carry: something is there
    jsr look_here
    inc try_y
    jmp fits

; By A columns, if the piece fits there.
shift:
    pha
    jsr look_here
    pla
    clc
    adc try_x
    sta try_x
    jsr fits
    bcs @done
    lda try_x
    sta p_x
    inc moved
@done:
    rts

; To the first attempt of this turn that fits. X: 0 clockwise, SHAPES counterclockwise.
turn:
    txa
    clc
    adc p_n
    tax
    lda turn_to,x
    cmp p_n
    beq @done
    sta try_n
    lda kick_first,x
    sta kick
    lda #KICKS
    sta tries
@attempt:
    ldy kick
    lda p_x
    clc
    adc kick_x,y
    sta try_x
    lda p_y
    clc
    adc kick_y,y
    sta try_y
    jsr fits
    bcc @turned
    inc kick
    dec tries
    bne @attempt
@done:
    rts
@turned:
    lda try_n
    sta p_n
    lda try_x
    sta p_x
    lda try_y
    sta p_y
    inc moved
    rts
