; The piece under control: how memory has it, where it fits, how it turns, moves, falls and locks.
; In scratch it is lo, lx, ly and kinds: the orientation as the rules count it, the pivot, rows from the highest stored
; one, and the kinds of its cells.

; Y: where A is in a table of `count` codes.
.macro find table, count
    .local look, found
    ldy #(count) - 1
look:
    cmp table,y
    beq found
    dey
    bpl look
found:
.endmacro

; From memory to scratch.
load_piece:
    ldx po
.if PLACE_CELLS
    lda P_X,x
    find x_code, COLUMNS
    sty lx
    lda P_X2,x
    find x_code, COLUMNS
    tya
    sec
    sbc lx
    sta kx
    lda P_Y,x
    find y_code, Y_CODES
    sty ly
    lda P_Y2,x
    find y_code, Y_CODES
    tya
    sec
    sbc ly
    sta ky
    ldy #ORIENTATIONS - 1         ; the orientation whose second cell is there from the first
@orientation:
    lda kx
    cmp apart_x,y
    bne @other
    lda ky
    cmp apart_y,y
    beq @is
@other:
    dey
    bne @orientation
@is:
    sty lo
.else
    lda P_TURN,x
    find turn_code, ORIENTATIONS
    sty lo
    lda P_X,x
    find x_code, COLUMNS
    sty lx
    lda P_Y,x
.if HALF_ROWS
    and #$FE
.endif
    find y_code, Y_CODES
    sty ly
.endif
    lda ly
    sec
    sbc #ABOVE
    sta ly
    ldy lo                        ; the place in memory is that of another cell than the pivot
    lda lx
    sec
    sbc anchor_x,y
    sta lx
    lda ly
    sec
    sbc anchor_y,y
    sta ly
.if NIBBLES
    lda P_NOW,x
    jsr unpack
.else
    lda P_NOW,x
    find part_code, COLORS + 1
    sty kinds
    lda P_NOW_2,x
    find part_code, COLORS + 1
    sty kinds + 1
.if PIECE = 3
    lda P_NOW_3,x
    find part_code, COLORS + 1
    sty kinds + 2
.endif
.endif
    rts

; From scratch to memory.
store_piece:
.if SWAPS
    lda lo                        ; memory has two orientations: a half-turn is an exchange of the halves
    cmp #2
    bcc @shown
    sbc #2
    sta lo
    lda kinds
    ldy kinds + 1
    sty kinds
    sta kinds + 1
@shown:
.endif
    ldx po
    ldy lo
    lda lx
    clc
    adc anchor_x,y
    sta tc
    lda ly
    clc
    adc anchor_y,y
    clc
    adc #ABOVE
    sta kx
.if PLACE_CELLS
    lda tc
    clc
    adc apart_x,y
    sta ky
    lda kx
    clc
    adc apart_y,y
    tay
    lda y_code,y
    sta P_Y2,x
    ldy ky
    lda x_code,y
    sta P_X2,x
.else
    lda turn_code,y
    sta P_TURN,x
.endif
    ldy tc
    lda x_code,y
    sta P_X,x
    ldy kx
    lda y_code,y
.if HALF_ROWS
    ldy P_TIMER,x
    cpy #HALF_ROWS
    bcs @upper
    ora #1
@upper:
.endif
    sta P_Y,x
.if NIBBLES
    jsr pack
    sta P_NOW,x
.else
    ldy kinds
    lda part_code,y
    sta P_NOW,x
    ldy kinds + 1
    lda part_code,y
    sta P_NOW_2,x
.if PIECE = 3
    ldy kinds + 2
    lda part_code,y
    sta P_NOW_3,x
.endif
.endif
    rts

.if NIBBLES
unpack:
    pha
    and #$0F
    find part_code, COLORS + 1
    sty kinds + 1
    pla
    lsr
    lsr
    lsr
    lsr
    find part_code, COLORS + 1
    sty kinds
    rts

pack:
    ldy kinds
    lda part_code,y
    asl
    asl
    asl
    asl
    ldy kinds + 1
    ora part_code,y
    rts
.endif

store_next:
.if KEEPS_NEXT
    ldx po
.if NIBBLES
    jsr pack
    sta P_NEXT,x
.else
    ldy kinds
    lda part_code,y
    sta P_NEXT,x
    ldy kinds + 1
    lda part_code,y
    sta P_NEXT_2,x
.if PIECE = 3
    ldy kinds + 2
    lda part_code,y
    sta P_NEXT_3,x
.endif
.endif
.endif
    rts

load_next:
.if KEEPS_NEXT
    ldx po
.if NIBBLES
    lda P_NEXT,x
    jmp unpack
.else
    lda P_NEXT,x
    find part_code, COLORS + 1
    sty kinds
    lda P_NEXT_2,x
    find part_code, COLORS + 1
    sty kinds + 1
.if PIECE = 3
    lda P_NEXT_3,x
    find part_code, COLORS + 1
    sty kinds + 2
.endif
    rts
.endif
.else
    jmp next_kinds
.endif

; Carry clear if the piece fits where scratch has it; above the stored rows all is free.
fits:
    ldy lo
    lda shape_first,y
    sta shape_at
    lda #PIECE
    sta left
@part:
    ldy shape_at
    lda lx
    clc
    adc cell_x,y
    cmp #COLUMNS
    bcs @no
    sta tc
    lda ly
    clc
    adc cell_y,y
    bmi @next
    cmp #STORED
    bcs @no
    tax
    lda row_first,x
    clc
    adc tc
    tax
    jsr get
    bne @no
@next:
    inc shape_at
    dec left
    bne @part
    clc
    rts
@no:
    sec
    rts

; One frame under control: turn, shift, fall. Carry set if the piece locks.
control:
    jsr load_piece
    ldy player
    lda PAD_NEW,y
    and #TURN_CW
    beq @counter
    lda #0
    jsr turn
@counter:
.if TURN_CCW
    ldy player
    lda PAD_NEW,y
    and #TURN_CCW
    beq @shift
    lda #4
    jsr turn
@shift:
.endif
    jsr shift
    ldy player
.if HARD_DROP
    lda PAD_NEW,y
    and #HARD_DROP
    bne @drops
.endif
.if DOWN_DROPS
    lda PAD_NEW,y
    and #BTN_DOWN
    bne @drops
.endif
    ldx po
.if SOFT_DROP
    lda PAD_HELD,y
    and #BTN_DOWN
    beq @timer
    lda #SOFT_DROP
    cmp P_TIMER,x
    bcs @timer
    sta P_TIMER,x
@timer:
.endif
.if DOWN_STEPS
    lda PAD_NEW,y
    and #BTN_DOWN
    bne @falls
.endif
.if LOCK_DELAY
    lda P_REST,x
    beq @counts
    dec P_REST,x
    bne @stays
    inc ly
    jsr fits
    dec ly
    bcs @locks
    lda #1                        ; it was moved off its ground
    ldx po
    sta P_TIMER,x
@counts:
.endif
    dec P_TIMER,x
    bne @stays
@falls:
    ldx po
    lda P_SPEED,x
    sta P_TIMER,x
    inc ly
    jsr fits
    bcc @stays
    dec ly
.if LOCK_DELAY
    ldx po
    lda P_REST,x
    bne @locks
    lda #LOCK_DELAY
    sta P_REST,x
    bne @stays
.endif
@locks:
    jsr store_piece
    sec
    rts
.if HARD_DROP .or DOWN_DROPS
@drops:
    inc ly
    jsr fits
    bcc @drops
    dec ly
    jmp @locks
.endif
@stays:
    jsr store_piece
    clc
    rts

; Turn. A: 0 clockwise, 4 counterclockwise.
turn:
    clc
    adc lo
    tay
    lda lo
    sta old
    lda turn_to,y
    sta lo
    lda kick_x,y
    sta kx
    lda kick_y,y
    sta ky
    jsr try_turn
    bcc @done
.if QUICK_TURN
    lda old                       ; between two walls a second press turns the piece upside down
    and #1
    bne @blocked
    ldx po
    lda P_PRIMED,x
    beq @prime
    lda old
    eor #2
    sta lo
    tay
    lda upside_kick_y,y
    sta ky
    lda #0
    sta kx
    jsr try_turn
    bcc @done
@blocked:
    lda old
    sta lo
    rts
@prime:
    lda #1
    sta P_PRIMED,x
    lda old
    sta lo
    rts
@done:
    ldx po
    lda #0
    sta P_PRIMED,x
    rts
.else
    lda old
    sta lo
@done:
    rts
.endif

; In place, then with the kick. Carry clear if it fits; otherwise the place is as before.
try_turn:
    jsr fits
    bcc @done
    lda kx
    ora ky
    beq @no
    lda ly
    clc
    adc ky
    ldx ky
    bpl @lower
    cmp #0
    bmi @no                       ; no kick lifts a piece above the stored rows
@lower:
    sta ly
    lda lx
    clc
    adc kx
    sta lx
    jsr fits
    bcc @done
    lda lx
    sec
    sbc kx
    sta lx
    lda ly
    sec
    sbc ky
    sta ly
@no:
    sec
@done:
    rts

; LEFT and RIGHT: once a press, and again while they are held if the game repeats.
shift:
    ldy player
    lda PAD_NEW,y
    and #BTN_LEFT | BTN_RIGHT
    bne @new
.if REPEAT_FIRST
    lda PAD_HELD,y
    and #BTN_LEFT | BTN_RIGHT
    beq @done
    ldx po
    inc P_DAS,x
    ldx po
    ldy P_DAS,x
    cpy #REPEAT_FIRST
    bne @done
    ldy #REPEAT_FIRST - REPEAT_NEXT
    jmp @moves
.else
    rts
.endif
@new:
    ldy #0
@moves:
    ldx po
    pha
    tya
    sta P_DAS,x
    pla
    and #BTN_LEFT
    bne @left
    inc lx
    jsr fits
    bcc @done
    dec lx
    rts
@left:
    dec lx
    jsr fits
    bcc @done
    inc lx
@done:
    rts

; The piece's cells into the field; those above the stored rows are lost.
put_piece:
.if DRAWN
    lda #AS_LOCKED
draw_piece:                       ; A: what they become, AS_LOCKED: what they are when the piece has locked
    sta drawn_as
.endif
    ldy lo
    lda shape_first,y
    sta shape_at
.if JOINED
    lda #1
    sta moved                     ; both halves are in the field
    ldy shape_at
    lda ly
    clc
    adc cell_y,y
    bmi @parted
    lda ly
    clc
    adc cell_y + 1,y
    bpl @whole
@parted:
    dec moved
@whole:
.endif
    lda #0
    sta left
@part:
    ldy shape_at
    lda lx
    clc
    adc cell_x,y
    sta tc
    lda ly
    clc
    adc cell_y,y
    bmi @next
    tax
    lda row_first,x
    clc
    adc tc
    tax
    ldy left
    lda kinds,y
.if JOINED
    ldy moved
    beq @single
    ldy shape_at
    ora shape_link,y
@single:
.endif
.if DRAWN
    ldy drawn_as
    cpy #AS_LOCKED
    beq @as_locked
    tya
@as_locked:
.endif
    jsr set
@next:
    inc shape_at
    inc left
    lda left
    cmp #PIECE
    bne @part
    rts
