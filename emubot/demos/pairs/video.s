; The rest of the screen: short strings in the NMI, whole screens while rendering is off.

; NMI: short strings of the game part.
flush_queue:
    ldx #0
@string:
    ldy QUEUE,x
    beq @done
    lda QUEUE + 1,x
    sta PPUADDR
    lda QUEUE + 2,x
    sta PPUADDR
@byte:
    lda QUEUE + 3,x
    sta PPUDATA
    inx
    dey
    bne @byte
    inx
    inx
    inx
    bne @string
@done:
    sty QUEUE
    rts

hide_sprites:
    ldx #0
    lda #$FF                      ; below the screen
@sprite:
    sta OAM_BUFFER,x
    inx
    inx
    inx
    inx
    bne @sprite
    rts

; The screen of game state X.
draw_screen:
    lda screens_low,x
    sta ptr
    lda screens_high,x
    sta ptr + 1
    cpx #GAME_PLAY
    bne @scripted
    lda mode
    beq @scripted
    lda #<versus_script
    sta ptr
    lda #>versus_script
    sta ptr + 1
@scripted:
    jsr fill_screen
    jsr draw_script
    ldx #63                       ; what the script left in the attribute table is the fourth palette almost everywhere
    lda #$FF
@attribute:
    sta ATTRIBUTES,x
    dex
    bpl @attribute
    rts

; The panel's pattern everywhere, the fourth palette for all of it.
fill_screen:
    lda #$20
    sta PPUADDR
    ldx #0
    stx PPUADDR
    ldy #30
    lda #TILE_PANEL
@line:
    ldx #32
@tile:
    sta PPUDATA
    dex
    bne @tile
    dey
    bne @line
    lda #$FF
    ldx #64
@attribute:
    sta PPUDATA
    dex
    bne @attribute
    rts

; A script is a row of orders, each with a VRAM address (high, low):
;   address, length, bytes      text
;   address, $80 + n, byte      the byte n times
;   address, $C0, w, h, byte    a block of that size, filled with the byte
;   $FF                         end
draw_script:
    ldy #0
    lda (ptr),y
    bpl @order
    rts
@order:
    sta t1
    sta PPUADDR
    iny
    lda (ptr),y
    sta t0
    sta PPUADDR
    iny
    lda (ptr),y
    iny
    cmp #$C0
    beq @block
    asl
    bcs @run
    lsr
    tax
@text:
    lda (ptr),y
    sta PPUDATA
    iny
    dex
    bne @text
    beq @advance
@run:
    lsr
    tax
    lda (ptr),y
    iny
@repeat:
    sta PPUDATA
    dex
    bne @repeat
    beq @advance
@block:
    lda (ptr),y
    sta t2
    iny
    lda (ptr),y
    sta t3
    iny
    lda (ptr),y
    iny
    jsr draw_block
@advance:
    tya
    clc
    adc ptr
    sta ptr
    bcc draw_script
    inc ptr + 1
    jmp draw_script

; t3 lines of t2 tiles A from t1:t0 on, which PPUADDR holds already. Keeps Y.
draw_block:
    sta t4
@line:
    ldx t2
    lda t4
@tile:
    sta PPUDATA
    dex
    bne @tile
    dec t3
    beq @done
    lda t0
    clc
    adc #32
    sta t0
    lda t1
    adc #0
    sta t1
    sta PPUADDR
    lda t0
    sta PPUADDR
    bne @line
    beq @line
@done:
    rts
