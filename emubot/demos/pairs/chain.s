; A chain: popping, falling, points; and its end: all clear, the attack, the nuisance that comes.

; --- the groups begin to pop: their points are known now and come when they are gone ---
start_pop:
    lda #PLAY_POP
    sta play_state,x
    lda #TRUE_POP
    sta wait,x
    inc chain,x
    lda chain,x
    cmp best_chain,x
    bcc @power
    sta best_chain,x
@power:
    cmp #CHAIN_STEPS
    bcc @step
    lda #CHAIN_STEPS
@step:
    tay
    lda bonus,x                   ; multiplier = chain power + bonus, 1 to 999
    clc
    adc chain_power_lo - 1,y
    sta t0
    lda chain_power_hi - 1,y
    adc #0
    sta t1
    ora t0
    bne @least
    inc t0
@least:
    lda #<999
    cmp t0
    lda #>999
    sbc t1
    bcs @multiply
    lda #<999
    sta t0
    lda #>999
    sta t1
@multiply:                        ; t4:t3:t2 = popped * multiplier
    lda popped,x
    sta t5
    lda #0
    sta t2
    sta t3
    sta t4
    ldy #8
@bit:
    asl t2
    rol t3
    rol t4
    asl t5
    bcc @shifted
    lda t2
    clc
    adc t0
    sta t2
    lda t3
    adc t1
    sta t3
    bcc @shifted
    inc t4
@shifted:
    dey
    bne @bit
    ldy times_three,x
    lda t2
    sta pop_points,y
    lda t3
    sta pop_points + 1,y
    lda t4
    sta pop_points + 2,y
    jsr sound_pop
    jmp show_popping

CHAIN_STEPS = 19
chain_power_lo:
    .repeat CHAIN_STEPS, step
    .byte <.ident(.sprintf("TRUE_CHAIN_POWER_%d", step + 1))
    .endrepeat
chain_power_hi:
    .repeat CHAIN_STEPS, step
    .byte >.ident(.sprintf("TRUE_CHAIN_POWER_%d", step + 1))
    .endrepeat

; --- POP: the codes of the popping cells take turns; at the end the cells go and what is above them falls ---
state_pop:
    dec wait,x
    beq end_pop
    lda wait,x
    and #3
    beq show_popping
    rts

; The popping code of this moment into every marked cell.
show_popping:
    ldx player
    ldy #TRUE_CODE_POP_1
.if TRUE_POP_CODES = 2
    lda wait,x
    and #4
    beq @code
    ldy #TRUE_CODE_POP_2
@code:
.endif
    sty pop_code
    ldy #16 * 7 - 1
@cell:
    lda (cells),y
    bpl @next
    cmp #WALL
    beq @next
    jsr show_cell
@next:
    dey
    cpy #16
    bcs @cell
    rts

end_pop:
    lda #PLAY_SETTLE
    sta play_state,x
    lda #0
    sta searched,x
    sta fallen
    jsr add_points
    lda #16 + FLOOR
@column:
    sta amount
    jsr collapse
    lda amount
    clc
    adc #16
    cmp #16 * 7
    bcc @column
    jsr draw_all_rows             ; most have changed
    jmp settle_wait

; The column whose lowest cell is A loses its marked cells, and the others fall.
collapse:
    sta cell_x                    ; from here
    sta cell_y                    ; to here
@cell:
    ldy cell_x
    lda (cells),y
    beq @top                      ; nothing is above a gap
    bmi @gone
    cpy cell_y
    beq @stays
    ldy cell_y
    jsr write_cell
    lda cell_y
    sec
    sbc cell_x
    cmp fallen
    bcc @stays
    sta fallen
@stays:
    dec cell_y
    bne @next                     ; always
@gone:
    ldx player
    inc blocks_lo,x
    bne @next
    inc blocks_hi,x
@next:
    dec cell_x
    lda cell_x
    and #$0F
    cmp #$0F
    bne @cell
@top:                             ; what is left of the old column becomes empty
    ldy cell_y
    cpy cell_x
    beq @done
    lda #EMPTY
    jsr write_cell
    dec cell_y
    jmp @top
@done:
    rts

; Points of the popped groups, to the score (at most 9,999,999 tens) and to the chain.
add_points:
    ldy times_three,x
    ldx #3
    clc
@byte:
    lda score,y
    adc pop_points,y
    sta score,y
    iny
    dex
    bne @byte
    lda score - 3,y
    cmp #<10000000
    lda score - 2,y
    sbc #>10000000
    lda score - 1,y
    sbc #^10000000
    bcc @chain
    lda #<9999999
    sta score - 3,y
    lda #>9999999
    sta score - 2,y
    lda #^9999999
    sta score - 1,y
@chain:
    ldx player
    ldy times_three,x
    ldx #3
    clc
@sum:
    lda chain_points,y
    adc pop_points,y
    sta chain_points,y
    lda #0
    sta pop_points,y
    iny
    dex
    bne @sum
    rts

; --- nothing pops: the chain is over. Its attack goes to the other player, then this player's own nuisance falls ---
end_move:
    lda chain,x
    beq @sent
    ldy #16 + FLOOR               ; all clear: no cell on the floor
    lda #0
@floor:
    ora (cells),y
    pha
    tya
    clc
    adc #16
    tay
    pla
    cpy #16 * 7
    bcc @floor
    tay
    bne @attack
    inc all_clears,x
@attack:
    lda mode
    beq @forget
    jsr send_attack
@forget:
    lda #0
    sta chain,x
    ldy times_three,x
    sta chain_points,y
    sta chain_points + 1,y
    sta chain_points + 2,y
@sent:
    lda pending,x
    beq @next_pair
    jsr drop_nuisance
    ldx player
    lda #PLAY_NUISANCE
    sta play_state,x
    lda #TRUE_NUISANCE_WAIT
    sta wait,x
    rts
@next_pair:
    lda #PLAY_SPAWN
    sta play_state,x
    lda #TRUE_SPAWN_DELAY
    sta wait,x
    rts

; One nuisance for 7 tens of points, at most MOST_NUISANCE; what does not fit into the pending is lost.
send_attack:
    ldy times_three,x
    lda chain_points + 2,y
    ora chain_points + 1,y
    bne @most
    lda chain_points,y
    cmp #7 * MOST_NUISANCE
    bcs @most
    ldy #<-1
    sec
@sevens:
    iny
    sbc #7
    bcs @sevens
    tya
    bcc @send                     ; always
@most:
    lda #MOST_NUISANCE
@send:
    sta amount
    txa
    eor #1
    tay
    lda amount
    beq @done
    clc
    adc pending,y
    cmp #MOST_NUISANCE
    bcc @pending
    lda #MOST_NUISANCE
@pending:
    sta pending,y
    jsr sound_attack
@done:
    rts

MOST_NUISANCE = 30
