; What a game shows besides the playfield: sprites each frame, one counter each frame.

HUD_ITEMS = 12

; Falling and next piece, then one item of the counters.
draw_game:
    jsr hide_sprites
    ldx a_piece
    cpx #HIDDEN_PIECE
    bcs @next
    lda a_x
    asl
    asl
    asl
    clc
    adc #FIELD_COLUMN * 8
    sta org_x
    lda a_y
    asl
    asl
    asl
    clc
    adc #FIELD_ROW * 8 - 1        ; sprites appear one line below their y (hardware reference: OAM)
    sta org_y
    ldy #0
    jsr draw_piece
@next:
    lda hide_next
    bne @over
    ldx next_piece
    ldy piece_type,x
    lda next_x,y
    sta org_x
    lda next_y,y
    sta org_y
    ldy #16
    jsr draw_piece
@over:
    lda a_state
    cmp #10
    bne @counters
    lda a_curtain
    cmp #ROWS
    bne @counters
    lda #<over_sprites
    sta ptr
    lda #>over_sprites
    sta ptr + 1
    ldx #32
    jsr sprite_text
@counters:
    jmp queue_counter

draw_pause:
    jsr hide_sprites
    lda #<pause_sprites
    sta ptr
    lda #>pause_sprites
    sta ptr + 1
    ldx #0
    jmp sprite_text

; Four sprites of piece id X with the pivot at org_x, org_y, into the buffer from Y on. Cells above the playfield stay
; hidden.
draw_piece:
    lda piece_tile,x
    sta t0
    txa
    asl
    asl
    tax
    lda #4
    sta cell_n
@cell:
    lda cell_dy,x
    asl
    asl
    asl
    clc
    adc org_y
    cmp #FIELD_ROW * 8 - 1
    bcc @hidden
    sta OAM_BUFFER,y
@hidden:
    lda t0
    sta OAM_BUFFER + 1,y
    lda #0
    sta OAM_BUFFER + 2,y
    lda cell_dx,x
    asl
    asl
    asl
    clc
    adc org_x
    sta OAM_BUFFER + 3,y
    iny
    iny
    iny
    iny
    inx
    dec cell_n
    bne @cell
    rts

next_x:                           ; by piece T J Z O S L I, so that each stands in the middle of its box
    .byte 212, 212, 212, 216, 212, 212, 216
next_y:
    .byte 147, 147, 147, 147, 147, 147, 151

; One of the counters into the queue; all of them pass in HUD_ITEMS frames.
queue_counter:
    ldx hud_index
    inx
    cpx #HUD_ITEMS
    bcc @item
    ldx #0
@item:
    stx hud_index
    lda hud_high,x
    sta VRAM_QUEUE + 1
    lda hud_low,x
    sta VRAM_QUEUE + 2
    ldy #0                        ; bytes queued
    txa
    beq @score
    cmp #2
    bcc @lines
    beq @level
    cmp #10
    bcc @statistic
    jmp queue_palette
@score:
    lda a_score + 2
    jsr two_digits
    lda a_score + 1
    jsr two_digits
    lda a_score
    jmp @pair
@lines:
    lda a_lines + 1
    jsr digit
    lda a_lines
    jmp @pair
@level:
    lda a_level
    ldx #0
@hundreds:
    cmp #100
    bcc @hundreds_done
    sbc #100
    inx
    bcs @hundreds
@hundreds_done:
    sta t0
    txa
    jsr digit
    lda t0
    ldx #0
@tens:
    cmp #10
    bcc @tens_done
    sbc #10
    inx
    bcs @tens
@tens_done:
    sta t0
    txa
    jsr digit
    lda t0
    jsr digit
    jmp @end
@statistic:
    sbc #3 - 1                    ; carry is clear
    asl
    tax
    lda STATISTICS + 1,x
    jsr digit
    lda STATISTICS,x
@pair:
    jsr two_digits
@end:
    lda #0
    sta VRAM_QUEUE + 3,y
    sty VRAM_QUEUE
    rts

two_digits:
    pha
    lsr
    lsr
    lsr
    lsr
    jsr digit
    pla
    and #$0F
digit:                            ; above 9: letters, as the hundreds of lines count on in hexadecimal
    sta VRAM_QUEUE + 3,y
    iny
    rts

; Three block colours by level modulo 10: item 10 the playfield's, item 11 the sprites'.
queue_palette:
    lda a_level
@modulo:
    cmp #10
    bcc @level
    sbc #10
    bcs @modulo
@level:
    sta t0
    asl
    adc t0
    tax
@colour:
    lda level_colours,x
    sta VRAM_QUEUE + 3,y
    inx
    iny
    cpy #3
    bne @colour
    lda #0
    sta VRAM_QUEUE + 3,y
    sty VRAM_QUEUE
    rts

.define HUD_PLACES HUD_SCORE, HUD_LINES, HUD_LEVEL, HUD_COUNT, HUD_COUNT + $40, HUD_COUNT + $80, HUD_COUNT + $C0, HUD_COUNT + $100, HUD_COUNT + $140, HUD_COUNT + $180, $3F01, $3F11
hud_low:
    .lobytes HUD_PLACES
hud_high:
    .hibytes HUD_PLACES

level_colours:
    .byte $21, $2A, $27
    .byte $2C, $28, $24
    .byte $25, $21, $2A
    .byte $29, $26, $2C
    .byte $28, $22, $25
    .byte $2A, $24, $21
    .byte $27, $2C, $29
    .byte $24, $29, $28
    .byte $22, $27, $2A
    .byte $26, $2B, $22
