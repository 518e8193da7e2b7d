; Pieces: their cells, rotation, what fits, which one comes next. Ids 0-18 as documented for NES Tetris.

; Carry clear if the piece in the scratch block fits. A cell may lie above the top: rows -1 and -2 are the tail of the
; page, and what was locked there still blocks. Only bytes below $EF block.
fits:
    lda p_piece
    asl
    asl
    tax
    lda #4
    sta cell_n
@cell:
    lda p_y
    clc
    adc cell_dy,x
    clc
    adc #2                        ; rows -2..19 are now 0..21
    cmp #ROWS + 2
    bcs @no
    tay
    lda p_x
    clc
    adc cell_dx,x
    cmp #COLUMNS
    bcs @no
    clc
    adc times_ten - 2,y           ; the table begins with rows -2 and -1
    tay
    lda FIELD,y
    cmp #TILE_EMPTY
    bcc @full
    inx
    dec cell_n
    bne @cell
    clc
    rts
@full:
    sec
@no:
    rts

; The piece of the scratch block becomes part of the page.
write_piece:
    ldy p_piece
    lda piece_tile,y
    sta t0
    tya
    asl
    asl
    tax
    lda #4
    sta cell_n
@cell:
    lda p_y
    clc
    adc cell_dy,x
    clc
    adc #2
    tay
    lda p_x
    clc
    adc cell_dx,x
    clc
    adc times_ten - 2,y
    tay
    lda t0
    sta FIELD,y
    inx
    dec cell_n
    bne @cell
    rts

; The next piece's id, also left in spawn_id. One roll; a repeat or the unused eighth value costs one step of the
; generator and a second roll that may repeat.
choose_piece:
    inc spawn_count
    lda lfsr_hi
    clc
    adc spawn_count
    and #7
    cmp #7
    beq @again
    tax
    lda spawn_ids,x
    cmp spawn_id
    bne @take
@again:
    jsr lfsr_step
    lda lfsr_hi
    and #7
    clc
    adc spawn_id
@modulo:
    cmp #7
    bcc @index
    sbc #7
    bcs @modulo
@index:
    tax
    lda spawn_ids,x
@take:
    sta spawn_id
    rts

; One more of piece id X in the statistics: two BCD digits, then hundreds.
count_piece:
    lda piece_type,x
    asl
    tax
    inc STATISTICS,x
    lda STATISTICS,x
    and #$0F
    cmp #10
    bcc @done
    lda STATISTICS,x
    adc #6 - 1                    ; carry is set
    sta STATISTICS,x
    cmp #$A0
    bcc @done
    and #$0F
    sta STATISTICS,x
    inc STATISTICS + 1,x
@done:
    rts

; Page offset of a row; the two entries in front are the hidden rows, the one behind is row 20, which a row check can
; reach below a piece locked at the floor.
    .lobytes -20, -10
times_ten:
    .repeat ROWS + 1, row
    .byte 10 * row
    .endrepeat

spawn_ids:
    .byte 2, 7, 8, 10, 11, 14, 18
piece_type:                       ; T J Z O S L I
    .byte 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 4, 5, 5, 5, 5, 6, 6
piece_tile:
    .byte $7B, $7B, $7B, $7B, $7D, $7D, $7D, $7D, $7C, $7C, $7B, $7D, $7D, $7C, $7C, $7C, $7C, $7B, $7B
turn_right:
    .byte 1, 2, 3, 0, 5, 6, 7, 4, 9, 8, 10, 12, 11, 14, 15, 16, 13, 18, 17
turn_left:
    .byte 3, 0, 1, 2, 7, 4, 5, 6, 9, 8, 10, 12, 11, 16, 13, 14, 15, 18, 17

; Four cells a piece, relative to its pivot, y downwards.
cell_dx:
    .lobytes -1, 0, 1, 0          ;  0 T up
    .lobytes 0, 0, 1, 0           ;  1 T right
    .lobytes -1, 0, 1, 0          ;  2 T down, as it enters
    .lobytes 0, -1, 0, 0          ;  3 T left
    .lobytes 0, 0, -1, 0          ;  4 J left
    .lobytes -1, -1, 0, 1         ;  5 J up
    .lobytes 0, 1, 0, 0           ;  6 J right
    .lobytes -1, 0, 1, 1          ;  7 J down, as it enters
    .lobytes -1, 0, 0, 1          ;  8 Z horizontal, as it enters
    .lobytes 1, 0, 1, 0           ;  9 Z vertical
    .lobytes -1, 0, -1, 0         ; 10 O
    .lobytes 0, 1, -1, 0          ; 11 S horizontal, as it enters
    .lobytes 0, 0, 1, 1           ; 12 S vertical
    .lobytes 0, 0, 0, 1           ; 13 L right
    .lobytes -1, 0, 1, -1         ; 14 L down, as it enters
    .lobytes -1, 0, 0, 0          ; 15 L left
    .lobytes 1, -1, 0, 1          ; 16 L up
    .lobytes 0, 0, 0, 0           ; 17 I vertical
    .lobytes -2, -1, 0, 1         ; 18 I horizontal, as it enters
cell_dy:
    .lobytes 0, 0, 0, -1
    .lobytes -1, 0, 0, 1
    .lobytes 0, 0, 0, 1
    .lobytes -1, 0, 0, 1
    .lobytes -1, 0, 1, 1
    .lobytes -1, 0, 0, 0
    .lobytes -1, -1, 0, 1
    .lobytes 0, 0, 0, 1
    .lobytes 0, 0, 1, 1
    .lobytes -1, 0, 0, 1
    .lobytes 0, 0, 1, 1
    .lobytes 0, 0, 1, 1
    .lobytes -1, 0, 0, 1
    .lobytes -1, 0, 1, 1
    .lobytes 0, 0, 0, 1
    .lobytes -1, -1, 0, 1
    .lobytes -1, 0, 0, 0
    .lobytes -2, -1, 0, 1
    .lobytes 0, 0, 0, 0
