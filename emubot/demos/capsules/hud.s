; What a game shows besides the cells: counters, one a frame.

STAGE_AT     = AT 12, 12           ; of the menu
TARGETS_AT   = AT 9, 25
SCORE_AT     = AT 4, 26
PENDING_AT   = AT 9, 27
STAGE_NOW    = AT 15, 11
WON_NOW      = AT 15, 20

; The picture of this frame, as far as one vertical blank can take it.
present:
    jsr place_sprites
    jsr queue_rows
    lda messages_due
    beq @counters
    lda rows_ready                ; words come when the field under them stands
    bne @counters
    jmp queue_words
@counters:
    inc hud_step
    lda hud_step
    and #7
    tay
    lda counter_modes,y
    bmi @shown                    ; in every game
    cmp mode
    bne @none
@shown:
    ldx counters,y
    beq @score
    lda $00,x
    ldx counter_low,y
    pha
    lda counter_high,y
    tay
    pla
    jmp queue_two_digits
@none:
    rts
@score:                           ; 4 digits of hundreds
    lda counter_high,y
    sta QUEUE + 1
    lda counter_low,y
    sta QUEUE + 2
    ldx #0
    cpy #1
    beq @fetch
    ldx #2
@fetch:
    lda score,x
    sta number
    lda score + 1,x
    sta number + 1
    ldx #0
@digit:
    ldy #TILE_FONT
@subtract:
    lda number
    cmp power_low,x
    lda number + 1
    sbc power_high,x
    bcc @next
    sta number + 1
    lda number
    sbc power_low,x               ; carry is set
    sta number
    bcs @count
    dec number + 1
@count:
    iny
    bne @subtract                 ; always
@next:
    tya
    sta QUEUE + 3,x
    inx
    cpx #4
    bne @digit
    lda #TILE_FONT
    sta QUEUE + 7
    sta QUEUE + 8
    lda #6
    sta QUEUE
    lda #0
    sta QUEUE + 9
    rts

; The number A, below 100, becomes the queue's only string, at Y:X.
queue_two_digits:
    sty QUEUE + 1
    stx QUEUE + 2
    ldx #TILE_FONT
@tens:
    cmp #10
    bcc @ones
    sbc #10
    inx
    bcs @tens                     ; always
@ones:
    ora #TILE_FONT
    stx QUEUE + 3
    sta QUEUE + 4
    lda #2
    sta QUEUE
    lda #0
    sta QUEUE + 5
    rts

.define POWERS_OF_TEN 1000, 100, 10, 1
power_low:
    .lobytes POWERS_OF_TEN
power_high:
    .hibytes POWERS_OF_TEN

; Address in zero page of a value below 100, or 0 for a score; in which mode ($80: in both); where.
counters:
    .byte targets, 0, stage, pending, targets + 1, 0, pending + 1, stages
counter_modes:
    .byte $80, $80, $80, MODE_VERSUS, MODE_VERSUS, MODE_VERSUS, MODE_VERSUS, 0
.define COUNTER_PLACES TARGETS_AT, SCORE_AT, STAGE_NOW, PENDING_AT, TARGETS_AT + 16, SCORE_AT + 16, PENDING_AT + 16, WON_NOW
counter_low:
    .lobytes COUNTER_PLACES
counter_high:
    .hibytes COUNTER_PLACES
