; What is loose falls a row at a time; the end of a move: lines go to the other player, halves come from there.

to_fall:
    lda #PLAY_FALL
    sta play_state,x
    lda #PER_ROW
    sta wait,x
    rts

; --- FALL: the lowest rows first, so that what lies on a falling cell falls with it ---
; Two halves side by side are looked at from the right one, two above each other from the lower one.
state_fall:
    lda #0
    sta found
    lda base
    clc
    adc #COLUMNS * (ROWS - 1)
    tax
@cell:
    dex
    lda CELLS,x
    beq @next
    ldy CELLS + 8,x
    bne @next
    sta t1
    and #LINK + TARGET
    beq @single
    cmp #LINK_LEFT
    beq @pair
    cmp #LINK_UP
    bne @next                     ; a target, or the left half of a pair that is held up
    lda CELLS - 8,x
    sta CELLS,x
    lda #0
    sta CELLS - 8,x
    beq @fell                     ; always
@pair:
    lda CELLS + 7,x
    bne @next
    lda CELLS - 1,x
    sta CELLS + 7,x
    lda #0
    sta CELLS - 1,x
@single:
    lda #0
    sta CELLS,x
@fell:
    lda t1
    sta CELLS + 8,x
    sta found
@next:
    cpx base
    bne @cell
    ldx player
    lda found
    beq @still
    jsr draw_rows
    jmp to_fall
@still:
    lda #PLAY_SETTLE
    sta play_state,x
    lda #SETTLE
    sta wait,x
    rts

; --- nothing vanishes any more ---
; Two lines and more of two players go across: the colours of the first ones, while the other player has room for them.
end_move:
    lda mode
    beq @sent
    lda lines,x
    cmp #2
    bcc @sent
    cmp #MOST_PENDING
    bcc @some
    lda #MOST_PENDING
@some:
    sta left
    txa
    eor #1
    sta t1                        ; the other player
    lda list_base,x
    tax
@send:
    ldy t1
    lda pending,y
    cmp #MOST_PENDING
    bcs @full
    adc #1                        ; carry is clear
    sta pending,y
    adc list_base,y               ; carry is clear
    tay
    lda line_colours,x
    sta pending_kinds - 1,y
    inx
    dec left
    bne @send
@full:
    jsr sound_attack
    ldx player
@sent:
    jsr forget_lines
    lda pending,x
    bne @receive
    jmp to_spawn
@receive:                         ; evenly spread from a drawn column on; what finds its cell filled is lost
    sta left
    cmp #3
    lda #COLUMNS / 2
    bcc @apart
    lda #COLUMNS / 4
@apart:
    sta step
    lda #0
    sta pending,x
    ldx #garbage_gen - generator
    jsr step_generator
    and #COLUMNS - 1
    sta cell_at
    ldy player
    ldx list_base,y
@half:
    lda cell_at
    ora base
    tay
    lda CELLS,y
    bne @lost
    lda pending_kinds,x
    sta CELLS,y
    jsr draw_row
@lost:
    lda #0
    sta pending_kinds,x
    inx
    lda cell_at
    clc
    adc step
    and #COLUMNS - 1
    sta cell_at
    dec left
    bne @half
    ldx player
    jsr sound_nuisance
    jmp to_fall
