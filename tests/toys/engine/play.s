; A piece from its entry to its lock, and the rows after it. The order in a frame: turn, shift, fall, lock.

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

lock:
    jsr write_piece
    inc locked
    bne @counted
    inc locked + 1
@counted:
    lda #ENTRY
    sta wait
    lda #LOCKED
    sta state
    rts

state_locked:
    dec wait
    bne @done
    lda #CLEARING
    sta state
@done:
    rts

; In turn: a frame in which the highest full row is found, and one in which it vanishes.
state_clearing:
    lda full_row
    cmp #NO_ROW
    bne @remove
    jsr find_full_row
    cmp #NO_ROW
    beq spawn
    sta full_row
    rts
@remove:
    jsr remove_row
    lda #NO_ROW
    sta full_row
    inc lines
    bne @counted
    inc lines + 1
@counted:
    inc level_lines
    lda level_lines
    cmp #LEVEL_LINES
    bne @done
    lda #0
    sta level_lines
    inc level
@done:
    rts

spawn:
    ldx follow
    stx p_n
    lda spawn_x,x
    sta p_x
    lda spawn_y,x
    sta p_y
    jsr draw_piece
    jsr set_speed
    lda speed
    sta timer
    lda #0
    sta fraction
    lda #LOCK_DELAY
    sta rest
    jsr look_here
    ldy #PLAYING
    jsr fits
    bcc @free
    ldy #OVER
    sty state
    rts
@free:
    ldy #PLAYING
    sty state
    rts

; By level, the last entry for all levels above; or a byte that gets smaller piece by piece.
set_speed:
.if SPEED_EVERY > 0
    lda locked
    and #SPEED_EVERY - 1
    bne @done
    lda locked
    ora locked + 1
    beq @done
    lda speed
    cmp #SPEED_LAST
    beq @done
    dec speed
@done:
.else
    ldx level
    cpx #SPEEDS
    bcc @known
    ldx #SPEEDS - 1
@known:
    lda speed_low,x
    sta speed
    lda speed_high,x
    sta speed + 1
.endif
    rts

; To follow: a piece from the generator.
draw_piece:
    ldx #8
@step:
    jsr step_rng
    dex
    bne @step
    ldx #PIECES
    ldy #0
    lda #0
@add:                             ; (rng * PIECES) / 256
    clc
    adc rng
    bcc @next
    iny
@next:
    dex
    bne @add
    lda piece_first,y
    sta follow
    rts

step_rng:
    lsr rng + 1
    ror rng
    bcc @done
    lda rng + 1
    eor #$B4
    sta rng + 1
@done:
    rts
