; A player's game, from its first piece to its last: a coroutine.

player_game:
    jsr next_kinds
.if STAGED
    lda #S_PLANT
    jsr set_state
    jsr plant
.endif
next_piece:
    jsr spawn
    bcs lost
@control:
.if DRAWN
    jsr load_piece
    lda #DRAWN
    jsr draw_piece
.endif
    jsr yield
.if DRAWN
    jsr load_piece
    lda #0
    jsr draw_piece
.endif
    jsr control
    bcc @control
    jsr put_piece
    jsr after_lock
.if STAGED
    ldx po
    lda P_TARGETS,x
    beq won
.endif
    jmp next_piece

lost:
    ldx player
    inx
    txa
    bne ends
won:
    lda #$80
ends:
    sta ended
@forever:
    jsr yield
    jmp @forever

; The state of the player's game, if memory has it. A: which.
set_state:
.if HAS_STATE
    tay
    lda state_code,y
    ldx po
    sta P_STATE,x
.endif
    rts

; The kinds of the next piece, by chance.
next_kinds:
    ldx #0
@part:
    lda #COLORS
    jsr any_of
    clc
    adc #1
    sta kinds,x
    inx
    cpx #PIECE
    bne @part
    jmp store_next

; The next piece enters. Carry set if it does not fit.
spawn:
    jsr load_next
.if SPAWN_LO
    lda #SPAWN_LO
.else
    lda #0
.endif
    sta lo
    lda #SPAWN_X
    sta lx
    lda #SPAWN_Y
    sta ly
    ldx po
    lda #0
    sta P_DAS,x
    sta P_WAIT,x
.if CLEARS_CHAIN
    sta P_CHAIN,x
.endif
.if LOCK_DELAY
    sta P_REST,x
.endif
.if QUICK_TURN
    sta P_PRIMED,x
.endif
.if SPEED_EVERY
    lda P_PIECES,x
    and #SPEED_EVERY - 1
    cmp #SPEED_EVERY - 1
    bne @same
    lda P_SPEED,x
    cmp #SPEED_LAST
    beq @same
    dec P_SPEED,x
@same:
.endif
    lda P_SPEED,x
    sta P_TIMER,x
    inc P_PIECES,x
    jsr fits
    bcs @dead
    jsr store_piece
    jsr next_kinds
    lda #S_PLAY
    jsr set_state
    clc
    rts
@dead:
    sec
    rts

; All that follows a lock, until the next piece may enter.
after_lock:
    ldx po
    lda #0
    sta P_CHAIN,x
.if NUISANCE_EVERY
    lda P_PIECES,x
    and #NUISANCE_EVERY - 1
    bne @none
    lda #NUISANCE_MANY
    clc
    adc P_PENDING,x
    sta P_PENDING,x
@none:
.endif
.if QUICK
    jsr land
    jsr touches
    bcs @settle
    ldx po
    lda P_PENDING,x
    bne @rest
    rts
.endif
@settle:
    lda #S_SETTLE
    jsr set_state
    jsr park
    lda #SETTLE
    jsr wait_frames
@again:
    jsr fall_all
    jsr scan
    bcc @rest
    ldx po
    inc P_CHAIN,x
    lda #S_POP
    jsr set_state
    jsr pop
    lda #S_SETTLE
    jsr set_state
    jmp @again
@rest:
.if NUISANCE
    jsr nuisance_falls
.endif
.if PARKS
    jsr park
.endif
    lda #S_SPAWN
    jsr set_state
    lda #SPAWN_DELAY
    jmp wait_frames

; Memory shows no piece, if the game has no other sign that none is under control.
park:
.if PARKS
    ldx po
    lda #PARKED
    sta P_Y,x
.if PLACE_CELLS
    sta P_Y2,x
.endif
.endif
.if HIDES_KINDS
    ldx po
    lda #0
    sta P_NOW,x
    sta P_NOW_2,x
.if PIECE = 3
    sta P_NOW_3,x
.endif
.endif
    rts

.if NUISANCE
; What waits falls, one on a column at most.
nuisance_falls:
    ldx po
    lda P_PENDING,x
    beq @done
    lda #S_NUISANCE
    jsr set_state
    jsr park
    lda #COLUMNS
    jsr any_of
    tax
    lda #COLUMNS
    sta columns_left
@column:
    jsr get
    bne @next
    lda #K_NUISANCE
    jsr set
@next:
    inx
    cpx #COLUMNS
    bne @in
    ldx #0
@in:
    ldy po
    lda P_PENDING,y
    beq @fall
    sec
    sbc #1
    sta P_PENDING,y
    beq @fall
    dec columns_left
    bne @column
@fall:
    jmp fall_all
@done:
    rts
.endif

.if STAGED
; Targets at random places of the lower rows, a try each frame, none of them in a line.
plant:
    ldx po
    lda #0
    sta P_TARGETS,x
    jsr park
@one:
    lda #1
    jsr wait_frames
    ldx STAGE
    cpx #STAGES - 1
    bcc @number
    ldx #STAGES - 1
@number:
    ldy po
    lda P_TARGETS,y
    cmp stage_targets,x
    bcs @done
    lda #TARGET_CELLS
    jsr any_cell
    clc
    adc #CELLS - TARGET_CELLS
    sta cell
    tax
    jsr get
    bne @one
    lda #COLORS
    jsr any_of
    clc
    adc #K_TARGET + 1
    ldx cell
    jsr set
    jsr clear_marks
    ldx cell
    jsr match
    jsr any_marked
    bcc @stays
    lda #0
    ldx cell
    jsr set
    jmp @one
@stays:
    ldx po
    inc P_TARGETS,x
    bne @one
@done:
    rts

; A number from 0 to A - 1, for more than 32.
any_cell:
    sta most
    jsr step_rng
@less:
    cmp most
    bcc @done
    sbc most
    bcs @less
@done:
    rts
.endif
