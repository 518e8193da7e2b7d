; The screens before and after a game. Which of them there are, next_screen says.

state_title:
    lda pad_new
    and #BTN_START
    bne go_on
ignore_state:
    rts

state_pick:
    lda pad_new
    and #BTN_START
    bne go_on
    lda pad_new
    and #BTN_RIGHT
    beq @left
    ldx start_level
    inx
    cpx #PICK_LEVELS
    beq @left
    stx start_level
@left:
    lda pad_new
    and #BTN_LEFT
    beq @done
    lda start_level
    beq @done
    dec start_level
@done:
    rts

state_second:
    lda pad_new + 1
    and #BTN_A
    bne go_on
    rts

state_ready:
    dec wait
    beq go_on
    rts

state_over:
    lda pad_new
    and #BTN_START
    beq @done
    lda #TITLE
    sta state
@done:
    rts

; To the screen after this one.
go_on:
    ldx state
    lda #READY_WAIT
    sta wait
    lda next_screen - 1,x
    sta state
    cmp #PLAYING
    bne @done
    jsr clear_field
    ldx #locked + 1 - level
    lda #0
@counters:                        ; lines, levels and pieces
    sta level,x
    dex
    bpl @counters
    lda start_level
    sta level
    lda #SPEED_FIRST
    sta speed
    jsr draw_piece
    jmp spawn
@done:
    rts
