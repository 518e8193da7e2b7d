; The board in memory: row_low/row_high are its stored rows from the top, lane_byte and lane_mask its columns.
; A mask is a byte, half a byte or a bit; what is written through it is repeated in the whole byte.

; ptr := stored row Y. Leaves X alone.
.macro point
    .local @inside
.if SCROLLS                       ; the rows are a ring that begins at `scroll`
    tya
    clc
    adc scroll
    cmp #STORED
    bcc @inside
    sbc #STORED
@inside:
    tay
.endif
.if POINTERS = NO_POINTERS
    lda row_low,y
    sta ptr
    lda row_high,y
    sta ptr + 1
.else
    lda row_entry,y
    tay
    .if POINTERS = NUMBERS
    lda row_table,y
    tay
    lda row_low,y
    sta ptr
    lda row_high,y
    sta ptr + 1
    .else
    lda row_table,y
    sta ptr
    lda row_table_high,y
    sta ptr + 1
    .endif
.endif
.if TWICE                         ; `side` is 0, or the pages between the two boards
    clc
    adc side
    sta ptr + 1
.endif
.endmacro

; Carry clear: the trial cells are inside and free. Cells above the stored rows are free.
fits_cells:
    ldx last
@cell:
    lda trial_x,x
    cmp #COLUMNS
    bcs @no
    ldy trial_y,x
    bmi @next
    cpy #STORED
    bcs @no
    point
    ldy trial_x,x
    lda lane_byte,y
    tay
    lda (ptr),y
    eor #EMPTY
.if PACKED
    ldy trial_x,x
    and lane_mask,y
.endif
    bne @no
@next:
    dex
    bpl @cell
    clc
    rts
@no:
    sec
    rts

; `code` into the trial cells; what is above the stored rows is lost.
stamp:
    ldx last
@cell:
    ldy trial_y,x
    bmi @next
    point
    ldy trial_x,x
.if PACKED
    lda lane_mask,y
    sta mask
.endif
    lda lane_byte,y
    tay
.if PACKED
    lda (ptr),y
    eor code
    and mask
    eor (ptr),y
.else
    lda code
.endif
    sta (ptr),y
@next:
    dex
    bpl @cell
    rts

; Everything empty, walls and floor if there are any, and the rows in their places.
clear_board:
    ldx #STORED - 1
@row:
.if POINTERS <> NO_POINTERS
    ldy row_entry,x
    .if POINTERS = NUMBERS
    txa
    sta row_table,y
    .else
    lda row_low,x
    sta row_table,y
    lda row_high,x
    sta row_table_high,y
    .endif
.endif
    stx row
    jsr empty_row
    ldx row
    dex
    bpl @row
.if FLOOR
    ldx #ROW_BYTES - 1
@floor:
    ldy byte_at,x
    lda #<FLOOR_AT
    sta ptr
    lda #>FLOOR_AT
    sta ptr + 1
    lda floor_byte,x
    sta (ptr),y
    dex
    bpl @floor
.endif
    rts

; Stored row `row` becomes empty.
empty_row:
    ldy row
    point
    ldx #ROW_BYTES - 1
@byte:
    ldy byte_at,x
    lda empty_byte,x
    sta (ptr),y
    dex
    bpl @byte
    rts

; The full rows that are visible: from the lowest one into full_rows, with NO_ROW behind. Zero: there is none.
find_full:
    lda #0
    sta count
    ldx #STORED - 1
@row:
    stx row
    ldy row
    point
    ldx #COLUMNS - 1
@cell:
    ldy lane_byte,x
    lda (ptr),y
    eor #EMPTY
.if PACKED
    and lane_mask,x
.endif
    beq @gap
    dex
    bpl @cell
    ldx count
    lda row
    sta full_rows,x
    inc count
@gap:
    ldx row
    dex
    cpx #<(HIDDEN - 1)
    bne @row
    ldx count
    lda #NO_ROW
    sta full_rows,x
    txa
    rts

; The rows above those of full_rows come down: their cells are copied, or with a table of pointers their pointers.
remove_full:
    ldx #0
    stx count
    ldx #STORED - 1
    stx row
    stx to_row
@row:
    ldx count
    lda row
    cmp full_rows,x
    bne @keep
    inc count
.if POINTERS <> NO_POINTERS       ; the row's memory is used again on top
    tax
    ldy row_entry,x
    lda row_table,y
    pha
    .if POINTERS <> NUMBERS
    lda row_table_high,y
    pha
    .endif
.endif
    jmp @next
@keep:
    cmp to_row
    beq @same
.if POINTERS = NO_POINTERS
    ldy to_row
    lda row_low,y
    sta to
    lda row_high,y
    sta to + 1
    .if SCROLLS || TWICE
    ldy to_row
    point
    lda ptr
    sta to
    lda ptr + 1
    sta to + 1
    .endif
    ldy row
    point
    ldx #ROW_BYTES - 1
@byte:
    ldy byte_at,x
    lda (ptr),y
    sta (to),y
    dex
    bpl @byte
.else
    tax
    ldy row_entry,x
    lda row_table,y
    .if POINTERS <> NUMBERS
    pha
    lda row_table_high,y
    .endif
    ldx to_row
    ldy row_entry,x
    .if POINTERS <> NUMBERS
    sta row_table_high,y
    pla
    .endif
    sta row_table,y
.endif
@same:
    dec to_row
@next:
    dec row
    jpl @row
@top:
    lda to_row
    bmi @done
    sta row
.if POINTERS <> NO_POINTERS
    tax
    ldy row_entry,x
    .if POINTERS <> NUMBERS
    pla
    sta row_table_high,y
    .endif
    pla
    sta row_table,y
.endif
    jsr empty_row
    dec to_row
    jmp @top
@done:
    rts

.if TWICE
; The board into its other memory, which is the one that counts from now on.
swap_boards:
    ldx #STORED - 1
@row:
    stx row
    ldy row
    point
    lda ptr
    sta to
    lda ptr + 1
    clc
    adc #TWICE                    ; from the first to the second
    ldx side
    beq @other
    sec
    sbc #2 * TWICE
@other:
    sta to + 1
    ldx #ROW_BYTES - 1
@byte:
    ldy byte_at,x
    lda (ptr),y
    sta (to),y
    dex
    bpl @byte
    ldx row
    dex
    bpl @row
    lda side
    eor #TWICE
    sta side
    rts
.endif

.if SCROLLS
; After every third piece all rows move on by one place in memory, and the ring begins there.
scroll_board:
    inc scroll_left
    lda scroll_left
    cmp #3
    bne @done
    lda #0
    sta scroll_left
    ldx #STORED - 1
    jsr @fixed
    ldx #ROW_BYTES - 1
@save:
    ldy byte_at,x
    lda (ptr),y
    pha
    dex
    bpl @save
    ldx #STORED - 1
@row:
    stx row
    lda ptr
    sta to
    lda ptr + 1
    sta to + 1
    dex
    jsr @fixed
    ldx #ROW_BYTES - 1
@byte:
    ldy byte_at,x
    lda (ptr),y
    sta (to),y
    dex
    bpl @byte
    ldx row
    dex
    bne @row
    ldx #0
@restore:
    ldy byte_at,x
    pla
    sta (ptr),y
    inx
    cpx #ROW_BYTES
    bne @restore
    ldx scroll
    inx
    cpx #STORED
    bne @begin
    ldx #0
@begin:
    stx scroll
@done:
    rts
@fixed:                           ; ptr := place X of the ring
    lda row_low,x
    sta ptr
    lda row_high,x
    .if TWICE
    clc
    adc side
    .endif
    sta ptr + 1
    rts
.endif
