; What is no game of falling pieces. KIND says what it is; menus, frames, memory and picture are those of the strangers.
; pos_x and pos_y are the cursor or figure: in cells of the board, or in pixels.

FLOOR_Y = 8 * (BOARD_ROW + ROWS) - 9
LEFT_X  = 8 * BOARD_COLUMN
RIGHT_X = 8 * (BOARD_COLUMN + COLUMNS - 1)

; Goes on at `away` unless this button is held; without a button `held`, unless it has just been pressed.
.macro unless_held button, away
    lda pad_held
    and #button
    beq away
.endmacro
.macro unless_pressed button, away
    lda pad_new
    and #button
    beq away
.endmacro

start:
    jsr clear_board
    set_state STATE_PLAY
    lda #0
    sta pos_x
    sta pos_y
    sta piece
    sta timer
.if KIND = WALKING
    lda #COLUMNS / 2
    sta pos_x
    lda #ROWS / 2
    sta pos_y
    inc piece
.endif
.if KIND = SCROLLING || KIND = JUMPING || KIND = PADDLE
    jsr scatter
.endif
.if KIND = PADDLE || KIND = JUMPING || KIND = POINTING
    jsr new_figure
.endif
nongame:
.if IN_CELLS
    jsr at_cursor
    inc shown
.endif
    jsr frame
    jsr act
    jmp nongame

; The trial cell is the cursor.
.if IN_CELLS
at_cursor:
    lda pos_x
    sta trial_x
    lda pos_y
    clc
    adc #HIDDEN
    sta trial_y
    lda #0
    sta last
    rts

; The cell under the cursor gets code A.
mark:
    sta code
    jsr at_cursor
    jmp stamp
.endif

; Some cells are full from the beginning.
scatter:
    lda #0
    sta last
    ldx #STORED - 1
@row:
    stx trial_y
    ldx #COLUMNS - 1
@cell:
    stx trial_x
    jsr stir
    jsr stir
    jsr stir
    lda rng
    and #3
.if KIND = PADDLE                 ; bricks: all of the upper rows
    ldx trial_y
    cpx #HIDDEN + 4
    lda #1
    bcs @next
    lda #0
.endif
    cmp #0
    bne @next
    lda #FIRST_CODE
    sta code
    jsr stamp
@next:
    ldx trial_x
    dex
    bpl @cell
    ldx trial_y
    dex
    bpl @row
    rts

; Every SPEED frames, zero.
tick:
    inc timer
    lda timer
    cmp #SPEED
    bne @done
    lda #0
    sta timer
@done:
    rts

.if KIND = SCROLLING
; The picture moves by itself, and by the pad.
act:
    jsr tick
    bne @pad
    inc pos_y
@pad:
    unless_held BTN_DOWN, @left
    inc pos_y
@left:
    unless_held BTN_LEFT, @right
    dec pos_x
@right:
    unless_held BTN_RIGHT, @wrap
    inc pos_x
@wrap:
    lda pos_y
    cmp #240                      ; a picture has 240 lines
    bcc @done
    lda #0
    sta pos_y
@done:
    rts
.endif

.if KIND = CURSOR || KIND = PAINTING
; A cursor over the board; with DRIFTS it sinks by itself, and begins again at the top.
act:
    lda pad_shift
    and #BTN_LEFT
    beq @right
    lda pos_x
    beq @right
    dec pos_x
@right:
    lda pad_shift
    and #BTN_RIGHT
    beq @up
    lda pos_x
    cmp #COLUMNS - 1
    beq @up
    inc pos_x
@up:
    unless_pressed BTN_UP, @down
    lda pos_y
    beq @down
    dec pos_y
@down:
    unless_pressed BTN_DOWN, @sink
    jsr lower
@sink:
    .if DRIFTS
    jsr tick
    bne @buttons
    lda pos_y
    cmp #ROWS - 1
    bne @sinks
    lda #$FF
    sta pos_y
@sinks:
    inc pos_y
@buttons:
    .endif
    unless_pressed BTN_A, @other
    inc piece
    .if KIND = PAINTING
    lda #FIRST_CODE
    jsr mark
    .endif
@other:
    unless_pressed BTN_B, @done
    dec piece
    .if KIND = PAINTING
    lda #EMPTY
    jsr mark
    .endif
@done:
    rts

lower:
    lda pos_y
    cmp #ROWS - 1
    beq @done
    inc pos_y
@done:
    rts
.endif

.if KIND = WALKING
; A walker that goes straight on and leaves marks; the pad turns it, and a mark or the edge ends the walk.
act:
    unless_pressed BTN_UP, @not_up
    lda #0
    sta piece
@not_up:
    unless_pressed BTN_RIGHT, @not_right
    lda #1
    sta piece
@not_right:
    unless_pressed BTN_DOWN, @not_down
    lda #2
    sta piece
@not_down:
    unless_pressed BTN_LEFT, @not_left
    lda #3
    sta piece
@not_left:
    jsr tick
    bne @done
    lda #FIRST_CODE
    jsr mark
    ldx piece
    lda trial_x
    clc
    adc walk_x,x
    sta trial_x
    lda trial_y
    clc
    adc walk_y,x
    sta trial_y
    cmp #HIDDEN                   ; above the visible rows is an edge too
    bmi @over
    jsr fits_cells
    bcs @over
    lda trial_x
    sta pos_x
    lda trial_y
    sec
    sbc #HIDDEN
    sta pos_y
@done:
    rts
@over:
    set_state STATE_OVER
    lda #TEXT_OVER
    jsr text
    wait_for OVER_BUTTONS
    jmp title
walk_x:
    .byte 0, 1, 0, <(-1)
walk_y:
    .byte <(-1), 0, 1, 0
.endif

.if KIND = NOWHERE
; One more screen with a cursor; every choice leads back to the title.
act:
    choose_number pos_x, COLUMNS - 1, BTN_LEFT, BTN_RIGHT
    choose_number pos_y, ROWS - 1, BTN_UP, BTN_DOWN
    lda pad_new
    and #BTN_A | BTN_B | BTN_START
    beq @done
    jmp title
@done:
    rts
.endif

.if KIND = POINTING
act:
    jmp walk

new_figure:
    lda #LEFT_X + 32
    sta pos_x
    lda #100
    sta pos_y
    rts
.endif

.if KIND = POINTING || KIND = PADDLE || KIND = JUMPING
; By the held directions; only a pointer moves up and down.
walk:
    unless_held BTN_LEFT, @right
    lda pos_x
    cmp #LEFT_X + 1
    bcc @right
    dec pos_x
@right:
    unless_held BTN_RIGHT, @up
    lda pos_x
    cmp #RIGHT_X
    bcs @up
    inc pos_x
@up:
.if KIND = POINTING
    unless_held BTN_UP, @down
    lda pos_y
    cmp #8 * BOARD_ROW
    bcc @down
    dec pos_y
@down:
    unless_held BTN_DOWN, @done
    lda pos_y
    cmp #FLOOR_Y
    bcs @done
    inc pos_y
.endif
@done:
    rts
.endif

.if KIND = PADDLE || KIND = JUMPING
; Carry: the cell at pixel A, Y is full or outside.
touches:
    sec
    sbc #LEFT_X - 4
    lsr
    lsr
    lsr
    sta trial_x
    tya
    sec
    sbc #8 * BOARD_ROW - 1
    lsr
    lsr
    lsr
    clc
    adc #HIDDEN
    sta trial_y
    lda #0
    sta last
    jmp fits_cells
.endif

.if KIND = PADDLE
; A ball that bounces from the paddle, the sides and the bricks, and a brick that it touches is gone.
act:
    jsr walk
    lda ball_x
    clc
    adc piece
    cmp #LEFT_X
    bcc @side
    cmp #RIGHT_X + 1
    bcs @side
    sta ball_x
    jmp @vertical
@side:
    lda #0
    sec
    sbc piece
    sta piece
@vertical:
    lda ball_y
    clc
    adc piece_turn
    sta ball_y
    cmp #8 * BOARD_ROW
    bcc @bounce
    cmp #FLOOR_Y
    bcs @bottom
    tay
    lda ball_x
    jsr touches
    bcc @done
    lda #EMPTY
    sta code
    jsr stamp
@bounce:
    lda #0
    sec
    sbc piece_turn
    sta piece_turn
    rts
@bottom:
    lda ball_x
    sec
    sbc pos_x
    clc
    adc #12
    cmp #24
    bcs new_ball                  ; missed
    lda piece_turn
    bmi @done
    bpl @bounce
@done:
    rts

new_figure:
    lda #LEFT_X + 24
    sta pos_x
    lda #FLOOR_Y
    sta pos_y
new_ball:
    lda rng
    and #31
    clc
    adc #LEFT_X
    sta ball_x
    lda #8 * (BOARD_ROW + 6)
    sta ball_y
    lda #1
    sta piece
    sta piece_turn
    rts
.endif

.if KIND = JUMPING
; A figure that falls until something is below it, walks and jumps; after a while it comes down again somewhere else.
act:
    jsr walk
    lda piece                     ; frames of a jump that are left
    beq @fall
    dec piece
    lda pos_y
    cmp #8 * BOARD_ROW
    bcc @done
    dec pos_y
    rts
@fall:
    lda pos_y
    cmp #FLOOR_Y
    bcs @stands
    clc
    adc #8
    tay
    lda pos_x
    jsr touches
    bcs @stands
    inc pos_y
    .if DRIFTS = 0
    unless_held BTN_DOWN, @done
    .endif
    lda pos_y
    cmp #FLOOR_Y
    bcs @done
    inc pos_y
@done:
    rts
@stands:
    unless_pressed BTN_A, @wait
    lda #24
    sta piece
    rts
@wait:
    inc wait
    lda wait
    cmp #200
    bne @done

new_figure:
    lda rng
    and #31
    clc
    adc #LEFT_X + 8
    sta pos_x
    lda #8 * BOARD_ROW
    sta pos_y
    lda #0
    sta wait
    sta piece
    rts
.endif

; End of a frame: what stands at places in pixels.
show_pixels:
.if KIND = POINTING || KIND = PADDLE || KIND = JUMPING
    lda pos_x
    sta OAM_BUFFER + 3
    lda pos_y
    sta OAM_BUFFER
    lda #TILE_PIECE
    sta OAM_BUFFER + 1
.endif
.if KIND = PADDLE
    lda ball_x
    sta OAM_BUFFER + 7
    lda ball_y
    sta OAM_BUFFER + 4
    lda #TILE_BLOCK
    sta OAM_BUFFER + 5
    lda pos_x
    clc
    adc #8
    sta OAM_BUFFER + 11
    lda pos_y
    sta OAM_BUFFER + 8
    lda #TILE_PIECE
    sta OAM_BUFFER + 9
.endif
    rts
