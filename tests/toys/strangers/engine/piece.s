; The piece, in whatever way it is named and placed, and the trial place: every move is made there first.
; trial_n: number of the orientation; trial_column, trial_row: pivot; a row counts from the highest stored one.
; trial_x, trial_y: the cells, from 0 to `last`. With COORDS they are all that there is, and cell 0 is the pivot.

; A := a column or row from a place in memory, and the other way round.
.macro to_column
.if X_PIXELS
    sec
    sbc #<(X_OFFSET - 8 * BIAS)
    lsr
    lsr
    lsr
    sec
    sbc #BIAS
.else
    sec
    sbc #<X_OFFSET
.endif
.endmacro

.macro from_column
    clc
.if X_PIXELS
    adc #BIAS
    asl
    asl
    asl
    clc
    adc #<(X_OFFSET - 8 * BIAS)
.else
    adc #<X_OFFSET
.endif
.endmacro

.macro to_row_number
.if Y_KIND = Y_UP
    eor #$FF
    sec
    adc #<Y_OFFSET
.elseif Y_KIND = Y_PIXELS
    sec
    sbc #<(Y_OFFSET - 8 * BIAS)
    lsr
    lsr
    lsr
    sec
    sbc #BIAS
.elseif Y_KIND = Y_HALVES
    sec
    sbc #<(Y_OFFSET - 2 * BIAS - 1)   ; between two rows the lower one counts
    lsr
    sec
    sbc #BIAS
.else
    sec
    sbc #<Y_OFFSET
.endif
.endmacro

.macro from_row_number
.if Y_KIND = Y_UP
    eor #$FF
    sec
    adc #<Y_OFFSET
.elseif Y_KIND = Y_PIXELS
    clc
    adc #BIAS
    asl
    asl
    asl
    clc
    adc #<(Y_OFFSET - 8 * BIAS)
.elseif Y_KIND = Y_HALVES
    asl
    clc
    adc #<Y_OFFSET
.else
    clc
    adc #<Y_OFFSET
.endif
.endmacro

.if COORDS
load:
    ldx #SIZE - 1
    stx last
@cell:
    lda cell_columns,x
    to_column
    sta trial_x,x
    lda cell_rows,x
    to_row_number
    sta trial_y,x
    dex
    bpl @cell
expand:                           ; the cells are there
    rts

store:
    ldx #SIZE - 1
@cell:
    lda trial_x,x
    from_column
    sta cell_columns,x
    lda trial_y,x
    from_row_number
    sta cell_rows,x
    dex
    bpl @cell
    rts

store_sideways = store

; The trial cells by A columns.
move_columns:
    sta keep
    ldx #SIZE - 1
@cell:
    lda trial_x,x
    clc
    adc keep
    sta trial_x,x
    dex
    bpl @cell
    rts

fits = fits_cells

; The trial cells around cell 0. X: 0 clockwise, $FF counterclockwise.
turn_trial:
    stx way
    ldx #SIZE - 1
@cell:
    lda trial_x,x
    sec
    sbc trial_x
    sta keep
    lda trial_y,x
    sec
    sbc trial_y
    eor way                       ; the one of the two that changes its sign
    sec
    sbc way
    eor #$FF
    sec
    adc trial_x
    pha
    lda keep
    eor way
    sec
    sbc way
    clc
    adc trial_y
    sta trial_y,x
    pla
    sta trial_x,x
    dex
    bne @cell
    clc
    rts
.else
load:
.if NAMED = BY_BYTE
    lda piece
    sec
    sbc #<ID_FIRST
    tay
    lda shape_of_id,y
.elseif NAMED = BY_TWO
    lda piece
    sec
    sbc #<ID_FIRST
    tay
    lda piece_turn
    sec
    sbc #<TURN_FIRST
    clc
    adc type_first,y
.elseif NAMED = BY_POINTER
    lda piece
    sta ptr
    lda piece_high
    sta ptr + 1
    ldy #0
    lda (ptr),y
.endif
    sta trial_n
    lda pos_x
    to_column
    sta trial_column
    lda pos_y
    to_row_number
    sta trial_row
    rts

store:
    jsr store_name
    lda trial_column
    from_column
    sta pos_x
    lda trial_row
    from_row_number
    sta pos_y
    rts

; As `store`, but a piece between two rows stays there.
.if Y_KIND = Y_HALVES
store_sideways:
    lda pos_y
    sec
    sbc #<Y_OFFSET
    pha
    jsr store
    pla
    lsr
    bcc @whole
    dec pos_y
@whole:
    rts
.else
store_sideways = store
.endif

store_name:
    ldy trial_n
.if NAMED = BY_BYTE
    lda shape_id,y
    sta piece
.elseif NAMED = BY_TWO
    lda shape_type,y
    clc
    adc #<ID_FIRST
    sta piece
    tya
    ldx shape_type,y
    sec
    sbc type_first,x
    clc
    adc #<TURN_FIRST
    sta piece_turn
.elseif NAMED = BY_POINTER
    lda record_low,y
    sta piece
    lda record_high,y
    sta piece_high
.endif
    rts

; The cells of the trial place.
expand:
    ldy trial_n
    jsr shape_cells
    ldx last
@cell:
    lda trial_x,x
    clc
    adc trial_column
    sta trial_x,x
    lda trial_y,x
    clc
    adc trial_row
    sta trial_y,x
    dex
    bpl @cell
    rts

fits:
    jsr expand
    jmp fits_cells

move_columns:
    clc
    adc trial_column
    sta trial_column
    rts

; X: 0 clockwise, $FF counterclockwise. Carry: it would not change.
turn_trial:
    ldy trial_n
    lda turn_clockwise,y
    cpx #0
    beq @turned
    lda turn_counterclockwise,y
@turned:
    cmp trial_n
    beq @same
    sta trial_n
    clc
@same:
    rts
.endif

; The cells of shape Y around its pivot.
shape_cells:
    lda shape_last,y
    sta last
    tax
.if NAMED = BY_POINTER            ; from its record: number, then a column and a row for each cell
    lda record_low,y
    sta ptr
    lda record_high,y
    sta ptr + 1
    ldy #1
@cell:
    lda (ptr),y
    sta trial_x,x
    iny
    lda (ptr),y
    sta trial_y,x
    iny
    dex
    bpl @cell
.else
    lda shape_first,y
    tay
@cell:
    lda cell_x,y
    sta trial_x,x
    lda cell_y,y
    sta trial_y,x
    iny
    dex
    bpl @cell
.endif
    rts
