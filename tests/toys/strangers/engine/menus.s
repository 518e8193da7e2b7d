; The screens before a game: the title, and up to two more. Each waits for buttons of its own.

; Frames pass until all these buttons are down, and one of them was not before.
.macro wait_for buttons
    .local @again
@again:
    jsr frame
    lda pad_new
    and #buttons
    beq @again
    lda pad_held
    and #buttons
    cmp #buttons
    bne @again
.endmacro

; By one up or down, from 0 to `most`, when a button is pressed.
.macro choose_number at, most, less, more
    .local @lower, @done
    lda pad_new
    and #more
    beq @lower
    lda at
    cmp #most
    beq @lower
    inc at
@lower:
    lda pad_new
    and #less
    beq @done
    lda at
    beq @done
    dec at
@done:
.endmacro

; A further screen. With a cursor, its first entry leads to options and back, the others to the game.
.macro screen kind, value, buttons, words
    .local @again, @options, @done
.if kind <> NO_SCREEN
@again:
    set_state value
    lda #words
    jsr text
    .if kind = SCREEN_BUTTON
    wait_for buttons
    .else
@options:
    jsr frame
        .if kind = SCREEN_LEVEL
    choose_number start_level, MOST_START_LEVEL, BTN_LESS, BTN_MORE
        .else
    choose_number cursor, CURSOR_MOST, BTN_LESS, BTN_MORE
        .endif
    lda pad_new
    and #buttons
    beq @options
        .if kind = SCREEN_CURSOR
    lda cursor
    bne @done
    set_state STATE_OPTIONS
    lda #TEXT_OPTIONS
    jsr text
    wait_for OPTIONS_BUTTONS
    jmp @again
        .endif
    .endif
@done:
.endif
.endmacro

title:
    ldx #$FF
    txs
    set_state STATE_TITLE
    lda #0
    sta cursor
.if LEGAL_WAIT
    lda #TEXT_LEGAL
    jsr text
    lda #LEGAL_WAIT + LEGAL_REST  ; the countdown alone says which of two screens it is
    sta countdown
@legal:
    jsr frame
    dec countdown
    lda countdown
    cmp #LEGAL_REST
    bne @legal
.endif
    lda #TEXT_TITLE
    jsr text
.if DEMO_WAIT
    lda #<DEMO_WAIT
    sta demo_left
    lda #>DEMO_WAIT
    sta demo_left + 1
.endif
@title:
    jsr frame
.if LEGAL_WAIT
    lda countdown
    beq @counted
    dec countdown
@counted:
.endif
.if DEMO_WAIT
    lda demo_left
    bne @low
    dec demo_left + 1
@low:
    dec demo_left
    lda demo_left
    ora demo_left + 1
    bne @none
    jmp start_demo
@none:
.endif
.if RNG_TITLE
    jsr stir
.endif
    lda pad_new
    and #TITLE_BUTTONS
    beq @title
    lda pad_held
    and #TITLE_BUTTONS
    cmp #TITLE_BUTTONS
    bne @title

    screen SCREEN_1_KIND, STATE_SCREEN_1, SCREEN_1_BUTTONS, TEXT_SCREEN_1
    screen SCREEN_2_KIND, STATE_SCREEN_2, SCREEN_2_BUTTONS, TEXT_SCREEN_2
    lda #TEXT_PLAY
    jsr text
    jmp start

.if DEMO_WAIT
start_demo:
    lda #1
    sta demo
    sta script_left
    lda #0
    sta script_at
    sta start_level
    lda #TEXT_DEMO
    jsr text
    jmp start

leave_demo:
    lda #0
    sta demo
    sta pad_now
    lda pad_real
    sta pad_held
    jmp title

; In the demo pad_now comes from a script, and any button leads back to the title.
demo_pads:
    lda demo
    beq @real
    lda pad_real
    eor #$FF
    and pad_now
    tax
    lda pad_now
    sta pad_real
    txa
    bne leave_demo
    dec script_left
    bne @known
    lda #SCRIPT_PACE
    sta script_left
    inc script_at
@known:
    ldx #0
    lda script_left
    cmp #SCRIPT_PACE - 2
    bcc @pad
    lda script_at
    and #SCRIPT_SIZE - 1
    tay
    ldx script,y
@pad:
    stx pad_now
    rts
@real:
    lda pad_now
    sta pad_real
    rts
.endif
