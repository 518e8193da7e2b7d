; How loose cells fall: a row at a time, or all the way down, a few columns a frame.

; All that is loose falls, until nothing is. Yields.
fall_all:
.if FALLS_AT_ONCE
    lda #0
    ldx po
    sta P_AT,x
@columns:
    lda #FALL_COLUMNS
    sta columns_left
@column:
    ldx po
    lda P_AT,x
    jsr fall_column
    ldx po
    inc P_AT,x
    lda P_AT,x
    cmp #COLUMNS
    beq @done
    dec columns_left
    bne @column
    lda #1
    jsr wait_frames
    jmp @columns
@done:
    lda #1
    jmp wait_frames
.else
@row:
    jsr fall_a_row
    ldx po
    lda P_MOVED,x
    beq @done
    lda #FALL_WAIT
    jsr wait_frames
    jmp @row
@done:
    lda #1
    jmp wait_frames
.endif

.if FALLS_AT_ONCE .or (QUICK .and (.not JOINED))
; Everything in column A falls onto what is below it. Targets stay.
fall_column:
    clc
    adc #CELLS - COLUMNS
    tax
    stx bottom                    ; the lowest cell that may be free
@cell:
    jsr get
    beq @next
    cmp #K_TARGET + 1
    bcs @stays
    cpx bottom
    beq @stays
    pha
    stx cell
    lda #0
    jsr set
    pla
    ldx bottom
    jsr set
    lda bottom
    sec
    sbc #COLUMNS
    sta bottom
    ldx cell
    jmp @next
@stays:
    txa
    sec
    sbc #COLUMNS
    sta bottom
@next:
    cpx #COLUMNS
    bcc @done
    txa
    sec
    sbc #COLUMNS
    tax
    jmp @cell
@done:
    rts
.endif

.if .not FALLS_AT_ONCE
; Everything loose falls a row; P_MOVED is not 0 if something did. Joined halves fall if both can. Yields if it is much.
fall_a_row:
    ldx po
    lda #0
    sta P_MOVED,x
    lda #CELLS - COLUMNS
    sta P_AT,x
@frame:
    lda #FALL_CELLS
    sta budget
@cell:
    ldx po
    lda P_AT,x
    tax
    dex
    stx cell
    jsr get
    jeq @next
    dec budget
.if JOINED
    sta want
    and #$0F
.endif
    cmp #K_NUISANCE + 1
    bcs @next                     ; targets stay
    jsr is_free_below
    bne @next
.if JOINED
    lda want
    lsr
    lsr
    lsr
    lsr
    cmp #L_LEFT
    beq @next                     ; falls with its other half
    cmp #L_DOWN
    beq @next
    cmp #L_RIGHT
    bne @alone
    ldx cell
    inx
    jsr is_free_below
    bne @next
    jsr move_down
    ldx cell
    jsr move_down
    jmp @next
@alone:
    cmp #L_UP
    bne @single
    ldx cell
    jsr move_down
    lda cell
    sec
    sbc #COLUMNS
    tax
    jsr move_down
    jmp @next
@single:
.endif
    ldx cell
    jsr move_down
@next:
    ldx po
    dec P_AT,x
    beq @done
    lda budget
    beq @slice
    bpl @cell
@slice:
    lda #1
    jsr wait_frames
    jmp @frame
@done:
    rts

; Zero flag if the cell below X is empty. Keeps X.
is_free_below:
    stx near
    txa
    clc
    adc #COLUMNS
    tax
    jsr get
    php
    ldx near
    plp
    rts

; Cell X a row down.
move_down:
    ldy po
    lda #1
    sta P_MOVED,y
    dec budget
    dec budget
    jsr get
    stx near
    pha
    lda #0
    jsr set
    lda near
    clc
    adc #COLUMNS
    tax
    pla
    jmp set
.endif
