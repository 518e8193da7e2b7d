; Groups of four and more, popping, falling, points, and the attack they send.

; --- SETTLE: what fell has come to rest when the wait is over; then groups pop, or the move is over ---
; A search costs half a frame's time, so the two players never search in the same frame: each in the first frame of its
; SETTLE whose turn is its own. The wait is longer than that.
state_settle:
    lda searched,x
    bne @wait
    lda turn
    eor player
    lsr
    bcs @wait
    jsr search_groups
    ldx player
@wait:
    dec wait,x
    bne @done
    lda searched,x
    lsr
    bcs @none
    jmp start_pop
@none:
    jmp end_move
@done:
    rts

; Marks the popping cells of player X in CELLS, counts them and their bonus, and sets searched to 1 (none) or 2.
; Only visible rows take part. GROUPS is a copy in which a cell that was looked at becomes 0 and a popping one POPPING.
search_groups:
    ldy #127
@copy:
    lda (cells),y
    sta GROUPS,y
    dey
    bpl @copy
    lda #WALL                     ; the hidden row neither links nor pops
    .repeat 6, column
    sta GROUPS + 16 * (column + 1)
    .endrepeat
    lda #0
    sta popped,x
    sta bonus,x
    sta colours_seen
    lda #16 + 1
    sta cell_x
@cell:
    ldx cell_x
    lda GROUPS,x
    beq @next
    cmp #NUISANCE
    bcs @next
    jsr search_group
@next:
    inc cell_x
    lda cell_x
    cmp #16 * 7
    bcc @cell
    ldx player
    ldy #1
    lda popped,x
    beq @found
    jsr mark_nuisance
    ldx player
    lda #0                        ; colour bonus
    ldy #6
@colour:
    lsr colours_seen
    adc #0
    dey
    bne @colour
    tay
    lda bonus,x
    clc
    adc colour_bonus - 1,y
    sta bonus,x
    ldy #2
@found:
    sty searched,x
    rts

; The cell at X + side joins the group if it has its colour A; Y: size of the group.
.macro look_at side
    cmp GROUPS + (side),x
    bne :+
    txa
    clc
    adc #<(side)
    sta GROUP_LIST,y
    iny
    lda #0
    sta GROUPS + (side),x
    lda group_colour
:
.endmacro

; One group, breadth first, from cell X, whose colour is A.
search_group:
    sta group_colour
    stx GROUP_LIST
    ldy #0
    sty group_head
    tya
    sta GROUPS,x
    iny
    sty group_size
@expand:
    ldy group_head
    ldx GROUP_LIST,y
    ldy group_size
    lda group_colour
    look_at 1
    look_at -1
    look_at 16
    look_at -16
    sty group_size
    inc group_head
    cpy group_head
    bne @expand
    cpy #4
    bcc @small
    tya                           ; the group pops
    ldx player
    clc
    adc popped,x
    sta popped,x
    tya
    cmp #11
    bcc @sized
    lda #11
@sized:
    tay
    lda bonus,x
    clc
    adc group_bonus - 4,y
    sta bonus,x
    ldy group_colour
    lda colours_seen
    ora colour_bits - 1,y
    sta colours_seen
    ldx group_size
@mark:
    dex
    ldy GROUP_LIST,x
    lda #POPPING
    sta GROUPS,y
    ora group_colour
    sta (cells),y
    txa
    bne @mark
@small:
    rts

; Nuisance beside a popping cell pops with it.
mark_nuisance:
    ldx #16 + 1
@cell:
    lda GROUPS,x
    cmp #NUISANCE
    bne @next
    lda #POPPING
    cmp GROUPS + 1,x
    beq @mark
    cmp GROUPS - 1,x
    beq @mark
    cmp GROUPS + 16,x
    beq @mark
    cmp GROUPS - 16,x
    bne @next
@mark:
    txa
    tay
    lda #POPPING + NUISANCE
    sta (cells),y
@next:
    inx
    cpx #16 * 7
    bcc @cell
    rts

colour_bits:
    .byte $01, $02, $04, $08, $10, $20
colour_bonus:                     ; 1-6 colours
    .byte 0, 3, 6, 12, 24, 48
group_bonus:                      ; 4-10 and more cells
    .byte 0, 2, 3, 4, 5, 6, 7, 10

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
    jsr put_cell
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
    lda cell_y
    cmp cell_x
    beq @done
    tay
    lda #EMPTY
    jsr put_cell
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
