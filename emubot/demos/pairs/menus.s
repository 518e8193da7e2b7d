; The screens around a game: title, menu, game over; and what a change of screen does. Only pad 1 is looked at, and only
; what is newly pressed, so that START has to be let go between screens.

state_title:
    inc hud_step
    lda hud_step
    and #$1F
    bne @wait
    lda hud_step                  ; every 32 frames "PRESS START" comes or goes
    asl
    asl
    asl
    ldx #<press_start_off
    ldy #>press_start_off
    bcs @queue
    ldx #<press_start_on
    ldy #>press_start_on
@queue:
    jsr queue_string
@wait:
    lda pad_new
    and #BTN_START
    beq @done
    jsr sound_choice
    lda #GAME_MENU
    jmp show_screen
@done:
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
    bcs @left
    lda pad_new
    and #BTN_A + BTN_B
    bne @items
    beq @show
@up:
    lda colours
    cmp #6
    bcs @show
    inc colours
    bne @chosen
@down:
    lda colours
    cmp #5
    bcc @show
    dec colours
    bne @chosen
@right:
    lda start_level
    cmp #15
    bcs @show
    inc start_level
    bne @chosen
@left:
    lda start_level
    beq @show
    dec start_level
    jmp @chosen
@mode:
    lda mode
    eor #MODE_VERSUS
    sta mode
    jmp @chosen
@items:
    lda items
    eor #1
    sta items
@chosen:
    jsr sound_choice
@show:
    lda start_level
    sta level
    jmp draw_options
@start:
    jsr new_game
    jsr sound_choice
    lda #GAME_PLAY
    jmp show_screen

state_over:
    jsr present
    lda pad_new
    and #BTN_START
    beq @done
    jsr clear_game
    lda #GAME_MENU
    jmp show_screen
@done:
    rts

.include "../change.inc"
    cpx #GAME_MENU
    bne @enter
    lda start_level
    sta level
@enter:
    jmp draw_screen

; --- a game begins: everything is set up in the frame in which START came ---
new_game:
    jsr clear_game
    lda start_level
    sta level
    jsr tune_start
    ldx #0
    jsr @enters
    lda mode
    beq @done
    ldx #1
@enters:
    stx player
    lda #PLAY_SPAWN
    sta play_state,x
    lda #TRUE_SPAWN_DELAY
    sta wait,x
    jsr draw_all_rows
    lda player
    asl
    tax
    jsr seed_generator            ; equal seeds: both players get the same pairs
    ldx #nuisance_gen - generator
    jsr seed_generator
    jmp deal                      ; the first pair to come
@done:
    rts

; The generator at generator + X starts from the frame counter; 0 would stay 0, and is replaced.
seed_generator:
    lda frame_counter + 1
    sta generator + 1,x
    ora frame_counter
    beq @one
    lda frame_counter
    .byte $2C                     ; BIT absolute: skips the next instruction
@one:
    lda #1
    sta generator,x
    rts

; No game: empty playfields, and nothing of the game before it.
clear_game:
    jsr clear_fields
    ldx #game_counter - pending - 1
    lda #0
@zero:                            ; all between them belong to one game
    sta pending,x
    dex
    bpl @zero
    ldx #1
@player:
    sta play_state,x
    sta pair_x,x
    sta pair_y,x
    sta orientation,x
    sta cur_bottom_raw,x
    sta cur_top_raw,x
    sta next_raw,x
    sta next_raw + 2,x
    sta drop_timer,x
    sta blocks_lo,x
    sta blocks_hi,x
    dex
    bpl @player
    sta loser
    sta item_count
    sta item_turn
    sta level_count
    sta messages_due
    ldx #5
@score:
    sta score,x
    dex
    bpl @score
    ldx #31
@rows:
    sta changed,x
    dex
    bpl @rows
    sta level
    lda #1
    sta wait
    sta wait + 1
    rts
