; Words over the playfields: pause, how a game ended.

WORDS_AT = AT 2, 12                ; three lines, the words in the middle one

.enum
    WORDS_PAUSE
    WORDS_OVER
    WORDS_WON
    WORDS_LOST
.endenum

.include "../announce.inc"

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
    ldx mode
    beq @done
    sta changed + 16 + 6
    sta changed + 16 + 7
@done:
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
