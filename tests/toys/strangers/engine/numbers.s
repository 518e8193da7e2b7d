; Lines, level and score: each in a format of its own, each counted up by one.

; `size` bytes at `at`, the lowest first if `little`.
.macro increase at, format, size, little
    .local @done
    .repeat size, i
    .if format <> NOT_KEPT
        .if little
            inc at + i
        .else
            inc at + size - 1 - i
        .endif
        .if format = BINARY
            bne @done
        .else
            .if little
                ldx #i
            .else
                ldx #size - 1 - i
            .endif
            lda at,x
            .if format = BCD
                and #$0F
            .endif
            cmp #10
            bne @done
            .if format = BCD
                lda at,x
                clc
                adc #6
                sta at,x
                cmp #$A0
                bne @done
            .endif
            lda #0
            sta at,x
        .endif
    .endif
    .endrepeat
@done:
.endmacro

one_line:
    increase lines, LINES_FORMAT, LINES_SIZE, LINES_LITTLE
.if LEVELS > 1
    dec level_left
    bne @same
    lda #LEVEL_LINES
    sta level_left
    increase level, LEVEL_FORMAT, LEVEL_SIZE, 0
@same:
.endif
    rts

; The score, X times.
.if SCORE_FORMAT <> NOT_KEPT
points:
    stx count
    txa
    beq @done
@point:
    increase score, SCORE_FORMAT, SCORE_SIZE, SCORE_LITTLE
    dec count
    bne @point
@done:
    rts
.endif

; X := the entry of the level in the table of gravity.
level_index:
.if LEVELS = 1
    ldx #0
.else
    .if LEVEL_FORMAT = DIGITS
    lda level
    bne @last
    lda level + 1
    .else
    lda level                     ; in BCD the levels from 10 on are higher still
    .endif
    sec
    sbc #LEVEL_FIRST
    tax
    cpx #LEVELS
    bcc @known
@last:
    ldx #LEVELS - 1
@known:
.endif
    rts
