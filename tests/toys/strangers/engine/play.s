; The game from its first piece to its end. The order in a frame: turn, shift, fall, lock.

.macro zero at, size
.repeat size, i
    sta at + i
.endrepeat
.endmacro

start:
    jsr clear_board
    lda #0
    zero lines, LINES_SIZE
    zero level, LEVEL_SIZE
    zero score, SCORE_SIZE
.if LEVELS > 1
    lda #LEVEL_LINES
    sta level_left
    lda start_level
    clc
    adc #LEVEL_FIRST
    sta level + LEVEL_SIZE - 1
.endif
.if NEXT
    jsr draw_type
    stx next
.endif
    jsr choose
    jsr enter
playing:
.if DEMO_WAIT
    lda demo
    beq @real
    set_state STATE_DEMO
    jmp @said
@real:
.endif
    set_state STATE_PLAY
@said:
.if DRAWN
    jsr show_in_board
.endif
play:
    jsr load
    jsr expand
    inc shown
    jsr frame
.if PAUSES
    jsr pause
.endif
.if DRAWN
    jsr load
    jsr expand
    lda #EMPTY
    sta code
    jsr stamp
.endif
    jsr turn
    jsr shift
    jsr gravity
    bcs lock
.if DRAWN
    jsr show_in_board
.endif
    jmp play

; The piece into the board, and all that follows until the next one is there.
lock:
    jsr load
    jsr expand
    jsr locked_code
    jsr stamp
.if CHOOSES_EARLY
    jsr choose
.endif
.if PARKS
    jsr park
.endif
.if LOCK_WAIT
    set_state STATE_LOCK
    lda #LOCK_WAIT
    sta wait
@locked:
    jsr frame
    dec wait
    bne @locked
.endif
    jsr find_full
    beq @spawn
.if CLEAR_WAIT
    set_state STATE_CLEAR
    .if BLANKS
    jsr blank_full
    .endif
    lda #CLEAR_WAIT
    sta wait
@clearing:
    jsr frame
    dec wait
    bne @clearing
.endif
    jsr remove_full
    ldx #0
@line:
    lda full_rows,x
    cmp #NO_ROW
    beq @counted
    stx keep
    jsr one_line
    ldx keep
    inx
    bne @line
@counted:
.if SCORE_FORMAT <> NOT_KEPT
    lda line_points - 1,x
    tax
    jsr points
.endif
@spawn:
.if TWICE
    jsr swap_boards
.endif
.if SCROLLS
    jsr scroll_board
.endif
.if CHOOSES_EARLY = 0
    jsr choose
.endif
    jsr enter
    bcs over
    jmp playing

; The state of a screen after the game.
over:
    set_state STATE_OVER
    lda #TEXT_OVER
    jsr text
.if DEMO_WAIT
    lda demo
    bne @demo
.endif
.if OVER_WAIT
    lda #OVER_WAIT
    sta wait
@wait:
    jsr frame
    dec wait
    bne @wait
    jmp title
.else
    wait_for OVER_BUTTONS
    .if OVER_RESTARTS
    lda #TEXT_PLAY
    jsr text
    jmp start
    .else
    jmp title
    .endif
.endif
.if DEMO_WAIT
@demo:
    lda #60
    sta wait
@frame:
    jsr frame
    dec wait
    bne @frame
    jmp leave_demo
.endif

.if PAUSES
pause:
    .if DEMO_WAIT
    lda demo
    bne @done
    .endif
    lda pad_new
    and #BTN_START
    beq @done
    lda #PAUSED
    sta paused
@wait:
    jsr frame
    lda pad_new
    and #BTN_START
    beq @wait
    lda #0
    sta paused
    sta pad_new
    sta pad_shift
@done:
    rts
.endif

; The next piece's name.
choose:
.if NEXT
    ldx next
    stx keep
    jsr draw_type
    stx next
    ldx keep
.else
    jsr draw_type
.endif
.if COORDS
    ldy type_first,x
    sty trial_n
    .if COLOURS
    lda shape_code,y
    sta colour
    .endif
    rts
.else
    lda type_first,x
    sta trial_n
    jmp store_name
.endif

; Where it enters. Carry: there is no room.
enter:
.if CHOOSES_EARLY
    jsr load
.endif
    jsr reset_timer
    ldy trial_n
    lda spawn_x,y
    sta trial_column
    lda spawn_y,y
    sta trial_row
.if COORDS
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
.endif
    jsr store
    jmp fits

; X := a piece from the generator.
draw_type:
.if STIRS
    ldx #1
.else
    ldx #8
.endif
    stx count
@stir:
    jsr stir
    dec count
    bne @stir
    ldx #TYPES
    ldy #0
    lda #0
@add:                             ; (rng * TYPES) / 256
    clc
    adc rng
    bcc @next
    iny
@next:
    dex
    bne @add
    tya
    tax
    rts

locked_code:
.if COORDS && COLOURS
    lda colour
.else
    .if COLOURS
    ldy trial_n
    lda shape_code,y
    .else
    lda #FIRST_CODE
    .endif
.endif
    sta code
    rts

.if DRAWN
show_in_board:
    jsr load
    jsr expand
    .if OTHER_CODE
    lda #OTHER_CODE
    sta code
    .else
    jsr locked_code
    .endif
    jmp stamp
.endif

.if PARKS
park:
    lda #PARK_Y
    .if COORDS
    ldx #SIZE - 1
@cell:
    sta cell_rows,x
    dex
    bpl @cell
    .else
    sta pos_y
    .endif
    .if PARKS_X
    lda #$FF
    .if COORDS
    ldx #SIZE - 1
@column:
    sta cell_columns,x
    dex
    bpl @column
    .else
    sta pos_x
    .endif
    .endif
    rts
.endif

.if BLANKS
blank_full:
    lda #0
    sta count
@row:
    ldx count
    lda full_rows,x
    cmp #NO_ROW
    beq @done
    sta row
    jsr empty_row
    inc count
    bne @row
@done:
    rts
.endif
