; Words over the fields: pause, how a stage or a game ended.

WORDS_AT  = FIELD_SCREEN + 32 * WORDS_ROW
WORDS_ROW = 6

.enum
    WORDS_PAUSE
    WORDS_OVER
    WORDS_WON
    WORDS_LOST
    WORDS_STAGE
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
    ldx #WORDS_STAGE
    lda game_state
    cmp #GAME_WON
    beq @one
    ldx #WORDS_OVER
    lda mode
    bne @two
@one:
    stx message
    jmp announce
@two:
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
    sta changed + WORDS_ROW
    sta changed + 16 + WORDS_ROW
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
    lda #>WORDS_AT
    sta QUEUE + 1
    lda #<WORDS_AT
    cpx #0
    beq @left
    ora #16
@left:
    sta QUEUE + 2
    lda message,x
    asl
    asl
    asl                           ; 8 letters each
    tax
    ldy #0
@letter:
    lda words,x
    sta QUEUE + 3,y
    inx
    iny
    cpy #8
    bne @letter
    sty QUEUE
    lda #0
    sta QUEUE + 11
    rts
