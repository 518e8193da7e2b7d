; What is drawn, and when: rows of cells that changed, sprites, whole screens.

MOST_ROWS = 8
FIELD_SCREEN = AT 4, 8            ; player 1's highest row; player 2's is 16 tiles to the right

; NMI: the rows of ROW_LIST. A cell is its tile. About 120 cycles a row.
flush_rows:
    ldy rows_ready
@row:
    dey
    bmi @done
    ldx ROW_LIST,y
    lda row_high,x
    sta PPUADDR
    lda row_low,x
    sta PPUADDR
    txa
    asl
    asl
    asl
    tax
    .repeat COLUMNS, column
    lda CELLS + column,x
    sta PPUDATA
    .endrepeat
    jmp @row
@done:
    lda #0
    sta rows_ready
    rts

row_high:
    .repeat 32, i
    .byte >(FIELD_SCREEN + i / 16 * 16 + 32 * (i & 15))
    .endrepeat
row_low:
    .repeat 32, i
    .byte <(FIELD_SCREEN + i / 16 * 16 + 32 * (i & 15))
    .endrepeat

; The next changed rows into ROW_LIST; one player's only, if there is only one.
queue_rows:
    ldy row_cursor
    ldx #0
    lda #32
    sta left
@look:
    lda changed,y
    beq @next
    lda #0
    sta changed,y
    tya
    sta ROW_LIST,x
    inx
    cpx #MOST_ROWS
    beq @full
@next:
    iny
    tya
    and #31
    tay
    dec left
    bne @look
@full:
    sty row_cursor
    stx rows_ready
    rts

.include "../queue.inc"

; The screen of game state X.
draw_screen:
    lda screens_low,x
    sta ptr
    lda screens_high,x
    sta ptr + 1
    cpx #GAME_PLAY
    bne @scripted
    lda mode
    beq @scripted
    lda #<two_script
    sta ptr
    lda #>two_script
    sta ptr + 1
@scripted:
    jsr fill_screen
    jmp draw_script

.include "../script.inc"

; --- the falling pieces and the next ones ---
USED_SPRITES = 8

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
    sta t5                        ; place in the buffer
    ldx #0
    jsr place_pieces
    lda mode
    beq @done
    ldx #1
    jsr place_pieces
@done:
    rts

; Both pieces of player X.
place_pieces:
    stx player
    lda next_1,x
    ora #LINK_RIGHT
    sta t2
    lda next_2,x
    ora #LINK_LEFT
    sta t3
    lda #4
    sta cell_x
    lda #<-2
    sta cell_y
    jsr place_half
    inc cell_x
    lda t3
    sta t2
    jsr place_half
    lda game_state                ; a pause does not show the piece: no time to think
    cmp #GAME_PLAY
    bne @hidden
    lda play_state,x
    cmp #PLAY_CONTROL
    beq @control
@hidden:
    rts
@control:
    jsr halves
    lda pair_x,x
    sta cell_x
    lda pair_y,x
    sta cell_y
    jsr place_half
    lda t3
    sta t2
    lda direction,x
    lsr
    bcs @upright
    inc cell_x
    bcc place_half                ; always
@upright:
    dec cell_y

; The half t2 as a sprite at cell_x, cell_y. Keeps X.
place_half:
    ldy t5
    lda t2
    sta OAM_BUFFER + 1,y
    lda #0
    sta OAM_BUFFER + 2,y
    lda cell_y
    asl
    asl
    asl
    clc
    adc #8 * 8 - 1                ; sprites appear one line below their y (hardware reference: OAM)
    sta OAM_BUFFER,y
    lda cell_x
    asl
    asl
    asl
    adc sprite_base,x             ; carry is clear
    sta OAM_BUFFER + 3,y
    tya
    clc
    adc #4
    sta t5
    rts

sprite_base:
    .byte 32, 160
