; Lines of four and more: the test for them, what they are worth, and their end.

; --- SETTLE is over: lines vanish, or the move is over ---
state_settle:
    jsr search_lines
    ldx player
    lda found
    bne @some
    jmp end_move
@some:
    lda #PLAY_VANISH
    sta play_state,x
    lda #VANISH
    sta wait,x
    inc chain,x
    lda targets,x
    sec
    sbc hit
    sta targets,x
    jsr draw_rows
    jsr add_points
    jmp sound_pop

; Marks the cells of all lines and cuts their links; counts the lines in `found` and their targets in `hit`. Rows come
; first, from the highest down, then columns, from the left one on. Each line has one cell, or more, whose place in its row
; or column is 3, 7, 11 or 15: only runs through these cells are looked at, from their first one.
search_lines:
    lda #0
    sta found
    sta hit
    lda base
@row:
    sta cell_at
    clc
    adc #3
    tax
    lda #3
    ldy #COLUMNS - 4
    jsr search_row
    lda cell_at
    clc
    adc #7
    tax
    lda #4
    ldy #0
    jsr search_row
    lda cell_at
    clc
    adc #COLUMNS
    bit row_bits
    bne @row
    lda base
@column:
    sta cell_at
    clc
    adc #3 * COLUMNS
    tax
    lda #3
    ldy #ROWS - 4
    jsr search_column
    lda cell_at
    clc
    adc #7 * COLUMNS
    tax
    lda #4
    ldy #ROWS - 8
    jsr search_column
    lda cell_at
    clc
    adc #11 * COLUMNS
    tax
    lda #4
    ldy #ROWS - 12
    jsr search_column
    lda cell_at
    clc
    adc #15 * COLUMNS
    tax
    lda #4
    ldy #0
    jsr search_column
    inc cell_at
    lda cell_at
    and #COLUMNS
    bne @done
    lda cell_at
    bne @column                   ; always
@done:
    rts

row_bits:
    .byte $78

; The run through cell X is marked if it is long enough, and if it does not reach four cells back. A: cells to look at
; before X, Y: cells after it. `step`: from one cell to the next.
.macro search step
    .local @back, @first, @front, @next, @last, @none
    sta back
    lda CELLS,x
    and #COLOUR
    beq @none
    sta run_colour
    sty front
    stx cell_x
    ldy #1                        ; length of the run
@back:
    .if step = 1
    dex
    .else
    txa
    sec
    sbc #step
    tax
    .endif
    dec back
    bmi @first
    lda CELLS,x
    and #COLOUR
    cmp run_colour
    bne @first
    iny
    cpy #5
    bne @back
@none:
    rts
@first:
    ldx cell_x
@front:
    .if step = 1
    inx
    .else
    txa
    clc
    adc #step
    tax
    .endif
    dec front
    bmi @last
    lda CELLS,x
    and #COLOUR
    cmp run_colour
    bne @last
    iny
    bne @front                    ; always
@last:
    cpy #4
    bcc @none
    lda #step
.endmacro

search_column:
    search COLUMNS
    bne mark_run                  ; always
search_row:
    search 1

; A run of Y cells that ended before cell X, each A cells after the one before it.
mark_run:
    sta step
    stx cell_x
    sty run_length
    inc found
    ldx player
    lda lines,x
    cmp #MOST_PENDING
    bcs @counted
    adc list_base,x               ; carry is clear
    tay
    lda run_colour
    sta line_colours,y
@counted:
    inc lines,x
    lda cell_x
@cell:
    sec
    sbc step
    tax
    lda CELLS,x
    bmi @marked
    cmp #LINK_LEFT
    bcs @linked
@single:
    cmp #TARGET
    bcc @mark
    inc hit
@mark:
    ora #VANISHING
    sta CELLS,x
@marked:
    txa
    dec run_length
    bne @cell
    rts
@linked:
    sta t1
    lsr
    lsr
    lsr
    lsr
    tay
    txa
    adc other_half - 1,y          ; carry is clear: the colours are below 8
    tay
    lda CELLS,y
    and #COLOUR
    sta CELLS,y
    lda t1
    and #COLOUR
    bpl @single                   ; always

other_half:                       ; left, right, up, down
    .lobytes -1, 1, -8, 8
list_base:
    .byte 0, MOST_PENDING

; A target is worth the step of the chain times (pace + 1), in hundreds; at most 9,999 hundreds.
add_points:
    ldy twice,x
@target:
    dec hit
    bmi @most
    lda pace
    sta t1
@pace:
    lda score,y
    clc
    adc chain,x
    sta score,y
    bcc @carried
    lda score + 1,y
    adc #0
    sta score + 1,y
@carried:
    dec t1
    bpl @pace
    bmi @target                   ; always
@most:
    lda score,y
    cmp #<10000
    lda score + 1,y
    sbc #>10000
    bcc @done
    lda #<9999
    sta score,y
    lda #>9999
    sta score + 1,y
@done:
    rts

; --- VANISH is over: without a target the stage is won, else what is loose falls ---
state_vanish:
    ldy base
@cell:
    lda CELLS,y
    bpl @next
    lda #0
    sta CELLS,y
@next:
    iny
    tya
    and #$7F
    bne @cell
    jsr draw_rows
    lda targets,x
    beq @won
    jmp to_fall
@won:
    inc stages,x
    jsr forget_lines
    lda #PLAY_WON
    sta play_state,x
    lda #STAGE_WAIT
    sta wait,x
    ldy #GAME_WON
    lda mode
    beq @ended
    txa                           ; of two players the other one has lost
    eor #1
    tay
    iny
    sty loser
    ldy #GAME_OVER
@ended:
    sty game_state
    jmp sound_attack

; A new move of player X has no lines. Keeps X.
forget_lines:
    lda #0
    sta chain,x
    sta lines,x
    ldy list_base,x
    sta line_colours,y
    sta line_colours + 1,y
    sta line_colours + 2,y
    sta line_colours + 3,y
    rts
