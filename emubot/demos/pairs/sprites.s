; Falling pairs as sprites, and where they are in pixels.

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
    lda game_state                ; a pause does not show it: no time to think
    cmp #GAME_PLAY
    bne @done
    lda play_state,x
    cmp #PLAY_CONTROL
    bne @done
    tya
    beq @done
    sta cell_x
    lda pair_y,x
    sta cell_y
    lda cur_pivot,x
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
    lda cur_second,x
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
