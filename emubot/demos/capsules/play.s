; A game: frame order, pause, the players' steps, the end.

; START of a player pauses or goes on; such a frame makes no step.
state_play:
    jsr start_pressed
    bcs @pause
    ldx #0
    jsr step_player
    lda game_state
    cmp #GAME_PLAY
    bne @ended
    lda mode
    beq @go_on
    ldx #1
    jsr step_player
    lda game_state
    cmp #GAME_PLAY
    bne @ended
@go_on:
    jsr tune_step
    jmp present
@ended:
    jsr tune_stop
    jsr announce_result
    jmp present
@pause:
    lda #GAME_PAUSED
    sta game_state
    jsr tune_stop
    jsr announce_pause
    jmp present

state_paused:
    jsr start_pressed
    bcc @stay
    lda #GAME_PLAY
    sta game_state
    jsr take_words_away
@stay:
    jmp present

; Carry set if a player's START is newly pressed.
start_pressed:
    lda mode
    beq @one
    lda pad_new + 1
@one:
    ora pad_new
    and #BTN_START
    cmp #1
    rts

; One frame of player X.
step_player:
    stx player
    lda cells_base,x
    sta base
    lda play_state,x
    cmp #PLAY_CONTROL
    beq @now
    cmp #PLAY_PLANT
    beq @now
    dec wait,x
    bne @done
@now:
    asl
    tay
    lda play_states,y
    sta ptr
    lda play_states + 1,y
    sta ptr + 1
    jmp (ptr)
@done:
    rts

play_states:                      ; the last frame of their waits; CONTROL and PLANT: each frame
    .word 0, state_control, state_settle, state_vanish, state_fall, state_spawn, state_plant

; --- the next piece comes, or there is no room for it ---
state_spawn:
    ldy base
    lda CELLS + ENTRY,y
    ora CELLS + ENTRY + 1,y
    beq @room
    lda #PLAY_LOST
    sta play_state,x
    inc wait,x
    inx
    stx loser
    lda #GAME_OVER
    sta game_state
    jmp sound_over
@room:
    lda #PLAY_CONTROL
    sta play_state,x
    lda #1
    sta spawned,x
    lda next_1,x
    sta current_1,x
    lda next_2,x
    sta current_2,x
    lda #ENTRY
    sta pair_x,x
    lda #0
    sta pair_y,x
    sta direction,x
    sta repeat,x
    ldy twice,x
    lda pieces,y
    clc
    adc #1
    sta pieces,y
    bne @counted
    lda pieces + 1,y
    adc #0
    sta pieces + 1,y
@counted:
    inc tens,x                    ; ten pieces at each speed
    lda tens,x
    cmp #11
    bcc @fall
    lda #1
    sta tens,x
    lda speed_ups,x
    cmp #MOST_SPEED_UPS
    bcs @fall
    inc speed_ups,x
@fall:
    jsr row_time
    jmp deal

; The drop timer of player X begins anew. Keeps X.
row_time:
    ldy pace
    lda pace_starts,y
    clc
    adc speed_ups,x
    tay
    lda gravity,y
    sta drop_timer,x
    rts

pace_starts:
    .byte 15, 25, 31
gravity:                          ; frames a row
    .repeat 26, i
    .byte 70 - 2 * i
    .endrepeat
    .byte 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 10, 9, 9, 8, 8, 7, 7
    .res 12, 6
    .res 5, 5
    .res 5, 4
    .res 5, 3
    .res 10, 2
    .byte 1
