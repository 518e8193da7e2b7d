; What a game shows besides the cells of the playfields: falling pairs as sprites, the next pairs, counters, words.

SCORE_AT     = AT 6, 1
SCORE_2_AT   = AT 22, 1
LEVEL_NOW    = AT 16, 10
CHAIN_AT     = AT 8, 28
PENDING_AT   = AT 12, 28
CHAIN_2_AT   = AT 24, 28
PENDING_2_AT = AT 28, 28
COLOURS_NOW  = AT 22, 17
PAIRS_AT     = AT 20, 9
BEST_AT      = AT 22, 13
WORDS_AT     = AT 2, 12
COLOURS_AT   = AT 19, 12           ; in the menu
LEVEL_AT     = AT 19, 15

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

; --- falling pairs ---
USED_SPRITES = 12                 ; four cells of player 1, two of player 2

place_sprites:
    ldx #4 * USED_SPRITES - 4
    lda #$FF
@hide:
    sta OAM_BUFFER,x
    dex
    dex
    dex
    dex
    bpl @hide
    lda #0
    sta t3                        ; place in the buffer
    ldx #0
    jsr place_pair
    ldx #1

; The pair of player X; and where it is in pixels, as the documented registers say it.
place_pair:
    stx player
    lda pair_y,x
    asl
    asl
    asl
    asl
    ldy pair_x,x
    bne @there
    tya
@there:
    sta sprite_y,x
    tya
    beq @pixel
    asl
    asl
    asl
    asl
    adc sprite_base,x             ; carry is clear
@pixel:
    sta sprite_x,x
    lda play_state,x
    cmp #PLAY_CONTROL
    bne @done
    tya
    beq @done
    sta cell_x
    lda pair_y,x
    sta cell_y
.if TRUE_PIVOT = 0
    lda cur_bottom,x
.else
    lda cur_top,x
.endif
    jsr place_cell
    lda cur_bottom,x
    cmp #CARBUNCLE
    beq @done
    ldy direction,x
    lda pair_x,x
    clc
    adc second_dx,y
    sta cell_x
    lda pair_y,x
    clc
    adc second_dy,y
    sta cell_y
.if TRUE_PIVOT = 0
    lda cur_top,x
.else
    lda cur_bottom,x
.endif
    jsr place_cell
    lda cur_bottom,x
    cmp #BIG
    bne @done
    dec cell_y                    ; its upper two
    jsr place_cell
    lda cur_bottom,x
    dec cell_x
    jmp place_cell
@done:
    rts

sprite_base:
    .byte 0, 128

; Kind A as two sprites at cell_x, cell_y; nothing above the visible rows. Keeps X.
place_cell:
    ldy cell_y
    dey
    bmi @done
    jsr cell_looks
    sta t1                        ; palette
    sty t0                        ; tile
    ldy t3
    sta OAM_BUFFER + 2,y
    sta OAM_BUFFER + 6,y
    lda t0
    sta OAM_BUFFER + 1,y
    ora #2
    sta OAM_BUFFER + 5,y
    lda cell_y
    asl
    asl
    asl
    asl
    sec
    sbc #1                        ; sprites appear one line below their y (hardware reference: OAM)
    sta OAM_BUFFER,y
    sta OAM_BUFFER + 4,y
    lda cell_x
    asl
    asl
    asl
    asl
    adc sprite_base,x             ; carry is clear
    sta OAM_BUFFER + 3,y
    adc #8
    sta OAM_BUFFER + 7,y
    tya
    adc #8
    sta t3
@done:
    rts

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

; --- words over the playfield ---
.enum
    WORDS_PAUSE
    WORDS_OVER
    WORDS_WON
    WORDS_LOST
.endenum

announce_pause:
    lda #WORDS_PAUSE
    sta message
    sta message + 1
announce:
    lda mode                      ; 0 or 2
    ora #1
    sta messages_due
    rts

announce_result:
    lda #WORDS_OVER
    sta message
    lda mode
    beq announce
    ldx loser                     ; 1 or 2
    lda #WORDS_LOST
    sta message - 1,x
    txa
    eor #3
    tax
    lda #WORDS_WON
    sta message - 1,x
    jmp announce

; The rows under the words are drawn anew.
take_words_away:
    lda #0
    sta messages_due
    lda #1
    sta changed + 6
    sta changed + 7
    sta changed + 16 + 6
    sta changed + 16 + 7
    rts

queue_words:
    ldx #0
    lda messages_due              ; 1 player 1, 2 player 2
    lsr
    bcs @player
    inx
@player:
    txa
    eor #1
    asl                           ; 2 after player 1's words, 0 after player 2's
    and messages_due
    sta messages_due
    lda #12
    sta QUEUE
    sta QUEUE + 15
    sta QUEUE + 30
    lda #>WORDS_AT
    sta QUEUE + 1
    sta QUEUE + 16
    sta QUEUE + 31
    lda #<WORDS_AT
    cpx #0
    beq @left
    ora #16
@left:
    sta QUEUE + 2
    clc
    adc #32
    sta QUEUE + 17
    adc #32
    sta QUEUE + 32
    lda message,x
    asl
    adc message,x
    asl
    asl                           ; 12 letters each
    tax
    ldy #0
@letter:
    lda words,x
    sta QUEUE + 18,y
    lda #TILE_BLACK
    sta QUEUE + 3,y
    sta QUEUE + 33,y
    inx
    iny
    cpy #12
    bne @letter
    lda #0
    sta QUEUE + 45
    rts

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
    sta QUEUE + 10                ; the count of pairs: no eighth digit
    lda #0
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

; --- menu: one value a frame ---
draw_options:
    inc hud_step
    lda hud_step
    and #3
    beq @mode
    cmp #2
    bcc @items
    beq @level
    lda colours
    ora #TILE_FONT
    sta QUEUE + 3
    lda #0
    sta QUEUE + 4
    lda #>COLOURS_AT
    sta QUEUE + 1
    lda #<COLOURS_AT
    sta QUEUE + 2
    lda #1
    sta QUEUE
    rts
@level:
    lda start_level
    ldx #0
    cmp #10
    bcc @ones
    sbc #10
    inx
@ones:
    ora #TILE_FONT
    sta QUEUE + 4
    txa
    ora #TILE_FONT
    sta QUEUE + 3
    lda #0
    sta QUEUE + 5
    lda #>LEVEL_AT
    sta QUEUE + 1
    lda #<LEVEL_AT
    sta QUEUE + 2
    lda #2
    sta QUEUE
    rts
@mode:
    ldx #<mode_endless
    ldy #>mode_endless
    lda mode
    beq queue_string
    ldx #<mode_versus
    ldy #>mode_versus
    bne queue_string              ; always
@items:
    ldx #<items_off
    ldy #>items_off
    lda items
    beq queue_string
    ldx #<items_on
    ldy #>items_on

; The string at Y:X (length, address, bytes) becomes the queue's only one.
queue_string:
    stx ptr
    sty ptr + 1
    ldy #0
    lda (ptr),y
    clc
    adc #3
    tax
@byte:
    lda (ptr),y
    sta QUEUE,y
    iny
    dex
    bne @byte
    txa
    sta QUEUE,y
    rts
