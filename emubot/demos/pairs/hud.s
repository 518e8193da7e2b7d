; What a game shows besides the cells of the playfields: what comes first, the next pairs, counters.

SCORE_AT     = AT 6, 1
SCORE_2_AT   = AT 22, 1
LEVEL_NOW    = AT 16, 10
CHAIN_AT     = AT 8, 28
PENDING_AT   = AT 12, 28
CHAIN_2_AT   = AT 24, 28
PENDING_2_AT = AT 28, 28
COLOURS_NOW  = AT 20, 20
PAIRS_AT     = AT 20, 10
BEST_AT      = AT 20, 15

; The picture of this frame, as far as one vertical blank can take it.
present:
    jsr place_sprites
    lda next_changed
    beq @rows
    jsr queue_next
    lda #1                        ; vertical blank has no time for more rows beside it
    jmp queue_rows
@rows:
    lda #MOST_ROWS
    jsr queue_rows
    lda messages_due
    beq @counters
    lda rows_ready                ; words come when the playfield under them stands
    bne @counters
    jmp queue_words
@counters:
    jmp queue_counter

; --- the next pairs: two columns of two cells; a big item takes all four ---
queue_next:
    lda #0
    sta next_changed
    sta cell_x
    ldx #NEXT_END - NEXT_FORM
@form:
    lda NEXT_FORM - 1,x
    sta QUEUE - 1,x
    dex
    bne @form
    lda nxt_top                   ; upper left
    cmp #CARBUNCLE
    bne @pair
    lda #EMPTY                    ; a carbuncle is one cell, below
@pair:
    jsr @cell
    lda nxt_top + 1
    jsr @right
    lda nxt_bottom
    jsr @cell
    lda nxt_bottom + 1
    jsr @right
    lda palettes + 2              ; attributes: the right half of one byte and the left half of the next
    asl
    asl
    asl
    asl
    ora palettes
    asl
    asl
    sta t0
    lda ATTRIBUTES + 11
    and #%00110011
    ora t0
    sta ATTRIBUTES + 11
    sta QUEUE + 31
    lda palettes + 3
    asl
    asl
    asl
    asl
    ora palettes + 1
    sta t0
    lda ATTRIBUTES + 12
    and #%11001100
    ora t0
    sta ATTRIBUTES + 12
    sta QUEUE + 32
    rts
@right:                           ; the second column is player 2's, or the other half of a big one
    ldy mode
    bne @cell
    lda nxt_bottom
    cmp #BIG
    beq @cell
    lda #EMPTY
@cell:
    ldx cell_x
    inc cell_x
    jsr cell_looks
    sta palettes,x
    lda next_places,x
    tax
    tya
    sta QUEUE,x
    ora #2
    sta QUEUE + 1,x
    ora #1
    sta QUEUE + 8,x
    and #<~2
    sta QUEUE + 7,x
    rts

next_places:
    .byte 3, 5, 17, 19
NEXT_FORM:
    .repeat 4, i
    .byte 4
    place AT 14, 4 + i
    .res 4
    .endrepeat
    .byte 2
    place ATTRIBUTE_TABLE + 11
    .byte 0, 0
    .byte 0
NEXT_END:

; --- counters: one string a frame; a number takes a frame for each digit ---
queue_counter:
    lda hud_step
    and #15
    tax
    inc hud_step
    and #7
    cmp #7
    beq @number
    jsr next_digit
    ldy small_counters,x
    beq @done
    lda mode
    eor counter_modes,x
    and #MODE_VERSUS
    bne @done
    lda counter_high,x
    sta QUEUE + 1
    lda counter_low,x
    sta QUEUE + 2
    lda $0000,y
    ldx #0
@tens:
    cmp #10
    bcc @ones
    sbc #10
    inx
    bcs @tens
@ones:
    ora #TILE_FONT
    sta QUEUE + 4
    txa
    ora #TILE_FONT
    sta QUEUE + 3
    lda #0
    sta QUEUE + 5
    lda #2
    sta QUEUE
@done:
    rts
@number:                          ; seven digits stand ready
    ldy #6
@digit:
    lda digits,y
    ora #TILE_FONT
    sta QUEUE + 3,y
    dey
    bpl @digit
    lda #TILE_FONT
    sta QUEUE + 10
    lda #0
    sta QUEUE + 11
    ldy #8
    lda #<SCORE_AT
    cpx #7
    beq @place
    lda #<SCORE_2_AT
    ldx mode
    bne @place
    lda #0                        ; the count of pairs: no eighth digit
    sta QUEUE + 10
    ldy #7
    lda #>PAIRS_AT
    sta QUEUE + 1
    lda #<PAIRS_AT
    sta QUEUE + 2
    sty QUEUE
    rts
@place:
    sta QUEUE + 2
    lda #>SCORE_AT
    sta QUEUE + 1
    sty QUEUE
    rts

; Digit X & 7 of the number; at the first one the number is fetched. Keeps X.
next_digit:
    txa
    and #7
    bne @go_on
    ldy #score
    txa
    beq @fetch
    ldy #score + 3
    lda mode
    bne @fetch
    ldy #pairs
@fetch:
    lda $0000,y
    sta number
    lda $0001,y
    sta number + 1
    lda $0002,y
    sta number + 2
    lda #0
@go_on:
    tay
    lda #<-1
    sta t0
@subtract:
    inc t0
    lda number
    sec
    sbc power_lo,y
    sta t1
    lda number + 1
    sbc power_mid,y
    sta t2
    lda number + 2
    sbc power_hi,y
    bcc @rest
    sta number + 2
    lda t1
    sta number
    lda t2
    sta number + 1
    jmp @subtract
@rest:
    lda t0
    sta digits,y
    rts

.define POWERS_OF_TEN 1000000, 100000, 10000, 1000, 100, 10, 1
power_lo:
    .lobytes POWERS_OF_TEN
power_mid:
    .hibytes POWERS_OF_TEN
power_hi:
    .bankbytes POWERS_OF_TEN

; What else a step of the round shows: address of a value below 100 in zero page, or 0; where.
; Each belongs to one mode; what both have stands twice.
small_counters:
    .byte level, chain, pending, colours, level, 0, 0, 0
    .byte chain + 1, pending + 1, best_chain, chain, 0, 0, 0, 0
counter_modes:
    .byte MODE_ENDLESS, MODE_ENDLESS, MODE_VERSUS, MODE_ENDLESS, MODE_VERSUS, 0, 0, 0
    .byte MODE_VERSUS, MODE_VERSUS, MODE_ENDLESS, MODE_VERSUS, 0, 0, 0, 0
.define COUNTER_PLACES LEVEL_NOW, CHAIN_AT, PENDING_AT, COLOURS_NOW, LEVEL_NOW, 0, 0, 0, CHAIN_2_AT, PENDING_2_AT, BEST_AT, CHAIN_AT
counter_low:
    .lobytes COUNTER_PLACES
counter_high:
    .hibytes COUNTER_PLACES
