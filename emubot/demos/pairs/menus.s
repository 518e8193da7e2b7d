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
    lda #0
    sta play_state
    sta play_state + 1
    lda #1
    sta wait
    sta wait + 1
    lda #GAME_MENU
    jmp show_screen
@done:
    rts

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

; --- the game begins: everything is set up in the frame in which START came ---
new_game:
    jsr clear_fields
    ldx #0
    txa
@zero:                            ; all of these belong to one game
    sta pending,x
    inx
    cpx #game_counter - pending
    bne @zero
    ldx #1
@player:
    lda #0
    sta play_state,x
    sta pair_x,x
    sta pair_y,x
    sta orientation,x
    sta cur_bottom_raw,x
    sta cur_top_raw,x
    sta drop_timer,x
    sta blocks_lo,x
    sta blocks_hi,x
    sta sprite_x,x
    sta sprite_y,x
    lda #1
    sta wait,x
    dex
    bpl @player
    lda #0
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
    lda start_level
    sta level
    lda frame_counter             ; the generators: all alike, so that both players get the same pairs
    ora frame_counter + 1
    cmp #1                        ; carry is clear if the counter is 0
    lda frame_counter
    bcs @seeded
    lda #1
@seeded:
    ldy frame_counter + 1
    ldx #4
@generator:
    sta generator,x
    sty generator + 1,x
    dex
    dex
    bpl @generator
    ldx #31
    lda #0
@rows:
    sta changed,x
    dex
    bpl @rows
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
    jmp deal                      ; the first pair to come
@done:
    rts
