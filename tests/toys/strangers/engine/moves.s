; What the pad and the clock do to a piece: turn, shift, fall.

turn:
.if BTN_CLOCKWISE
    ldx #0
    lda pad_new
    and #BTN_CLOCKWISE
    bne @turn
.endif
.if BTN_COUNTERCLOCKWISE
    ldx #$FF
    lda pad_new
    and #BTN_COUNTERCLOCKWISE
    bne @turn
.endif
    rts
@turn:
    stx way
    jsr load
    ldx way
    jsr turn_trial
    bcs @done
    jsr fits
    bcs @done
    jmp store_sideways
@done:
    rts

shift:
    lda pad_shift
    beq @done
    and #BTN_LEFT
    beq @right
    lda #$FE
@right:
    clc
    adc #1
    sta way
    jsr load
    lda way
    jsr move_columns
    jsr fits
    bcs @done
    jmp store_sideways
@done:
    rts

; Carry: the piece rests and locks.
gravity:
.if BTN_DROP
    lda pad_new
    and #BTN_DROP
    bne drop
.endif
.if DOWN_STEPS
    lda pad_new
    and #BTN_FALL
    bne @step
.endif
.if TIMER_UP
    inc timer
    .if SOFT_DROP
    lda pad_held
    and #BTN_FALL
    beq @level
    lda timer
    cmp #SOFT_DROP
    bcs @step
    rts
@level:
    .endif
    jsr level_index
    lda timer
    cmp frames_per_row,x
    bcs @fall
    rts
.else
    .if SOFT_DROP
    lda pad_held
    and #BTN_FALL
    beq @tick
    lda #SOFT_DROP
    cmp timer
    bcs @tick
    sta timer
@tick:
    .endif
    dec timer
    beq @due
    clc
    rts
@due:
    .if SOFT_DROP && SOFT_POINTS
    lda pad_held
    and #BTN_FALL
    bne @step
    .endif
.endif
@fall:
    jsr reset_timer
    jmp fall
@step:
    jsr reset_timer
.if DOWN_STEPS && (Y_KIND = Y_HALVES)
    jsr fall
    bcs fallen
.endif
    jsr fall
.if SOFT_POINTS
    bcs fallen
    ldx #1
    jsr points
    clc
.endif
    rts

; One row down, or half a row. Carry: it rests.
fall:
.if Y_KIND = Y_HALVES
    lda pos_y
    sec
    sbc #<Y_OFFSET
    lsr
    bcc @whole
    inc pos_y                     ; the lower half is its own already
    clc
    rts
@whole:
.endif
    jsr load
    jsr down
    jsr fits
    bcs fallen
    jsr store
.if Y_KIND = Y_HALVES
    dec pos_y
.endif
    clc
fallen:
    rts

down:
.if COORDS
    ldx #SIZE - 1
@cell:
    inc trial_y,x
    dex
    bpl @cell
.else
    inc trial_row
.endif
    rts

.if BTN_DROP
; To the floor at once; carry is set.
drop:
    jsr load
    jsr expand
@row:
    ldx last
@down:
    inc trial_y,x
    dex
    bpl @down
    .if COORDS = 0
    inc trial_row
    .endif
    jsr fits_cells
    bcc @row
    .if COORDS
    ldx last
@up:
    dec trial_y,x
    dex
    bpl @up
    .else
    dec trial_row
    .endif
    jsr store
    sec
    rts
.endif

reset_timer:
.if TIMER_UP
    lda #0
.else
    jsr level_index
    lda frames_per_row,x
.endif
    sta timer
    rts
