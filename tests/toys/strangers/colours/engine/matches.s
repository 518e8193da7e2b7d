; Which cells vanish, and how. A cell that does is marked by a bit of the player's MARKS.

MARK_BYTES = (CELLS + 7) / 8

clear_marks:
    ldy #MARK_BYTES - 1
    lda #0
.if PLAYERS = 2
    ldx player
    bne @second
.endif
@byte:
    sta MARKS,y
    dey
    bpl @byte
    rts
.if PLAYERS = 2
@second:
    sta MARKS + 32,y
    dey
    bpl @second
    rts
.endif

; X: the byte of cell X's mark; A: its bit. Y is the cell.
mark_of:
    txa
    tay
    lsr
    lsr
    lsr
.if PLAYERS = 2
    ldx player
    beq @first
    ora #32
@first:
.endif
    tax
    tya
    and #7
    stx near
    tax
    lda bits,x
    ldx near
    rts

bits:
    .byte 1, 2, 4, 8, 16, 32, 64, 128

; Mark cell X. Keeps X.
mark:
    jsr mark_of
    ora MARKS,x
    sta MARKS,x
    tya
    tax
    rts

; Not zero if cell X is marked. Keeps X.
is_marked:
    jsr mark_of
    and MARKS,x
    php
    tya
    tax
    plp
    rts

; Carry set if any cell is marked.
any_marked:
    ldy #MARK_BYTES - 1
    lda #0
.if PLAYERS = 2
    ldx player
    bne @second
.endif
@byte:
    ora MARKS,y
    dey
    bpl @byte
    cmp #1
    rts
.if PLAYERS = 2
@second:
    ora MARKS + 32,y
    dey
    bpl @second
    cmp #1
    rts
.endif

; Mark all that vanishes; carry set if something does. Yields.
scan:
    jsr clear_marks
    ldx po
    lda #SCAN_FIRST
    sta P_AT,x
@frame:
    lda #SCAN_CELLS
    sta budget
@cell:
    ldx po
    lda P_AT,x
    tax
    jsr get
    beq @next
    jsr match
    dec budget
    beq @slice
@next:
    ldx po
    inc P_AT,x
    lda P_AT,x
    cmp #CELLS
    bne @cell
    lda #1
    jsr wait_frames
    jmp any_marked
@slice:
    ldx po
    inc P_AT,x
    lda #1
    jsr wait_frames
    ldx po
    lda P_AT,x
    cmp #CELLS
    bne @frame
    jmp any_marked

; A: the colour of cell X, 0 if it has none. Keeps X.
color:
    jsr get
    and #$0F
    tay
    lda color_of,y
    rts

color_of:
    .byte 0, 1, 2, 3, 4, 5, 6, 0, 0, 1, 2, 3, 4, 5, 6, 0

.if MATCH_GROUPS
; Mark the group of cell X, and the nuisance beside it, if it is large enough.
match:
    jsr color
    beq @none
    sta want
    jsr is_marked
    bne @none
    stx LIST
    ldy #0
    sty head
    iny
    sty listed
@grow:
    ldy head
    ldx LIST,y
    jsr beside
    inc head
    lda head
    cmp listed
    bne @grow
    cmp #SIZE
    bcc @none
@mark:
    dec head
    ldy head
    ldx LIST,y
    jsr mark
.if NUISANCE
    jsr mark_nuisance
.endif
    lda head
    bne @mark
@none:
    rts

; All neighbours of cell X of the colour wanted into the list.
beside:
    stx cell
    cpx #SCAN_FIRST + COLUMNS
    bcc @right
    txa
    sbc #COLUMNS
    jsr join
@right:
    ldx cell
    ldy column_of,x
    cpy #COLUMNS - 1
    beq @left
    inx
    txa
    jsr join
@left:
    ldx cell
    ldy column_of,x
    beq @below
    dex
    txa
    jsr join
@below:
    lda cell
    cmp #CELLS - COLUMNS
    bcs @done
    adc #COLUMNS
    jsr join
@done:
    rts

; Cell A into the list if it has the colour wanted and is not there yet.
join:
    tax
    jsr color
    cmp want
    bne @no
    txa
    ldy listed
@look:
    dey
    bmi @new
    cmp LIST,y
    bne @look
@no:
    rts
@new:
    ldy listed
    cpy #LIST_SIZE
    beq @no
    sta LIST,y
    inc listed
    rts

.if NUISANCE
mark_nuisance:
    stx cell
    cpx #SCAN_FIRST + COLUMNS
    bcc @right
    txa
    sbc #COLUMNS
    jsr @try
@right:
    ldx cell
    ldy column_of,x
    cpy #COLUMNS - 1
    beq @left
    inx
    txa
    jsr @try
@left:
    ldx cell
    ldy column_of,x
    beq @below
    dex
    txa
    jsr @try
@below:
    lda cell
    cmp #CELLS - COLUMNS
    bcs @done
    adc #COLUMNS
    jsr @try
@done:
    rts
@try:
    tax
    jsr get
    cmp #K_NUISANCE
    bne @done
    jmp mark
.endif

.else

; Mark cell X if it is in a line.
match:
    jsr color
    beq @none
    sta want
    stx cell
    lda #DIRECTIONS - 1
    sta head
@direction:
    ldy head
    lda #1
    sta run
    lda line_r,y
    sta step_r
    lda line_c,y
    sta step_c
    jsr walk
    lda #0
    sec
    sbc step_r
    sta step_r
    lda #0
    sec
    sbc step_c
    sta step_c
    jsr walk
    lda run
    cmp #SIZE
    bcs @marks
    dec head
    bpl @direction
@none:
    rts
@marks:
    ldx cell
    jmp mark

; Count the cells of the colour that follow in this direction.
walk:
    ldx cell
    lda row_of,x
    sta wr
    lda column_of,x
    sta wc
@step:
    lda wc
    clc
    adc step_c
    cmp #COLUMNS
    bcs @done
    sta wc
    lda wr
    clc
    adc step_r
    bmi @done
    cmp #STORED
    bcs @done
    sta wr
    tax
    lda row_first,x
    clc
    adc wc
    cmp #SCAN_FIRST
    bcc @done
    tax
    jsr color
    cmp want
    bne @done
    inc run
    lda run
    cmp #SIZE
    bne @step
@done:
    rts

line_r:
    .byte 0, 1, 1, 1
line_c:
    .byte 1, 0, 1, <-1
.endif

.if QUICK
; The piece's halves fall to where they rest, in this frame.
land:
.if JOINED .or PIECE = 3
    rts
.else
    ldy lo
    ldx shape_first,y
    stx shape_at
    lda lx
    clc
    adc cell_x,x
    jsr fall_column
    ldx shape_at
    lda lx
    clc
    adc cell_x + 1,x
    jmp fall_column
.endif

; Carry set if something vanishes with the cells that landed.
touches:
    jsr clear_marks
    ldy lo
    lda shape_first,y
    sta shape_at
    lda #PIECE
    sta columns_left
@part:
    ldx shape_at
    lda lx
    clc
    adc cell_x,x
    sta tc
.if JOINED .or PIECE = 3
    lda ly                        ; the piece is where it locked
    clc
    adc cell_y,x
    bmi @next
    tax
    lda row_first,x
    clc
    adc tc
    tax
    cpx #SCAN_FIRST
    bcc @next
    jsr match
.else
    ldx tc                        ; its halves are among the two highest of their columns
    lda #PIECE
    sta budget
@cell:
    cpx #CELLS
    bcs @next
    jsr get
    beq @lower
    stx bottom
    cpx #SCAN_FIRST
    bcc @hidden
    jsr match
@hidden:
    ldx bottom
    dec budget
    beq @next
@lower:
    txa
    clc
    adc #COLUMNS
    tax
    bcc @cell
.endif
@next:
    inc shape_at
    dec columns_left
    bne @part
    jmp any_marked
.endif

; What is marked vanishes: it is shown for a time, or it stays as it is for that time. Yields.
pop:
.if SHOWS_POPS
    lda #K_POPPING
    jsr replace
    lda #POP
    jsr wait_frames
    ldx #CELLS - 1
@popped:
    jsr get
    cmp #K_POPPING
    bne @next
    lda #0
    jsr set
@next:
    dex
    cpx #$FF
    bne @popped
.else
    lda #POP
    jsr wait_frames
    lda #0
    jsr replace
.endif
    lda #1
    jmp wait_frames

; One more point for the player whose bytes are at X.
score_a_point:
.if SCORE_BYTES
    inc P_SCORE,x
.if SCORE_DIGITS
    lda P_SCORE,x
    cmp #10
    bne @done
    lda #0
    sta P_SCORE,x
    inc P_SCORE_2,x
    lda P_SCORE_2,x
    cmp #10
    bne @done
    lda #0
    sta P_SCORE_2,x
    inc P_SCORE_3,x
    lda P_SCORE_3,x
    cmp #10
    bne @done
    lda #0
    sta P_SCORE_3,x
    inc P_SCORE_4,x
.elseif SCORE_BCD
    lda P_SCORE,x
    jsr carried
    sta P_SCORE,x
    bcc @done
    inc P_SCORE_2,x
    lda P_SCORE_2,x
    jsr carried
    sta P_SCORE_2,x
.else
    bne @done
    inc P_SCORE_2,x
.endif
.endif
@done:
    rts

.if SCORE_BCD
; A, a number of two digits that was raised, as two digits; carry set if it was 99.
carried:
    pha
    and #$0F
    cmp #$0A
    pla
    bcc @done
    adc #5                        ; the carry is set
    cmp #$A0
    bcc @done
    lda #0
    sec
@done:
    rts
.endif

; Each marked cell becomes A; what this means for halves, targets and points.
replace:
    sta lane
    lda #0
    sta run                       ; cells
    ldx #CELLS - 1
@cell:
    jsr is_marked
    beq @next
    stx cell
    inc run
    jsr get
.if STAGED
    pha
    and #$0F
    cmp #K_TARGET + 1
    bcc @no_target
    ldy po
    lda P_TARGETS,y
    sec
    sbc #1
    sta P_TARGETS,y
@no_target:
    pla
.endif
.if JOINED
    jsr part
.endif
    ldx cell
    lda lane
    jsr set
@next:
    dex
    cpx #$FF
    bne @cell
    ldx po                        ; points: cells times the step of the chain
    lda P_CHAIN,x
    sta left
@step:
    ldy run
@point:
    jsr score_a_point
    dey
    bne @point
    dec left
    bne @step
.if PLAYERS = 2 .and NUISANCE
    lda run                       ; an attack: the cells that are more than a group
    sec
    sbc #SIZE - 1
    bcc @done
    pha
    lda player
    eor #1
    tay
    ldx #0
    tya
    beq @opponent
    ldx #SHIFT
@opponent:
    pla
    clc
    adc P_PENDING,x
    sta P_PENDING,x
@done:
.endif
    rts

.if JOINED
; The other half of a half with the value A in `cell` becomes single.
part:
    lsr
    lsr
    lsr
    lsr
    tay
    beq @done
    lda cell
    clc
    adc other_half,y
    tax
    jsr get
    and #$0F
    jsr set
@done:
    rts

other_half:
    .byte 0, <-1, 1, <-COLUMNS, COLUMNS
.endif
