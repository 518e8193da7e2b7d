; The screens around a game: legal, title, game type, level. Every test is on the newly pressed buttons being exactly
; one button, as documented for NES Tetris, so that START has to be let go between screens.

LEGAL_FRAMES = 90

mode_legal:
    lda #SCREEN_LEGAL
    ldx screen_step
    bne @shown
    ldy #LEGAL_FRAMES
    sty sleep_count
@shown:
    jsr show_screen
    bcc @done
    lda sleep_count
    beq @leave
    lda btn_new
    cmp #BTN_START
    bne @done
@leave:
    lda #MODE_TITLE
    jmp enter_mode
@done:
    rts

mode_title:
    ldx screen_step
    bne @shown
    stx frame_count + 1
@shown:
    lda #SCREEN_TITLE
    jsr show_screen
    bcc @done
    inc blink
    lda blink
    and #$1F
    bne @wait
    lda blink                     ; every 32 frames "PRESS START" comes or goes
    asl
    asl
    asl
    ldx #<press_start_off
    ldy #>press_start_off
    bcs @queue
    ldx #<press_start_on
    ldy #>press_start_on
@queue:
    jsr queue_string
@wait:
    lda btn_new
    cmp #BTN_START
    bne @done
    lda #MODE_TYPE
    jmp enter_mode
@done:
    rts

mode_type:
    lda #SCREEN_TYPE
    jsr show_screen
    bcc @done
    lda #RENDER_MENU
    sta render_mode
    jsr @input
    ldx game_type
    lda type_cursor,x
    ldy #12 * 8 - 1
    jmp draw_arrow
@input:
    lda btn_new
    ldx #0
    cmp #BTN_LEFT
    beq @choose
    inx
    cmp #BTN_RIGHT
    beq @choose
    cmp #BTN_B
    beq @back
    cmp #BTN_START
    bne @done
    lda game_type                 ; type B is on the screen and in RAM, but cannot be played here
    bne @refuse
    lda #MODE_LEVEL
    jmp enter_mode
@refuse:
    ldx #<refusal
    ldy #>refusal
    jmp queue_string
@back:
    lda #MODE_TITLE
    jmp enter_mode
@choose:
    stx game_type
    ldx #<no_refusal
    ldy #>no_refusal
    jmp queue_string
@done:
    rts

type_cursor:                      ; x of the arrow
    .byte 5 * 8, 17 * 8

mode_level:
    ldx screen_step
    bne @shown
    lda start_level               ; 10-19 came with A + START; the menu shows the digit
@modulo:
    cmp #10
    bcc @digit
    sbc #10
    bcs @modulo
@digit:
    sta start_level
@shown:
    lda #SCREEN_LEVEL
    jsr show_screen
    bcc @done
    lda #RENDER_MENU
    sta render_mode
    jsr @input
    jmp draw_level_cursor
@input:
    ldx start_level
    lda btn_new
    cmp #BTN_RIGHT
    beq @right
    cmp #BTN_LEFT
    beq @left
    cmp #BTN_DOWN
    beq @down
    cmp #BTN_UP
    beq @up
    cmp #BTN_B
    beq @back
    cmp #BTN_START
    bne @done
    lda btn_held
    cmp #BTN_A + BTN_START
    bne @start
    txa
    clc
    adc #10
    sta start_level
@start:
    lda #MODE_PLAY
    jmp enter_mode
@back:
    lda #MODE_TYPE
    jmp enter_mode
@right:
    cpx #9
    beq @done
    inc start_level
    rts
@left:
    txa
    beq @done
    dec start_level
    rts
@down:
    cpx #5
    bcs @done
    txa
    adc #5                        ; carry is clear
    sta start_level
    rts
@up:
    cpx #5
    bcc @done
    txa
    sbc #5                        ; carry is set
    sta start_level
@done:
    rts

; The chosen digit again, as a sprite on a bright ground.
draw_level_cursor:
    jsr hide_sprites
    ldx start_level
    ldy #11 * 8 - 1
    cpx #5
    bcc @row
    ldy #15 * 8 - 1
@row:
    sty OAM_BUFFER
    lda level_x,x
    sta OAM_BUFFER + 3
    txa
    clc
    adc #TILE_OPAQUE
    sta OAM_BUFFER + 1
    lda #2
    sta OAM_BUFFER + 2
    rts

level_x:
    .repeat 10, level
    .byte (8 + 4 * (level .mod 5)) * 8
    .endrepeat

; Arrow at x = A, y = Y as the only sprite.
draw_arrow:
    pha
    jsr hide_sprites
    pla
    sta OAM_BUFFER + 3
    sty OAM_BUFFER
    lda #TILE_ARROW
    sta OAM_BUFFER + 1
    lda #2
    sta OAM_BUFFER + 2
    rts

; The string at Y:X (length, address, bytes) becomes the queue's only one.
queue_string:
    stx ptr
    sty ptr + 1
    ldy #0
    lda (ptr),y
    clc
    adc #3
    tax
@byte:
    lda (ptr),y
    sta VRAM_QUEUE,y
    iny
    dex
    bne @byte
    txa
    sta VRAM_QUEUE,y
    rts
