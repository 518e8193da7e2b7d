; A game: frame order, play states, pause. Source of every number: NES Tetris facts, checked frame by frame
; against recordings of the real program.

; mode_state 0 draws the screen, 1 sets up the game, 2 plays, 7 pauses.
mode_play:
    ldx mode_state
    dex
    beq init_game
    dex
    bne @not_playing
    jmp play_frame
@not_playing:
    cpx #7 - 2
    beq paused
    lda #SCREEN_PLAY
    jsr show_screen
    lda screen_step
    cmp #2
    bne @done
    lda #1
    sta mode_state
@done:
    rts

; DAS, start level, spawn count and the curtain's 20 are not reset: they pass from one game to the next.
init_game:
    ldx #0
    lda #TILE_EMPTY
@page:
    sta FIELD,x
    sta FIELD_2,x
    inx
    bne @page
    txa
    ldx #13
@statistic:
    sta STATISTICS,x
    dex
    bpl @statistic
    sta a_y
    sta a_fall
    sta a_vram
    sta a_row_y
    ldx #3
@counter:
    sta clears,x
    sta a_done,x
    dex
    bpl @counter
    sta PLAYER1 + p_hold - BLOCK
    sta PLAYER1 + p_cleared - BLOCK
    sta PLAYER1 + p_index - BLOCK
    sta a_lines
    sta a_lines + 1
    sta a_score
    sta a_score + 1
    sta a_score + 2
    sta spawn_id
    lda #5
    sta a_x
    lda #160                      ; 96 frames until the first piece may fall by itself
    sta PLAYER1 + p_repeat - BLOCK
    lda start_level
    sta a_level
    lda #1
    sta a_state
    jsr choose_piece
    sta a_piece
    tax
    jsr count_piece
    jsr lfsr_step
    jsr choose_piece
    sta next_piece
    lda #RENDER_PLAY
    sta render_mode
    lda #2
    sta mode_state
    jmp draw_game

; The press that resumes is START alone; the screen copy starts anew, and a lock just after waits for it.
paused:
    lda btn_new
    cmp #BTN_START
    bne @done
    lda #0
    sta a_vram
    lda #RENDER_PLAY
    sta render_mode
    lda #2
    sta mode_state
    jmp draw_game
@done:
    rts

play_frame:
    inc a_fall                    ; in every play state
    lda a_state
    bne @alive
    lda #RENDER_OFF
    sta render_mode
    lda #MODE_LEVEL
    jmp enter_mode
@alive:
    ldx #$1F
@load:
    lda PLAYER1,x
    sta BLOCK,x
    dex
    bpl @load
    jsr play_state
    ldx #$1F
@store:
    lda BLOCK,x
    sta PLAYER1,x
    dex
    bpl @store
    lda btn_new
    cmp #BTN_SELECT               ; shows or hides the next piece
    bne @shown
    lda hide_next
    eor #1
    sta hide_next
@shown:
    lda btn_held
    cmp #BTN_A + BTN_B + BTN_SELECT + BTN_START
    bne @stay
    lda #RENDER_OFF
    sta render_mode
    lda #MODE_LEGAL               ; the title follows by itself
    jmp enter_mode
@stay:
    lda a_state
    beq @running                  ; the START that ended the game does not pause as well
    cmp #10
    beq @running
    lda btn_new
    and #BTN_START
    beq @running
    lda #RENDER_OFF
    sta render_mode
    lda #7
    sta mode_state
    jmp draw_pause
@running:
    jmp draw_game

play_state:
    lda p_state
    asl
    tax
    lda play_states,x
    sta ptr
    lda play_states + 1,x
    sta ptr + 1
    jmp (ptr)

play_states:
    .word state_idle, state_control, state_lock, state_check, state_idle, state_count
    .word state_advance, state_advance, state_spawn, state_idle, state_curtain

; 6 and 7: goal test of type B and garbage of a second player; one frame each.
state_advance:
    inc p_state
state_idle:                       ; 4 is advanced by the NMI
    rts

; --- 1: the player has control: shift, rotate, drop, in this order ---
state_control:
    jsr shift
    jsr rotate
    jmp drop

; DOWN blocks shifting and freezes the counter. A new direction shifts at once; a held one when the counter reaches 16,
; then every 6 frames; a blocked shift charges the counter. RIGHT wins over LEFT.
shift:
    lda btn_held
    and #BTN_DOWN
    bne @done
    lda btn_new
    and #BTN_LEFT + BTN_RIGHT
    bne @fresh
    lda btn_held
    and #BTN_LEFT + BTN_RIGHT
    beq @done
    inc p_das
    lda p_das
    cmp #16
    bcc @done
    lda #10
    bne @try
@fresh:
    lda #0
@try:
    sta p_das
    lda p_x
    pha
    lda btn_held
    lsr
    bcs @right
    dec p_x
    dec p_x
@right:
    inc p_x
    jsr fits
    pla
    bcc @done
    sta p_x
    lda #16
    sta p_das
@done:
    rts

; On edges only; A before B; no kicks.
rotate:
    ldx p_piece
    bit btn_new
    bmi @right
    bvc @done
    lda turn_left,x
    bpl @try
@right:
    lda turn_right,x
@try:
    sta p_piece
    txa
    pha
    jsr fits
    pla
    bcc @done
    sta p_piece
@done:
    rts

; p_repeat: 128 and above waits at the start of a game until DOWN is pressed; 0 no soft drop; 1 and 2 its phase.
drop:
    lda p_repeat
    bmi @waiting
    beq @idle
    lda btn_held
    and #$0F
    cmp #BTN_DOWN
    bne @released
    inc p_repeat
    lda p_repeat
    cmp #3
    bcc @gravity
    lda #1
    sta p_repeat
    inc p_hold
    bne @fall
@released:
    lda #0
    sta p_repeat
    sta p_hold
    beq @gravity
@waiting:
    lda btn_new
    and #BTN_DOWN
    bne @skip_wait
    inc p_repeat
    rts
@skip_wait:
    lda #0
    sta p_repeat
@idle:
    lda btn_held
    and #BTN_LEFT + BTN_RIGHT
    bne @gravity
    lda btn_new
    and #$0F
    cmp #BTN_DOWN
    bne @gravity
    lda #1
    sta p_repeat
@gravity:
    ldx p_level
    lda #1
    cpx #LEVELS
    bcs @speed
    lda gravity,x
@speed:
    sta drop_speed
    lda p_fall
    sec
    sbc drop_speed
    bmi @stays
@fall:
    lda #0
    sta p_fall
    inc p_y
    jsr fits
    bcc @stays
    dec p_y
    lda #2                        ; no lock delay: the drop that fails ends control in this frame
    sta p_state
    jmp redraw_from_piece
@stays:
    rts

gravity:                          ; frames per row by level; 29 and above: 1
    .byte 48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2
LEVELS = * - gravity

; The screen copy has to begin at the piece's top row or above; what waits for the copy waits longer the higher it is.
redraw_from_piece:
    jsr first_row
    cmp p_vram
    bcs @done
    sta p_vram
@done:
    rts

first_row:                        ; A: the first row that the piece can touch, not above the top
    lda p_y
    sec
    sbc #2
    bcs @done
    lda #0
@done:
    rts

; --- 2: lock ---
state_lock:
    jsr fits
    bcc @room
    lda #10                       ; the piece overlaps: the game is over
    sta p_state
    lda #240                      ; -16
    sta p_curtain
    rts
@room:
    lda p_vram
    cmp #ROWS
    bcc @done
    jsr write_piece
    lda #0
    sta p_index
    jsr redraw_from_piece
    inc p_state
@done:
    rts

; --- 3: one of four rows a frame; a full one leaves the page in the same frame ---
state_check:
    lda p_vram
    cmp #ROWS
    bcs @ready
    rts
@ready:
    jsr first_row
    clc
    adc p_index
    sta t3
    tax
    ldy times_ten,x
    ldx #COLUMNS
    lda #TILE_EMPTY
@look:
    cmp FIELD,y
    beq @open
    iny
    dex
    bne @look
    inc p_cleared
    ldx t3
    ldy times_ten,x
    dey
    ; Row 0 begins at offset 255: the whole page moves, hidden rows included, and the last ten bytes leave it.
@move:
    lda FIELD,y
    sta FIELD + COLUMNS,y
    dey
    cpy #$FF
    bne @move
    lda #TILE_EMPTY
    ldx #COLUMNS - 1
@top:
    sta FIELD,x
    dex
    bpl @top
    lda #HIDDEN_PIECE
    sta p_piece
    lda t3
    .byte $2C                     ; BIT absolute: skips the next instruction
@open:
    lda #0
    ldx p_index
    sta p_done,x
    inx
    stx p_index
    cpx #4
    bne @done
    lda #0
    sta p_vram
    sta p_row_y
    ldx #4                        ; lines: the animation first
    lda p_cleared
    bne @next
    inx
@next:
    stx p_state
@done:
    rts

; --- 8: the next piece enters once the playfield is on the screen ---
state_spawn:
    lda p_vram
    cmp #ROWS
    bcc @done
    lda #0
    sta p_fall
    sta p_repeat
    sta p_y
    lda #5
    sta p_x
    lda #1
    sta p_state
    ldx next_piece
    stx p_piece
    jsr count_piece
    jsr choose_piece
    sta next_piece
@done:
    rts

; --- 10: a curtain of 20 rows, one every fourth frame after 16 blank ones; then START ends the game ---
state_curtain:
    ldx p_curtain
    cpx #ROWS
    bne @falling
    lda btn_new
    cmp #BTN_START
    bne @done
    lda #0
    sta p_state
    rts
@falling:
    lda frame_count
    and #3
    bne @done
    inc p_curtain
    txa
    bmi @done
    stx p_vram
    lda #HIDDEN_PIECE
    sta p_piece
    ldy times_ten,x
    ldx #COLUMNS
    lda #TILE_CURTAIN
@row:
    sta FIELD,y
    iny
    dex
    bne @row
@done:
    rts
