; The beginning of a game and of a stage: empty fields, then one target a frame; and the end of a stage.

; --- a game begins: everything is set up in the frame in which START came ---
new_game:
    jsr clear_game
    lda start_stage
    sta stage
    jsr tune_start
    lda frame_counter
    sta garbage_gen
    lda frame_counter + 1
    sta garbage_gen + 1
    ora frame_counter
    bne @seeded
    inc garbage_gen               ; 0 would stay 0
@seeded:
    ldx #0
    jsr @enters
    lda mode
    beq @done
    ldx #1
@enters:
    stx player
    txa
    asl
    tax
    lda garbage_gen               ; equal seeds: both players get the same targets and pieces
    sta generator,x
    lda garbage_gen + 1
    sta generator + 1,x
    ldx player
    jsr deal                      ; the first piece to come
    jmp begin_stage
@done:
    rts

; No game: empty fields, and nothing of the game before it.
clear_game:
    ldx #GAME_END - play_state - 1
    lda #0
    sta messages_due
@zero:
    sta play_state,x
    dex
    bpl @zero
    ldx #0
@cell:
    sta CELLS,x
    inx
    bne @cell
    rts

; The stage of player X begins. Keeps X.
begin_stage:
    lda #PLAY_PLANT
    sta play_state,x
    lda #1
    sta wait,x
    lda #0
    sta targets,x
    sta speed_ups,x
    sta tens,x
    ldy twice,x
    sta pieces,y
    sta pieces + 1,y
    ldy cells_base,x
@cell:
    sta CELLS,y
    iny
    beq @drawn
    cpy #128
    bne @cell
@drawn:

; All rows of player X are to be drawn anew. Keeps X.
draw_rows:
    lda #1
    cpx #0
    bne @second
    .repeat ROWS, row
    sta changed + row
    .endrepeat
    rts
@second:
    .repeat ROWS, row
    sta changed + ROWS + row
    .endrepeat
    rts

twice:
    .byte 0, 2
cells_base:
    .byte 0, 128

; --- PLANT: one target a frame. The colours take turns, the generator draws the cell ---
; Where that cell is filled, or where no colour suits it, the next one is tried, in reading order from the highest row of
; the stage on. A colour suits a cell if no target two cells away in its row or column has it. Where no colour suits any
; cell, the first free one gets the target.
state_plant:
    lda stage
    cmp #TOP_STAGE
    bcc @height
    lda #TOP_STAGE
@height:
    tay
    lda stage_rows,y
    sta t5                        ; rows that may hold targets
    lda #ROWS
    sec
    sbc t5
    asl
    asl
    asl
    sta t4                        ; the first cell of these rows
    txa
    asl
    tax
@row:
    jsr step_generator
    and #15
    cmp t5
    bcs @row
    asl
    asl
    asl
    sta cell_at
    jsr step_generator
    and #7
    ora cell_at
    adc t4                        ; carry is clear
    sta cell_at                   ; the drawn cell, 0-127
    lda t5
    asl
    asl
    asl
    sta left
    ldx player
    lda targets,x                 ; the first colour to try, 0-2
@thirds:
    cmp #3
    bcc @third
    sbc #3
    bcs @thirds
@third:
    sta t3
    lda #<-1
    sta t1                        ; no free cell seen
@look:
    lda cell_at
    ora base
    tay
    lda CELLS,y
    bne @next
    bit t1
    bpl @seen
    lda cell_at
    sta t1
@seen:
    jsr look_near
    ldx t3
    jsr suits
    bcc @plant
    jsr suits
    bcc @plant
    jsr suits
    bcc @plant
@next:
    inc cell_at
    bpl @inside
    lda t4
    sta cell_at
@inside:
    dec left
    bne @look
    lda t1
    sta cell_at
    ldx t3
    inx
@plant:                           ; colour X
    lda cell_at
    ora base
    tay
    txa
    ora #TARGET
    sta CELLS,y
    jsr draw_row
    ldx player
    inc targets,x
    lda stage
    cmp #TOP_STAGE
    bcs @most
    asl
    asl
    adc #4                        ; carry is clear
    .byte $2C                     ; BIT absolute: skips the next instruction
@most:
    lda #MOST_TARGETS
    cmp targets,x
    beq to_spawn
    rts

; The next piece comes to player X.
to_spawn:
    lda #PLAY_SPAWN
    sta play_state,x
    lda #SPAWN_DELAY
    sta wait,x
    rts

suits:                            ; X: the next colour, 1-3; carry clear if it suits
    inx
    cpx #4
    bcc @which
    ldx #1
@which:
    lda near
    and colour_bits,x
    cmp #1
    rts

; The colours of the targets two cells away from cell cell_at into `near`; Y: that cell in CELLS. Keeps Y.
look_near:
    lda #0
    sta near
    lda cell_at
    and #7
    cmp #2
    bcc @no_left
    lda CELLS - 2,y
    jsr @add
@no_left:
    lda cell_at
    and #7
    cmp #6
    bcs @no_right
    lda CELLS + 2,y
    jsr @add
@no_right:
    lda cell_at
    cmp #16
    bcc @no_up
    lda CELLS - 16,y
    jsr @add
@no_up:
    lda cell_at
    cmp #112
    bcs @no_down
    lda CELLS + 16,y
@add:
    and #COLOUR
    tax
    lda colour_bits,x
    ora near
    sta near
@no_down:
    rts

colour_bits:
    .byte 0, 1, 2, 4
stage_rows:
    .byte 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 11, 11, 12, 12, 13, 13

; --- WON: words, then the next stage; START does not wait ---
state_won:
    jsr present
    ldx #0
    stx player
    dec wait
    beq @next
    lda pad_new
    and #BTN_START
    beq @done
@next:
    lda #GAME_PLAY
    sta game_state
    lda stage
    cmp #LAST_STAGE
    bcs @begin
    inc stage
@begin:
    lda #0
    sta messages_due
    jsr begin_stage
    jmp tune_start
@done:
    rts
