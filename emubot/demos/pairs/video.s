; The rest of the screen: short strings in the NMI, whole screens while rendering is off.

.include "../queue.inc"

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

.include "../script.inc"
