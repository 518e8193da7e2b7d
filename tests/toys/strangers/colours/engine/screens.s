; The screens before and after a game, the game's pause and the demo. MODE has the code of the screen: `mode_code` lists
; them, first those of the menus, in the order in which they come.

M_PLAY   = SCREENS
M_OVER   = SCREENS + 1
M_WON    = SCREENS + 2
M_PAUSED = SCREENS + 3
M_DEMO   = SCREENS + 4
MODES    = SCREENS + 5

start_up:
    lda #$E1
    sta RNG
    lda #$AC
    sta RNG + 1
.if PLAYERS = 2 .and VERSUS_KEY = 0
    lda #1
    sta VERSUS
.endif
    ldx #0
    jmp go_to_screen

run_screen:
    lda MODE
    ldx #$FF
@look:
    inx
    cmp mode_code,x
    bne @look
    stx screen
    cpx #SCREENS
    bcs @game
    jmp run_menu
@game:
    cpx #M_OVER
    jeq run_over
    cpx #M_WON
    bne @play
    jmp run_won
@play:
    jmp run_play

; --- menus ---

run_menu:
    lda SCREEN_TIMER
    beq @ready
    dec SCREEN_TIMER
    rts
@ready:
.if DEMO
    jsr look_for_demo
    bcc @stays
    rts
@stays:
.endif
    jsr move_cursor
    ldx screen
.if PLAYERS = 2 .and VERSUS_KEY
    cpx #SCREENS - 1
    bne @one
    lda PAD_NEW
    and #VERSUS_KEY
    beq @one
    lda VERSUS
    eor #1
    sta VERSUS
@one:
.endif
    lda screen_button,x
    jsr pressed
    bcc @done
    lda screen_items,x
    beq @on
    lda MENU_CURSOR
    cmp screen_target,x
    beq @on
    lda OPTIONS                   ; another line of the menu: an option that changes nothing
    eor #1
    sta OPTIONS
@done:
    rts
@on:
    inx
    cpx #SCREENS
    bne go_to_screen
    jmp start_game

; Carry set if all buttons of A are down, one of them newly. Keeps X.
pressed:
    sta want
    and PAD_HELD
    cmp want
    bne @no
    lda PAD_NEW
    and want
    beq @no
    sec
    rts
@no:
    clc
    rts

move_cursor:
    ldx screen
    lda screen_items,x
    beq @done
    lda PAD_NEW
    and #CURSOR_DOWN
    beq @up
    ldy MENU_CURSOR
    iny
    tya
    cmp screen_items,x
    bne @set
    lda #0
@set:
    sta MENU_CURSOR
@up:
    lda PAD_NEW
    and #CURSOR_UP
    beq @done
    ldy MENU_CURSOR
    dey
    bpl @store
    ldy screen_items,x
    dey
@store:
    sty MENU_CURSOR
@done:
    rts

go_to_screen:                     ; X
    lda mode_code,x
    sta MODE
    lda screen_delay,x
    sta SCREEN_TIMER
    lda screen_start,x
    sta MENU_CURSOR
    lda #0
    sta ended
.if DEMO
    sta DEMO
    sta IDLE
    sta IDLE + 1
.endif
    jmp draw_menu

; --- a game ---

start_game:
    lda #0
.if DEMO
    sta DEMO
begin:
.endif
    lda #0
.if STAGED
    sta STAGE
.endif
    ldx #0
    jsr reset_player
.if PLAYERS = 2
    ldx #SHIFT
    jsr reset_player
.endif
    lda RNG                       ; a game is not the one before: when it was started counts
    eor FRAMES
    sta RNG
    ora RNG + 1
    bne start_stage
    inc RNG
start_stage:
    lda #0
    sta ended
.if PAUSE
    sta PAUSED
.endif
    jsr screen_off
    lda #0
    sta player
    sta po
    jsr new_field
.if PLAYERS = 2
    lda #1
    sta player
    lda #SHIFT
    sta po
    jsr new_field
.endif
    ldx #M_PLAY
.if DEMO
    lda DEMO
    beq @code
    ldx #M_DEMO
@code:
.endif
    lda mode_code,x
    sta MODE
    jsr draw_field
    jmp screen_on

; The player's game begins with an empty field, and with no piece yet.
new_field:
    jsr clear_cells
    lda #S_SPAWN
    jsr set_state
    jsr park
    ldx po
    lda #1
    sta P_WAIT,x
    jmp begin_game

reset_player:                     ; X: where its bytes are
    lda #0
    sta P_CHAIN,x
    sta P_PIECES,x
    sta P_PENDING,x
    sta P_SCORE,x
    sta P_SCORE_2,x
    sta P_SCORE_3,x
    sta P_SCORE_4,x
    lda #SPEED_FIRST
    sta P_SPEED,x
    rts

run_play:
.if DEMO
    lda DEMO
    beq @played
    jsr run_demo
    bcc @played
    rts
@played:
.endif
.if PAUSE
    lda #PAUSE
    jsr pressed
    bcc @same
    lda PAUSED
    eor #PAUSED_CODE
    sta PAUSED
    ldx #M_PLAY
    lda PAUSED
    beq @code
    ldx #M_PAUSED
@code:
    lda mode_code,x
    sta MODE
@same:
    lda PAUSED
    beq @goes_on
    rts
@goes_on:
.endif
    lda #0
    sta player
    sta po
    jsr resume
.if PLAYERS = 2
    lda VERSUS
    beq @alone
    lda #1
    sta player
    lda #SHIFT
    sta po
    jsr resume
@alone:
.endif
    lda ended
    beq @done
    bmi @won
    ldx #M_OVER
.if PLAYERS = 2
    sta LOSER
.endif
    lda #OVER_WAIT
    bne @next
@won:
    ldx #M_WON
    lda #WON_WAIT
@next:
    sta SCREEN_TIMER
.if DEMO
    lda DEMO
    beq @ends
    ldx #0
    jmp go_to_screen
@ends:
.endif
    lda mode_code,x
    sta MODE
@done:
    rts

run_over:
    lda SCREEN_TIMER
    beq @ready
    dec SCREEN_TIMER
    rts
@ready:
.if OVER_BUTTON
    lda #OVER_BUTTON
    jsr pressed
    bcc @done
.endif
.if OVER_RESTARTS
    jmp start_game
.else
    ldx #OVER_TO
    jmp go_to_screen
.endif
@done:
    rts

run_won:
    dec SCREEN_TIMER
    bne @done
.if STAGED
    inc STAGE
.endif
    jmp start_stage
@done:
    rts

; --- the demo: a game that plays itself after some time on the first screen ---
.if DEMO
; Carry set if it has begun.
look_for_demo:
    lda screen
    ora PAD_HELD
    bne @busy
    inc IDLE
    bne @no
    inc IDLE + 1
    lda IDLE + 1
    cmp #DEMO_AFTER
    bne @no
    lda #1
    sta DEMO
    lda #0
    sta IDLE + 1
    jsr begin
    sec
    rts
@busy:
    lda #0
    sta IDLE
    sta IDLE + 1
@no:
    clc
    rts

; Press something; carry set if the demo is over: a button was pressed, or it was long enough.
run_demo:
    lda PAD_NEW
    bne @over
    inc IDLE
    bne @on
    inc IDLE + 1
    lda IDLE + 1
    cmp #DEMO_LASTS
    beq @over
@on:
    lda FRAMES
    and #7
    bne @held
    jsr step_rng
    and #7
    tax
    lda demo_pads,x
    sta PAD_NEW
    sta PAD_HELD
    clc
    rts
@held:
    lda #0
    sta PAD_HELD
    clc
    rts
@over:
    ldx #0
    jsr go_to_screen
    sec
    rts

demo_pads:
    .byte 0, 0, BTN_LEFT, BTN_RIGHT, BTN_A, BTN_B, BTN_DOWN, BTN_DOWN
.endif
