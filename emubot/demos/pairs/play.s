; A game: frame order, pause, the players' steps, the end.

; START of a player pauses or goes on; such a frame makes no step.
state_play:
    jsr start_pressed
    bcs @pause
    inc turn
    ldx #0
    jsr step_player
    lda loser
    bne @over
    lda mode
    beq @go_on
    ldx #1
    jsr step_player
    lda loser
    bne @over
@go_on:
    jsr refresh_links
    jsr tune_step
    jmp present
@over:
    lda #GAME_OVER
    sta game_state
    lda #0                        ; no pair is falling any more
    sta pair_x
    sta pair_x + 1
    jsr tune_stop
    jsr sound_over
    jsr announce_result
    jmp present
@pause:
    lda #GAME_PAUSED
    sta game_state
    jsr tune_stop
    jsr announce_pause
    jmp present

.include "../pause.inc"

; One frame of player X.
step_player:
    stx player
    lda cells_low,x
    sta cells
    lda #>CELLS
    sta cells + 1
    lda #0
    sta field
    lda field_high,x
    sta field + 1
    lda play_state,x
    asl
    tay
    lda play_states,y
    sta ptr
    lda play_states + 1,y
    sta ptr + 1
    jmp (ptr)

cells_low:
    .byte $00, $80
field_high:
    .byte >FIELD, >FIELD_2

play_states:
    .word state_idle, state_control, state_settle, state_pop, state_nuisance, state_spawn

state_nuisance:
    dec wait,x
    bne state_idle
    lda #PLAY_SPAWN
    sta play_state,x
    lda #TRUE_SPAWN_DELAY
    sta wait,x
state_idle:
    rts

; --- the next pair comes, or there is no room for it ---
state_spawn:
    dec wait,x
    bne state_idle
    ldy #16 * TRUE_SPAWN_X + TRUE_SPAWN_Y
    lda (cells),y
    beq @room
    lda #PLAY_LOST
    sta play_state,x
    inc wait,x
    inx
    stx loser
    rts
@room:
    lda #PLAY_CONTROL
    sta play_state,x
    lda #1
    sta spawn_flag
    sta spawned,x
    lda nxt_bottom,x
    sta cur_bottom,x
    tay
    lda piece_codes,y
    sta cur_bottom_raw,x
    lda nxt_top,x
    sta cur_top,x
    tay
    lda piece_codes,y
    sta cur_top_raw,x
    lda #TRUE_SPAWN_X
    sta pair_x,x
    lda #TRUE_SPAWN_Y
    sta pair_y,x
    lda #0
    sta repeat,x
    lda #TRUE_SPAWN_DIRECTION
    sta direction,x
    lda #TRUE_SPAWN_ORIENTATION
    sta orientation,x
    ldy cur_bottom,x
    cpy #BIG
    bcc @placed
    lda item_direction - BIG,y    ; items stand upright; their lower cells lie side by side, or there is one alone
    sta direction,x
    lda #UPRIGHT
    sta orientation,x
@placed:
    jsr count_pair
    ldy level
    lda gravity,y
    sta drop_timer,x
    jmp deal

UPRIGHT = (2 + TRUE_ORIENTATION_ORIGIN) & 3
item_direction:                   ; big, carbuncle
    .byte 1, 4

; One more pair of player X; in an endless game the level rises every 40 pairs.
count_pair:
    ldy times_three,x
    lda pairs,y
    clc
    adc #1
    sta pairs,y
    bne @level
    lda pairs + 1,y
    adc #0
    sta pairs + 1,y
    bne @level
    lda pairs + 2,y
    adc #0
    sta pairs + 2,y
@level:
    lda mode
    bne @done
    inc level_count
    lda level_count
    cmp #PAIRS_A_LEVEL
    bcc @done
    lda #0
    sta level_count
    lda level
    cmp #TOP_LEVEL
    bcs @done
    inc level
@done:
    rts

PAIRS_A_LEVEL = 40
TOP_LEVEL     = 15

times_three:
    .byte 0, 3

gravity:                          ; frames a row, by level
    .repeat TOP_LEVEL + 1, speed
    .byte .ident(.sprintf("TRUE_GRAVITY_%d", speed))
    .endrepeat
