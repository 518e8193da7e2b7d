; What comes by chance: the next piece.

.include "../generator.inc"

; The next piece of the player in hand, half 1 first. X: that player.
deal:
    jsr draw_colour
    sta next_1,x
    jsr draw_colour
    sta next_2,x
    rts

; A: 1 to 3, X: the player in hand.
draw_colour:
    lda player
    asl
    tax
@again:
    jsr step_generator
    and #3
    cmp #3
    bcs @again
    adc #1                        ; carry is clear
    ldx player
    rts
