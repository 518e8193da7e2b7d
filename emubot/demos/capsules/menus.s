; The screens around a game: title, menu, game over; and what a change of screen does. Only pad 1 is looked at, and only
; what is newly pressed, so that START has to be let go between screens.

state_title:
    lda pad_new
    and #BTN_START
    beq menu_done
to_menu:
    jsr sound_choice
    jsr clear_game
    lda #GAME_MENU
    jmp show_screen

state_over:
    jsr present
    lda pad_new
    and #BTN_START
    bne to_menu
menu_done:
    rts

; One button a frame counts: the first of this order.
state_menu:
    lda pad_new
    and #BTN_START
    bne @start
    lda pad_new
    and #BTN_SELECT
    bne @mode
    lda pad_new
    and #BTN_UP
    bne @up
    lda pad_new
    and #BTN_DOWN
    bne @down
    lda pad_new
    lsr
    bcs @right
    lsr
    bcc @show
    lda pace                      ; left
    beq @show
    dec pace
    jmp @chosen
@right:
    lda pace
    cmp #TOP_PACE
    bcs @show
    inc pace
    bne @chosen                   ; always
@up:
    lda start_stage
    cmp #TOP_STAGE
    bcs @show
    inc start_stage
    bne @chosen                   ; always
@down:
    lda start_stage
    beq @show
    dec start_stage
    jmp @chosen
@mode:
    lda mode
    eor #MODE_VERSUS
    sta mode
@chosen:
    jsr sound_choice
@show:
    jmp draw_options
@start:
    jsr new_game
    jsr sound_choice
    lda #GAME_PLAY

; The screen of game state A: the next frame blanks the picture, the one after it draws and enters the state.
show_screen:
    sta target
    lda #GAME_DRAWS
    sta game_state
    lda #0
    sta screen_step
    sta QUEUE
    sta rows_ready
    sta hud_step
    jmp hide_sprites

state_draws:
    lda screen_step
    bne @draw
    sta ppu_mask
    inc screen_step
    rts
@draw:
    lda #$1E                      ; background and sprites, also in the left column
    sta ppu_mask
    ldx target
    stx game_state
    jmp draw_screen

; What the menu shows of the options: one value a frame.
draw_options:
    inc hud_step
    lda hud_step
    and #3
    beq @mode
    cmp #2
    bcc @pace
    lda start_stage
    ldx #<STAGE_AT
    ldy #>STAGE_AT
    jmp queue_two_digits
@pace:
    ldx pace
    ldy pace_high,x
    lda pace_low,x
    tax
    jmp queue_string
@mode:
    ldx #<mode_one
    ldy #>mode_one
    lda mode
    beq @queue
    ldx #<mode_two
    ldy #>mode_two
@queue:
.include "../string.inc"
