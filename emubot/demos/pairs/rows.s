; The playfields on the screen: rows that changed, three a frame.

ROW_RECORD = 32                   ; 12 tiles of the upper and 12 of the lower half, address high, low, attribute address
MOST_ROWS  = 3                    ; low, 4 attribute bytes

; NMI: what the game part left in ROW_BUFFER. About 280 cycles a row.
flush_rows:
    ldx #0
@row:
    dec rows_ready
    bpl @write
    inc rows_ready
    rts
@write:
    lda ROW_BUFFER + 24,x
    sta PPUADDR
    lda ROW_BUFFER + 25,x
    sta PPUADDR
    .repeat 12, i
    lda ROW_BUFFER + i,x
    sta PPUDATA
    .endrepeat
    lda ROW_BUFFER + 24,x
    sta PPUADDR
    lda ROW_BUFFER + 25,x
    ora #32
    sta PPUADDR
    .repeat 12, i
    lda ROW_BUFFER + 12 + i,x
    sta PPUDATA
    .endrepeat
    lda #>ATTRIBUTE_TABLE
    sta PPUADDR
    lda ROW_BUFFER + 26,x
    sta PPUADDR
    .repeat 4, i
    lda ROW_BUFFER + 27 + i,x
    sta PPUDATA
    .endrepeat
    txa
    clc
    adc #ROW_RECORD
    tax
    jmp @row

; The next changed rows into ROW_BUFFER: at most A.
queue_rows:
    sta t5
    lda #32
    sta t4                        ; rows still to be looked at
    ldx #0                        ; record
    ldy row_cursor
@look:
    lda changed,y
    bne @found
@next:
    iny
    tya
    and #31
    tay
    dec t4
    bne @look
@full:
    sty row_cursor
    rts
@found:
    lda #0
    sta changed,y
    tya
    and #15
    beq @next                     ; the hidden row is not drawn
    jsr queue_row
    inc rows_ready
    txa
    clc
    adc #ROW_RECORD
    tax
    dec t5
    bne @next
    iny
    tya
    and #31
    tay
    jmp @full

; Row Y (16 * player + y) into the record at X. Keeps X and Y.
queue_row:
    sty t3
    stx t2
    lda row_high,y
    sta ROW_BUFFER + 24,x
    lda row_low,y
    sta ROW_BUFFER + 25,x
    tya
    and #15
    sta ptr                       ; cell of column 0, in CELLS
    tya
    and #16
    asl
    asl
    asl
    ora ptr
    sta ptr
    lda #>CELLS
    sta ptr + 1
    .repeat 6, column
    ldy #16 * (column + 1)
    lda (ptr),y
    jsr cell_looks
    sta palettes + column
    tya
    sta ROW_BUFFER + 2 * column,x
    ora #2
    sta ROW_BUFFER + 2 * column + 1,x
    ora #1
    sta ROW_BUFFER + 12 + 2 * column + 1,x
    and #<~2
    sta ROW_BUFFER + 12 + 2 * column,x
    .endrepeat
    ldy t3                        ; attributes: two cells side by side share a byte with the two above or below
    lda attribute_low,y
    sta ROW_BUFFER + 26,x
    sec
    sbc #<ATTRIBUTE_TABLE
    tay
    lda palettes
    asl
    asl
    ldx #%11110011
    jsr @attribute
    lda palettes + 2
    asl
    asl
    ora palettes + 1
    ldx #%11110000
    jsr @attribute
    lda palettes + 4
    asl
    asl
    ora palettes + 3
    ldx #%11110000
    jsr @attribute
    lda palettes + 5
    ldx #%11111100
    jsr @attribute
    ldx t2
    lda ATTRIBUTES - 4,y
    sta ROW_BUFFER + 27,x
    lda ATTRIBUTES - 3,y
    sta ROW_BUFFER + 28,x
    lda ATTRIBUTES - 2,y
    sta ROW_BUFFER + 29,x
    lda ATTRIBUTES - 1,y
    sta ROW_BUFFER + 30,x
    ldy t3
    rts
@attribute:                       ; A into the copy of attribute byte Y, but for the bits X; rows of odd y are lower halves
    sta t0
    stx t1
    lda t3
    lsr
    bcc @upper
    lda t0
    asl
    asl
    asl
    asl
    sta t0
    txa
    asl                           ; turned by four bits
    adc #0
    asl
    adc #0
    asl
    adc #0
    asl
    adc #0
    sta t1
@upper:
    lda ATTRIBUTES,y
    and t1
    ora t0
    sta ATTRIBUTES,y
    iny
    rts

; A kind: its first tile in Y, its palette in A. Keeps X.
cell_looks:
    cmp #0
    bmi @pops
    tay
    lda kind_palettes,y
    pha
    lda kind_tiles,y
    tay
    pla
    rts
@pops:
    and #<~POPPING
    tay
    lda kind_palettes,y
    pha
    ldy #TILE_FLASH
    lda turn
    and #4
    beq @flash
    ldy #TILE_FLASH_2
@flash:
    pla
    rts

kind_palettes:
    .byte 3, 0, 0, 1, 1, 2, 2, 3, 3, 3, 3
kind_tiles:                       ; empty, colours, nuisance, (flash), big, carbuncle
    .repeat 11, kind
    .byte TILE_CELLS + 4 * kind
    .endrepeat

ATTRIBUTE_TABLE = $23C0
FIELD_SCREEN = AT 2, 0             ; player 1's hidden row, which is not drawn; player 2's is 16 tiles to the right
row_high:
    .repeat 32, i
    .byte >(FIELD_SCREEN + i / 16 * 16 + 64 * (i & 15))
    .endrepeat
row_low:
    .repeat 32, i
    .byte <(FIELD_SCREEN + i / 16 * 16 + 64 * (i & 15))
    .endrepeat
attribute_low:
    .repeat 32, i
    .byte <(ATTRIBUTE_TABLE + 8 * ((i & 15) / 2) + i / 16 * 4)
    .endrepeat
