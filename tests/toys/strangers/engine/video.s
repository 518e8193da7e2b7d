; The picture: the board a few rows at a time, the piece, a word for the screen.

BOARD_AT = $2000 + 32 * BOARD_ROW + BOARD_COLUMN
WORD_AT  = $2000 + 32 * 1 + BOARD_COLUMN
NEXT_AT  = $2000 + 32 * 5 + 24
LEVEL_AT = $2000 + 32 * 8 + 24

; A := where visible row A is on the screen.
.macro screen_row
.if FLIPPED                       ; gravity upwards: the floor is at the top
    eor #$FF
    clc
    adc #ROWS
.endif
.endmacro

; End of a frame: the next rows of the board as tiles, and the piece if `shown`. Hidden rows are not drawn.
show:
    lda #0
    sta count
@strip:
    ldx count
    lda draw_row
    screen_row
    pha
    lsr                           ; address: row * 32
    lsr
    lsr
    clc
    adc #>(BOARD_AT)
    sta strip_high,x
    pla
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
    sta row
    tay
    point
    ldx #0
@cell:
    ldy lane_byte,x
    lda (ptr),y
    eor #EMPTY
.if PACKED
    and lane_mask,x
.endif
    beq @empty
    lda #TILE_BLOCK
    bne @tile
@empty:
    lda #TILE_EMPTY
@tile:
    ldy keep
    sta STRIP,y
    inc keep
    inx
    cpx #COLUMNS
    bne @cell
.if SPRITES = 0
    lda shown
    beq @over
    lda count
    asl
    asl
    asl
    asl
    sta keep
    ldx last
@piece:
    lda trial_y,x
    cmp row
    bne @other
    lda trial_x,x
    clc
    adc keep
    tay
    lda #TILE_PIECE
    sta STRIP,y
@other:
    dex
    bpl @piece
@over:
.endif
    ldx draw_row
    inx
    cpx #ROWS
    bne @more
    ldx #0
@more:
    stx draw_row
    inc count
    lda count
    cmp #STRIPS
    jne @strip
.if SPRITES
    ldy #0
    lda shown
    beq @parked
    ldx last
@sprite:
    lda trial_y,x
    sec
    sbc #HIDDEN
    screen_row
    asl
    asl
    asl
    clc
    adc #8 * BOARD_ROW - 1        ; a sprite is drawn one line below its y
    sta OAM_BUFFER,y
    lda #TILE_PIECE
    sta OAM_BUFFER + 1,y
    lda trial_x,x
    asl
    asl
    asl
    clc
    adc #8 * BOARD_COLUMN
    sta OAM_BUFFER + 3,y
    iny
    iny
    iny
    iny
    dex
    bpl @sprite
@parked:
    cpy #4 * MOST_CELLS
    beq @all
    lda #$F8
    sta OAM_BUFFER,y
    iny
    iny
    iny
    iny
    bne @parked
@all:
.endif
    lda #0
    sta shown
    rts

; In vertical blank: what is prepared.
picture:
.if SPRITES
    lda #0
    sta OAMADDR
    lda #>OAM_BUFFER
    sta OAMDMA
.endif
    ldy #0
@strip:
    lda strip_high,y
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
    sta strip_end
@tile:
    lda STRIP,x
    sta PPUDATA
    inx
    cpx strip_end
    bne @tile
    iny
    cpy #STRIPS
    bne @strip
.if NEXT
    lda #>NEXT_AT
    sta PPUADDR
    lda #<NEXT_AT
    sta PPUADDR
    lda next
    sta PPUDATA
.endif
.if SHOWS_NUMBER
    lda #>LEVEL_AT
    sta PPUADDR
    lda #<LEVEL_AT
    sta PPUADDR
    lda SHOWN_NUMBER
    and #$0F
    sta PPUDATA
.endif
    bit PPUSTATUS
.if KIND = SCROLLING
    lda pos_x
    sta PPUSCROLL
    lda pos_y
    sta PPUSCROLL
.else
    lda #0
    sta PPUSCROLL
    sta PPUSCROLL
.endif
.if SPRITES
    lda #$1E
.else
    lda #$0E
.endif
    sta PPUMASK
    rts

; The words of screen A. The screen goes dark until the next frame, so that no byte needs to say which words stand there.
text:
    asl
    asl
    asl
    asl
    tax
    ldy #0
    sty PPUMASK
    lda #>WORD_AT
    sta PPUADDR
    lda #<WORD_AT
    sta PPUADDR
    ldy #16
@letter:
    lda words,x
    sta PPUDATA
    inx
    dey
    bne @letter
    rts

words:
    WORDS

; Rendering is off: palettes, an empty screen, a wall around the board.
draw_screen:
.if SPRITES
    ldx #0
    lda #$F8
@hide:
    sta OAM_BUFFER,x
    inx
    bne @hide
.endif
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
    ldy #3 * 32                   ; with the picture below; the attributes too: all four palettes are the same
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
