; What comes by chance: the next pair, and the columns of nuisance.

.include "../generator.inc"

; The next pair of the player in hand. Every 48th pair of an endless game is an item, two kinds in turn.
deal:
    lda #1
    sta next_changed
    lda mode
    bne @pair
    lda items
    beq @pair
    inc item_count
    lda item_count
    cmp #PAIRS_AN_ITEM
    bcc @pair
    lda #0
    sta item_count
    lda item_turn
    tay
    eor #1
    sta item_turn
    tya
    clc
    adc #BIG
    ldx player
    sta nxt_bottom,x
    sta nxt_top,x
    jmp @show
@pair:
    jsr draw_colour               ; the half that turns in place first
    ldx player
    sta nxt_pivot,x
    jsr draw_colour
    ldx player
    sta nxt_second,x
@show:
    txa
    asl
    tay
    stx t0
    lda nxt_bottom,x
    tax
    lda piece_codes,x
    sta next_raw,y
    ldx t0
    lda nxt_top,x
    tax
    lda piece_codes,x
    sta next_raw + 1,y
    ldx t0
    rts

PAIRS_AN_ITEM = 48

; A: 1 to colours.
draw_colour:
    lda player
    asl
    tax
@again:
    jsr step_generator
    and #7
    cmp colours
    bcs @again
    adc #1                        ; carry is clear
    rts

; The pending nuisance falls: full rows, then one more in columns of the generator's choice, each column once.
drop_nuisance:
    lda pending,x
    ldy #0
    sty pending,x
    sty t4                        ; columns chosen: one bit each
@rows:
    cmp #6
    bcc @extra
    sbc #6
    iny
    bne @rows                     ; always
@extra:
    sty t5                        ; nuisance for every column
    sta amount
@choose:
    lda amount
    beq @drop
    ldx #nuisance_gen - generator
@again:
    jsr step_generator
    and #7
    cmp #6
    bcs @again
    tay
    lda colour_bits,y
    and t4
    bne @again
    lda colour_bits,y
    ora t4
    sta t4
    dec amount
    jmp @choose
@drop:
    lda #6
    sta amount
@column:
    ldy amount
    ldx t5
    lda colour_bits - 1,y
    and t4
    beq @count
    inx
@count:
    txa
    beq @next
    sta cell_y
    tya
    jsr column_top
    bcs @next
@cell:
    sty cell_x
    lda #NUISANCE
    jsr put_cell
    dec cell_y
    beq @next
    ldy cell_x
    dey
    tya
    and #$0F
    cmp #$0F
    bne @cell
@next:
    dec amount
    bne @column
    jmp sound_nuisance

piece_codes:                      ; raw codes of the halves, by kind
    .byte 0
    .repeat 6, colour
    .byte .ident(.sprintf("TRUE_PIECE_%d", colour + 1))
    .endrepeat
    .byte 0, 0, TRUE_PIECE_BIG, TRUE_PIECE_CARBUNCLE
