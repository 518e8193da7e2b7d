; What the menu shows of the options: one value a frame.

COLOURS_AT = AT 12, 12
LEVEL_AT   = AT 12, 15

draw_options:
    inc hud_step
    lda hud_step
    and #3
    beq @mode
    cmp #2
    bcc @items
    beq @level
    lda colours
    ora #TILE_FONT
    sta QUEUE + 3
    lda #0
    sta QUEUE + 4
    lda #>COLOURS_AT
    sta QUEUE + 1
    lda #<COLOURS_AT
    sta QUEUE + 2
    lda #1
    sta QUEUE
    rts
@level:
    lda start_level
    ldx #0
    cmp #10
    bcc @ones
    sbc #10
    inx
@ones:
    ora #TILE_FONT
    sta QUEUE + 4
    txa
    ora #TILE_FONT
    sta QUEUE + 3
    lda #0
    sta QUEUE + 5
    lda #>LEVEL_AT
    sta QUEUE + 1
    lda #<LEVEL_AT
    sta QUEUE + 2
    lda #2
    sta QUEUE
    rts
@mode:
    ldx #<mode_endless
    ldy #>mode_endless
    lda mode
    beq queue_string
    ldx #<mode_versus
    ldy #>mode_versus
    bne queue_string              ; always
@items:
    ldx #<items_off
    ldy #>items_off
    lda items
    beq queue_string
    ldx #<items_on
    ldy #>items_on

.include "../string.inc"
