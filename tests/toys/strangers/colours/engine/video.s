; What is drawn, and when: whole screens with the picture off, two rows of cells a frame, the pieces as sprites.

.if WHERE_OAM
OAM_BUFFER = WHERE_OAM
.endif

STRIP = COLUMNS + 2               ; bytes of a strip: an address of the picture's memory, and a row of tiles

hide_sprites:
    ldx #0
    lda #$F8
@sprite:
    sta OAM_BUFFER,x
    inx
    bne @sprite
    rts

screen_off:
    lda #0
    sta PPUCTRL
    sta PPUMASK
    sta strips_ready
    jsr hide_sprites
    bit PPUSTATUS
    lda #$3F                      ; the palettes
    sta PPUADDR
    lda #0
    sta PPUADDR
    ldx #0
@color:
    lda palette,x
    sta PPUDATA
    inx
    cpx #32
    bne @color
    lda #$20                      ; an empty picture
    sta PPUADDR
    lda #0
    sta PPUADDR
    ldy #4
    tax
    lda #TILE_BLANK
@tile:
    cpy #1
    bne @put
    cpx #$C0
    bcc @put
    lda #0                        ; attributes
@put:
    sta PPUDATA
    inx
    bne @tile
    dey
    bne @tile
    rts

screen_on:
    bit PPUSTATUS
@blank:
    bit PPUSTATUS
    bpl @blank
    lda #0
    sta vblank_flag
    lda #$80
    sta PPUCTRL
    rts

palette:
    .repeat 4
    .byte $0F, $00, $27, $30
    .endrepeat
    .repeat 4
    .byte $0F, $00, $27, $30
    .endrepeat

; The screen before a game whose number is in X.
draw_menu:
    stx screen
    jsr screen_off
    lda #0
    sta showing
    ldx screen
    lda word_low,x
    sta ptr
    lda word_high,x
    sta ptr + 1
    lda #$21
    ldx #$6A
    jsr write_word
    ldx screen
    lda screen_items,x
    beq @done
    sta left
    ldx #0
@line:
    stx text
    lda #<line_other
    ldy #>line_other
    ldx screen
    pha
    lda screen_target,x
    cmp text
    bne @other
    pla
    lda #<line_play
    ldy #>line_play
    pha
@other:
    pla
    sta ptr
    sty ptr + 1
    ldx text
    lda line_at,x
    tax
    lda #$22
    jsr write_word
    ldx text
    inx
    dec left
    bne @line
@done:
    jmp screen_on

line_at:
    .byte $0C, $2C, $4C, $6C

; The word at ptr, to its end, at A:X.
write_word:
    bit PPUSTATUS
    sta PPUADDR
    stx PPUADDR
    ldy #0
@letter:
    lda (ptr),y
    bmi @done
    sta PPUDATA
    iny
    bne @letter
@done:
    rts

; A frame of walls around each field; rows follow.
draw_field:
    lda #1
    sta showing
    ldx #0
@strip:
    lda #HIDDEN
    sta strip,x
    inx
    cpx #2
    bne @strip
    lda #FIELD_LEFT - 1
    jsr draw_walls
.if PLAYERS = 2
    lda VERSUS
    beq @done
    lda #FIELD_LEFT_2 - 1
    jsr draw_walls
@done:
.endif
    rts

draw_walls:                       ; A: the column of tiles of the left wall
    sta lane
    lda #4                        ; down at a time
    sta PPUCTRL
    lda lane
    jsr @side
    lda lane
    clc
    adc #COLUMNS + 1
    jsr @side
    lda #0
    sta PPUCTRL
    lda #>FLOOR_AT
    sta PPUADDR
    lda #<FLOOR_AT
    clc
    adc lane
    sta PPUADDR
    ldx #COLUMNS + 2
    lda #TILE_WALL
@floor:
    sta PPUDATA
    dex
    bne @floor
    rts
@side:
    clc
    adc #<TOP_AT
    ldx #>TOP_AT
    stx PPUADDR
    sta PPUADDR
    ldx #STORED - HIDDEN
    lda #TILE_WALL
@wall:
    sta PPUDATA
    dex
    bne @wall
    rts

; Two rows of each player's field for the next NMI.
prepare_strips:
    lda #0
    sta strips_ready
    lda showing
    bne @shows
    rts
@shows:
    lda #0
    sta player
    sta to_ptr
@field:
    lda #2
    sta left
@row:
    ldy player
    ldx strip,y
    lda row_first,x
    sta cell
    ldy to_ptr
    ldx player
    lda strip,x
    tax
    lda row_high,x
    sta STRIPS,y
    iny
    lda row_low,x
.if PLAYERS = 2
    ldx player
    clc
    adc field_left,x
.endif
    sta STRIPS,y
    iny
    sty to_ptr
    lda #COLUMNS
    sta columns_left
@cell:
    ldx cell
    jsr get
    and #$0F
    tax
    lda tile_of,x
    ldy to_ptr
    sta STRIPS,y
    inc to_ptr
    inc cell
    dec columns_left
    bne @cell
    inc strips_ready
    ldy player
    ldx strip,y
    inx
    cpx #STORED
    bne @on
    ldx #HIDDEN
@on:
    txa
    sta strip,y
    dec left
    bne @row
.if PLAYERS = 2
    lda VERSUS
    beq @done
    inc player
    lda player
    cmp #2
    bne @field
@done:
.endif
    lda #0
    sta player
    rts

; NMI: the strips that are ready. Some 200 cycles each. It has X and Y to itself, and the game part waits.
write_strips:
    ldx #0
    ldy strips_ready
    beq @done
@strip:
    lda STRIPS,x
    sta PPUADDR
    inx
    lda STRIPS,x
    sta PPUADDR
    inx
    .repeat COLUMNS, n
    lda STRIPS + n,x
    sta PPUDATA
    .endrepeat
    txa
    clc
    adc #COLUMNS
    tax
    dey
    bne @strip
@done:
    rts

; The piece of each player, and the next one, as sprites.
show_pieces:
    jsr hide_sprites
    lda showing
    bne @shows
    ldx screen                    ; the arrow of a menu
    lda screen_items,x
    beq @no_arrow
    lda MENU_CURSOR
    asl
    asl
    asl
    clc
    adc #127
    sta OAM_BUFFER
    lda #TILE_ARROW
    sta OAM_BUFFER + 1
    lda #0
    sta OAM_BUFFER + 2
    lda #80
    sta OAM_BUFFER + 3
@no_arrow:
    rts
@shows:
    lda ended
    bne @no_arrow
    sta player
    sta po
    jsr show_piece
.if PLAYERS = 2
    lda VERSUS
    beq @done
    lda #1
    sta player
    lda #SHIFT
    sta po
    jsr show_piece
    lda #0
    sta player
    sta po
@done:
.endif
    rts

show_piece:
.if KEEPS_NEXT
    jsr load_next
    lda #0
    sta left
@next:
    ldx left
    lda kinds,x
    tay
    lda tile_of,y
    pha
    jsr sprite_of
    lda left
    asl
    asl
    asl
    clc
    adc #8 * FIELD_TOP - 1
    sta OAM_BUFFER + 32,y
    pla
    sta OAM_BUFFER + 33,y
    lda #0
    sta OAM_BUFFER + 34,y
    ldx player
    lda next_left,x
    sta OAM_BUFFER + 35,y
    inc left
    lda left
    cmp #PIECE
    bne @next
.endif
    ldx po
    lda P_WAIT,x
    beq @flies
    rts
@flies:
    jsr load_piece
    ldy lo
    lda shape_first,y
    sta shape_at
    lda #0
    sta left
@part:
    ldx shape_at
    lda ly
    clc
    adc cell_y,x
    bmi @hidden
    cmp #HIDDEN
    bcc @hidden
    asl
    asl
    asl
    clc
    adc #8 * (FIELD_TOP - HIDDEN) - 1
    sta tc
    jsr sprite_of
    lda tc
    sta OAM_BUFFER,y
    ldx left
    lda kinds,x
    tax
    lda tile_of,x
    sta OAM_BUFFER + 1,y
    lda #0
    sta OAM_BUFFER + 2,y
    ldx shape_at
    lda lx
    clc
    adc cell_x,x
    asl
    asl
    asl
    ldx player
    clc
    adc left_pixels,x
    sta OAM_BUFFER + 3,y
@hidden:
    inc shape_at
    inc left
    lda left
    cmp #PIECE
    bne @part
    rts

; Y: the place of the sprite of the player's part `left`.
sprite_of:
    lda player
    asl
    asl
    adc left
    asl
    asl
    tay
    rts
