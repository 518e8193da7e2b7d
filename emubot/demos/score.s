; Lines, level and points after a lock. The processor has no decimal mode (hardware reference: 2A03), hence the digits.

; --- play state 5 ---
state_count:
    ldx p_cleared
    beq @points
    dex
    inc clears,x                  ; counted in BCD, without a carry out of the byte
    lda clears,x
    and #$0F
    cmp #10
    bcc @lines
    lda clears,x
    adc #6 - 1                    ; carry is set
    sta clears,x
@lines:
    jsr count_line
    dex
    bpl @lines
@points:
    jsr push_down_points
    jsr line_points
    lda #0
    sta p_hold
    sta p_cleared
    inc p_state
    rts

; One more line. The level rises when the ones digit becomes 0 and the level is below the number formed by hundreds and
; tens - as a signed byte, and with decimal digits taken as hexadecimal ones. Keeps X.
count_line:
    inc p_lines
    lda p_lines
    and #$0F
    cmp #10
    bcc @done
    lda p_lines
    adc #6 - 1
    sta p_lines
    cmp #$A0
    bcc @level
    lda #0
    sta p_lines
    inc p_lines + 1
@level:
    lda p_lines + 1               ; t0 = (hundreds * 256 + two digits) >> 4
    asl
    asl
    asl
    asl
    sta t0
    lda p_lines
    lsr
    lsr
    lsr
    lsr
    ora t0
    sta t0
    lda p_level
    sec
    sbc t0
    bpl @done
    inc p_level
@done:
    rts

; h rows of one soft drop, h above 1, add h - 1 to the low byte, in binary, then each digit is corrected once. A carry
; into the hundreds clears the ones digit, as in the original.
push_down_points:
    ldx p_hold
    cpx #2
    bcc @done
    dex
    txa
    clc
    adc p_score
    sta p_score
    and #$0F
    cmp #10
    bcc @tens
    lda p_score
    adc #6 - 1
    sta p_score
@tens:
    lda p_score
    and #$F0
    cmp #$A0
    bcc @done
    adc #$60 - 1
    sta p_score
    lda #0
    sta prod
    sta prod + 2
    lda #1
    sta prod + 1
    jmp add_to_score
@done:
    rts

; Points of the lines times (level + 1), at the level after this lock. The original adds the points level + 1 times,
; each time stopping at 999,999; one product gives the same and never costs more than a frame.
line_points:
    ldx p_cleared
    beq @done
    jsr level_plus_one
    lda #0
    sta prod
    sta prod + 1
    sta prod + 2
    ldy line_factor,x
@add:
    clc
    lda mult
    sta t1
    lda prod + 1
    jsr add_digits
    sta prod + 1
    lda mult + 1
    sta t1
    lda prod + 2
    jsr add_digits
    sta prod + 2
    dey
    bne @add
    cpx #1
    bne add_to_score
    ldy #4                        ; one line: 40 is 4 tens, not 4 hundreds
@shift:
    lsr prod + 2
    ror prod + 1
    ror prod
    dey
    bne @shift
    jmp add_to_score
@done:
    rts

line_factor:                      ; points of 1-4 lines: 40, 100, 300, 1200
    .byte 0, 4, 1, 3, 12

; Score + product, at most 999,999.
add_to_score:
    clc
    ldx #0
    ldy #3
@byte:
    lda prod,x
    sta t1
    lda p_score,x
    jsr add_digits
    sta p_score,x
    inx
    dey
    bne @byte
    bcc @done
    lda #$99
    sta p_score
    sta p_score + 1
    sta p_score + 2
@done:
    rts

; BCD addition of A, t1 and carry, to A and carry. Keeps X and Y.
add_digits:
    sta t2
    and #$0F
    sta t3
    lda t1
    and #$0F
    adc t3
    cmp #10
    bcc @low
    adc #6 - 1                    ; a carry into the tens is now bit 4
@low:
    sta t3
    lda t2
    and #$F0
    adc t3                        ; carry is clear either way: the digit above was at most 25
    sta t3
    lda t1
    and #$F0
    adc t3
    bcs @correct
    cmp #$A0
    bcc @done
@correct:
    adc #$60 - 1
    sec
@done:
    rts

; Level + 1 (1-256) as BCD in mult. Keeps X.
level_plus_one:
    lda p_level
    ldy #0
    sty mult + 1
@hundreds:
    cmp #100
    bcc @tens
    sbc #100
    inc mult + 1
    bcs @hundreds
@tens:
    cmp #10
    bcc @ones
    sbc #10
    iny
    bcs @tens
@ones:
    sta mult
    tya
    asl
    asl
    asl
    asl
    ora mult
    sta t2
    lda #1
    sta t1
    lda t2
    clc
    jsr add_digits
    sta mult
    bcc @done
    inc mult + 1
@done:
    rts
