; Groups of four and more: when they are looked for, which they are, what bonus they give.

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
    lda #0
    sta popped,x
    sta bonus,x
    sta colours_seen
    sta nuisance_seen
    lda cells                     ; 0 or 128: both players' cells lie in one page
    ora #FLOOR
    tax
    ldy #FLOOR
@copy:
    .repeat 6, column
    lda CELLS + 16 * (column + 1),x
    sta GROUPS + 16 * (column + 1),y
    .endrepeat
    dex
    dey
    bne @copy                     ; the hidden row stays a wall there: it neither links nor pops
    ldx #16 + 1
@cell:
    lda GROUPS,x
    beq @next
    cmp #NUISANCE
    bcs @not_coloured
    stx cell_x
    jsr search_group
    ldx cell_x
@next:
    inx
    cpx #16 * 7
    bcc @cell
    ldx player
    ldy #1
    lda popped,x
    beq @found
    lda nuisance_seen
    beq @coloured
    jsr mark_nuisance
    ldx player
@coloured:
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
@not_coloured:
    bne @next                     ; a wall
    sta nuisance_seen
    beq @next                     ; always

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
