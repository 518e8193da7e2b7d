; The picture: the board a few rows at a time, the piece as sprites, a word for the screen.

; Game part: the next rows of the board as tiles. Hidden rows are not drawn.
prepare_strips:
    lda #0
    sta at
@strip:
    ldx at
    lda draw_row
    lsr                           ; address: row * 32
    lsr
    lsr
    clc
    adc #>(BOARD_AT)
    sta strip_high,x
    lda draw_row
    asl
    asl
    asl
    asl
    asl
    clc
    adc #<(BOARD_AT)
    sta strip_low,x
    bcc @placed
    inc strip_high,x
@placed:
    txa
    asl
    asl
    asl
    asl
    sta keep
    lda draw_row
    clc
    adc #HIDDEN
    tax
    jsr point_at_row
    ldx keep
    ldy #0
@cell:
    lda (ptr),y
    cmp #CODE_EMPTY
    beq @empty
    lda #TILE_BLOCK
    bne @tile
@empty:
    lda #TILE_EMPTY
@tile:
    sta STRIP,x
    inx
    jsr next_column
    bne @cell
    ldx draw_row
    inx
    cpx #ROWS
    bne @more
    ldx #0
@more:
    stx draw_row
    inc at
    lda at
    cmp #STRIPS
    bne @strip
    rts

; NMI: the prepared rows.
write_strips:
    ldy #0
@strip:
    lda strip_high,y
    beq @done                     ; nothing is prepared yet
    sta PPUADDR
    lda strip_low,y
    sta PPUADDR
    tya
    asl
    asl
    asl
    asl
    tax
    clc
    adc #COLUMNS
    sta nmi_at
@tile:
    lda STRIP,x
    sta PPUDATA
    inx
    cpx nmi_at
    bne @tile
    iny
    cpy #STRIPS
    bne @strip
@done:
    rts

; NMI: what the state is called, in the top line.
write_word:
    lda #>(WORD_AT)
    sta PPUADDR
    lda #<(WORD_AT)
    sta PPUADDR
    lda state
    asl
    asl
    asl
    tax
    ldy #8
@letter:
    lda words - 8,x
    sta PPUDATA
    inx
    dey
    bne @letter
    rts

words:
    .byte "START   ", "LEVEL   ", "PAD TWO ", "READY   ", "PLAY    ", "LOCK    ", "ROWS    ", "OVER    "

; Game part: a sprite for each cell of the piece in the air; the others are parked.
show_piece:
    ldx p_n
    lda shape_first,x
    sta kick
    lda #0
    ldy state
    cpy #PLAYING
    beq @shown
    cpy #LOCKED
    bne @counted
@shown:
    lda shape_size,x
@counted:
    sta count
    lda p_n
    clc
    adc #ID_FIRST
    sta piece
    lda follow
    clc
    adc #ID_FIRST
    sta next
.if STORES_PLACE
    lda p_x
    clc
    adc #X_OFFSET
    sta pos_x
    .if UPWARD
    lda #ROWS - 1
    sec
    sbc p_y
    .else
    lda p_y
    .endif
    sta pos_y
.endif
    ldy #0
@sprite:
    ldx #PARKED
    lda #0
    dec count
    bmi @write
    ldx kick
    inc kick
    lda p_y
    clc
    adc cell_y,x
    asl
    asl
    asl
    clc
    adc #8 * BOARD_ROW - 1        ; a sprite is drawn one line below its y
    pha
    lda p_x
    clc
    adc cell_x,x
    asl
    asl
    asl
    clc
    adc #8 * BOARD_COLUMN
    sta carried
    pla
    tax
    lda carried
@write:
    sta OAM_BUFFER + 3,y
    txa
    sta OAM_BUFFER,y
    lda #TILE_PIECE
    sta OAM_BUFFER + 1,y
    lda #0
    sta OAM_BUFFER + 2,y
    iny
    iny
    iny
    iny
    cpy #4 * SPRITES
    bne @sprite
    rts

hide_sprites:
    ldx #0
    lda #PARKED
@sprite:
    sta OAM_BUFFER,x
    inx
    inx
    inx
    inx
    bne @sprite
    rts

; Rendering is off: palettes, an empty screen, a wall around the board.
draw_screen:
    lda #$3F
    sta PPUADDR
    ldx #0
    stx PPUADDR
@color:
    lda palettes,x
    sta PPUDATA
    inx
    cpx #32
    bne @color
    lda #$20
    sta PPUADDR
    lda #0
    sta PPUADDR
    ldy #30 + 2                   ; the attribute table too: all four palettes are the same
    lda #TILE_BLANK
@line:
    ldx #32
@tile:
    sta PPUDATA
    dex
    bne @tile
    dey
    bne @line
    lda #<(BOARD_AT - 1)
    sta ptr
    lda #>(BOARD_AT - 1)
    sta ptr + 1
    ldy #ROWS + 1
@row:
    lda ptr + 1
    sta PPUADDR
    lda ptr
    sta PPUADDR
    ldx #COLUMNS + 2
    lda #TILE_WALL
@wall:
    sta PPUDATA
    dex
    bne @wall
    lda ptr
    clc
    adc #32
    sta ptr
    bcc @next
    inc ptr + 1
@next:
    dey
    bne @row
    rts

palettes:
    .byte $0F, $00, $2C, $30, $0F, $00, $2C, $30, $0F, $00, $2C, $30, $0F, $00, $2C, $30
    .byte $0F, $00, $27, $30, $0F, $00, $27, $30, $0F, $00, $27, $30, $0F, $00, $27, $30
