; What follows a piece: its lock, the full rows, the next piece with its speed.

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
