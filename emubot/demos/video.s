; The screen: playfield copy and line animation in the NMI, whole screens drawn while rendering is off.

FIELD_COLUMN = 12                 ; the playfield's place on the screen, in tiles
FIELD_ROW    = 6
FIELD_SCREEN = $2000 + 32 * FIELD_ROW + FIELD_COLUMN

; NMI: four playfield rows from p_vram on, or one step of the line animation. About 550 cycles.
render_playfield:
    lda render_mode
    cmp #RENDER_PLAY
    bne @done
    lda a_state
    cmp #4
    beq animate_lines
    lda #4
    sta nmi_rows
@row:
    ldx a_vram
    cpx #ROWS
    bcs @done
    lda field_hi,x
    sta PPUADDR
    lda field_lo,x
    sta PPUADDR
    ldy times_ten,x
    .repeat COLUMNS, column
    lda FIELD + column,y
    sta PPUDATA
    .endrepeat
    inx
    cpx #ROWS
    bne @store
    ldx #COPY_DONE
@store:
    stx a_vram
    dec nmi_rows
    bne @row
@done:
    rts

; Every fourth frame, by the counter's value before its increment, one more pair of columns disappears from the middle
; outwards in the rows that were full. The fifth step ends it. The copy starts anew afterwards.
animate_lines:
    lda #0
    sta a_vram
    lda frame_count
    and #3
    bne @done
    ldx #3
@line:
    ldy a_done,x                  ; 0 means none, so row 0 itself is not animated
    beq @next
    cpy #ROWS
    bcs @next                     ; the row below the floor can count as full; it has no place on the screen
    lda field_hi,y
    sta PPUADDR
    lda field_lo,y
    clc
    adc #4
    sec
    sbc a_row_y
    jsr @blank
    ldy a_done,x
    lda field_hi,y
    sta PPUADDR
    lda field_lo,y
    clc
    adc #5
    adc a_row_y
    jsr @blank
@next:
    dex
    bpl @line
    inc a_row_y
    lda a_row_y
    cmp #5
    bcc @done
    lda #5
    sta a_state
@done:
    rts
@blank:
    sta PPUADDR
    lda #TILE_EMPTY
    sta PPUDATA
    rts

field_lo:
    .repeat ROWS, row
    .byte <(FIELD_SCREEN + 32 * row)
    .endrepeat
field_hi:
    .repeat ROWS, row
    .byte >(FIELD_SCREEN + 32 * row)
    .endrepeat

; NMI: what the game part left to write. Strings are short: the whole queue stays below 30 bytes.
flush_queue:
    ldx #0
@string:
    ldy VRAM_QUEUE,x
    beq @done
    lda VRAM_QUEUE + 1,x
    sta PPUADDR
    lda VRAM_QUEUE + 2,x
    sta PPUADDR
@byte:
    lda VRAM_QUEUE + 3,x
    sta PPUDATA
    inx
    dey
    bne @byte
    inx
    inx
    inx
    bne @string
@done:
    sty VRAM_QUEUE
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

; --- screens ---
; A change of screen takes two frames: in the first the NMI turns rendering off, in the second everything is drawn.
; Screen number in A; returns with carry set when the screen stands and the caller may go on.
show_screen:
    ldx screen_step
    beq @blank
    dex
    beq @draw
    sec
    rts
@blank:
    jsr hide_sprites
    lda #0
    sta ppu_mask
    sta mode_state
    sta render_mode
    inc screen_step
    clc
    rts
@draw:
    asl
    tay
    lda screens,y
    sta ptr
    lda screens + 1,y
    sta ptr + 1
    jsr fill_screen
    jsr draw_script
    lda #$1E                      ; background and sprites, also in the left column
    sta ppu_mask
    inc screen_step
    clc
    rts

; Mode in A; its first frame comes next.
enter_mode:
    sta game_mode
    lda #0
    sta screen_step
    rts

; The background pattern everywhere, palette 1 for all of it.
fill_screen:
    lda #$20
    sta PPUADDR
    ldx #0
    stx PPUADDR
    ldy #30
@line:
    tya
    lsr
    lda #TILE_GRID
    adc #0                        ; two rows alternate
    ldx #16
@pair:
    sta PPUDATA
    eor #2
    sta PPUDATA
    eor #2
    dex
    bne @pair
    dey
    bne @line
    lda #$55
    ldx #64
@attribute:
    sta PPUDATA
    dex
    bne @attribute
    rts

; A script is a row of orders, each with a VRAM address (high, low):
;   address, length, bytes      text
;   address, $80 + n, byte      the byte n times
;   address, $C0, width, height a frame of that inner size, blank inside
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
    beq @frame
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
@frame:
    lda (ptr),y
    sta box_w
    iny
    lda (ptr),y
    sta box_h
    iny
    jsr draw_frame
@advance:
    tya
    clc
    adc ptr
    sta ptr
    bcc draw_script
    inc ptr + 1
    jmp draw_script

; Frame with its upper left corner at t1:t0, which PPUADDR holds already. Keeps Y.
draw_frame:
    lda #TILE_FRAME
    jsr @line
@inside:
    jsr @down
    lda #TILE_FRAME + 3
    jsr @line
    dec box_h
    bne @inside
    jsr @down
    lda #TILE_FRAME + 6
@line:                            ; left, middle and right tile, from A on
    sta PPUDATA
    clc
    adc #1
    cmp #TILE_FRAME + 4
    bne @middle
    lda #TILE_EMPTY
@middle:
    ldx box_w
@tile:
    sta PPUDATA
    dex
    bne @tile
    cmp #TILE_EMPTY
    bne @right
    lda #TILE_FRAME + 4
@right:
    clc
    adc #1
    sta PPUDATA
    rts
@down:
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
    rts

; Text as sprites: table of (y, tile, attributes, x) at ptr, ended by y = $FF, into the buffer from sprite X/4 on.
; X returns behind the last sprite.
sprite_text:
    ldy #0
@byte:
    lda (ptr),y
    cmp #$FF
    beq @done
    jsr @copy
    jsr @copy
    jsr @copy
    jsr @copy
    jmp @byte
@copy:
    lda (ptr),y
    sta OAM_BUFFER,x
    inx
    iny
@done:
    rts
