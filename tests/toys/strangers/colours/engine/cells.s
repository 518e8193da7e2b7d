; The cells of a field. A cell is an index, row by row from the highest stored one; its value in the engine is a kind, and
; a link in the high half. Tables say where each cell is in memory, what each byte there means, and how a value is written.

K_NUISANCE = 7
K_POPPING = 8
K_TARGET = 8                      ; a target of colour n is K_TARGET + n
K_MOVING = 15
AS_LOCKED = $FF
L_LEFT = 1
L_RIGHT = 2
L_UP = 3
L_DOWN = 4

; ptr: where cell X is. Keeps X.
locate:
.if PLAYERS = 2
    ldy player
    bne @second
.endif
    lda at_low,x
    sta ptr
    lda at_high,x
    sta ptr + 1
    ldy #0
    rts
.if PLAYERS = 2
@second:
    lda at_low_2,x
    sta ptr
    lda at_high_2,x
    sta ptr + 1
    ldy #0
    rts
.endif

; A: the value of cell X, with the flags of its kind alone where there are links. Keeps X.
get:
    jsr locate
    lda (ptr),y
.if HALF_BYTES
    ldy in_high,x
    beq @low
    lsr
    lsr
    lsr
    lsr
@low:
    and #$0F
.endif
    tay
    lda value_of,y
    rts

; The value A into cell X. Keeps X.
set:
    sta kl
    jsr locate
    ldy kl
    lda code_of,y
.if CELL_NOISE
    sta raw
    lda RNG
    and #CELL_NOISE
    ora raw
.endif
.if HALF_BYTES
    sta raw
    ldy in_high,x
    beq @low
    asl
    asl
    asl
    asl
    sta raw
    ldy #0
    lda (ptr),y
    and #$0F
    ora raw
    sta (ptr),y
    rts
@low:
    lda (ptr),y
    and #$F0
    ora raw
    sta (ptr),y
.else
    ldy #0
    sta (ptr),y
.if SECOND_BYTE
    iny
    lda RNG
    sta (ptr),y
.endif
.endif
    rts

; The player's field is empty, and the bytes around it are as the game has them.
clear_cells:
    lda field_low
    sta ptr
    lda field_high
    sta ptr + 1
.if PLAYERS = 2
    ldy player
    beq @first
    lda field_low + 1
    sta ptr
    lda field_high + 1
    sta ptr + 1
@first:
.endif
    ldx #>FIELD_BYTES
    ldy #0
    lda #AROUND
@byte:
    cpx #0
    bne @fill
    cpy #<FIELD_BYTES
    beq @filled
@fill:
    sta (ptr),y
    iny
    bne @byte
    inc ptr + 1
    dex
    jmp @byte
@filled:
    ldx #CELLS - 1
@cell:
    lda #0
    jsr set
    dex
    cpx #$FF
    bne @cell
    rts
