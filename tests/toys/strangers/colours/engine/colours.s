; A strange cartridge of colours for tests: one engine, and options.inc says which game it is. Start, NMI, main loop.
;
; Written for emubot. One frame = NMI part (picture), then game part (main loop). The game part ends before the next NMI,
; so that RAM read between two frames is never torn; lag counts the exceptions. A player's game is a coroutine with a
; stack of its own: `yield` ends its part of a frame.

.macpack longbranch
.include "options.inc"
.include "hardware.inc"
.include "scratch.inc"
.include "tiles.s"                ; before the words: it says which tile a character is
.include "start.inc"
.if WRAM
    lda #0
    sta ptr
    lda #$60
    sta ptr + 1
    ldy #0
@wram:
    sta (ptr),y
    iny
    bne @wram
    inc ptr + 1
    ldx ptr + 1
    cpx #$80
    bne @wram
.endif
    jsr start_up
@second_blank:
    bit PPUSTATUS
    bpl @second_blank
    lda #$80
    sta PPUCTRL                   ; NMI on, sprites of 8 x 8, everything from $0000

main_loop:
    lda vblank_flag
    beq main_loop
    lda #0
    sta vblank_flag
    inc busy
    jsr step_rng
    inc FRAMES
    bne @counted
    inc FRAMES + 1
@counted:
    jsr late_copies
    jsr poll
    jsr run_screen
    jsr show_pieces
    jsr prepare_strips
    jsr stomp
    dec busy
    jmp main_loop

; --- coroutines ---

; Let the player's game go on until it yields.
resume:
    tsx
    stx main_stack
    ldy player
    ldx own_stack,y
    txs
    rts

; End the player's part of this frame.
yield:
    tsx
    txa
    ldy player
    sta own_stack,y
    ldx main_stack
    txs
    rts

; The player's game begins anew at the next `resume`.
begin_game:
    ldy player
    lda stack_top,y
    tax
    lda #>(player_game - 1)
    sta $0100,x
    dex
    lda #<(player_game - 1)
    sta $0100,x
    dex
    txa
    sta own_stack,y
    rts

stack_top:
    .byte $BF, $8F

; Yield A times; the count stands in the player's wait, which is 0 while a piece is under control.
wait_frames:
    cmp #0
    beq @done
    ldx po
    sta P_WAIT,x
@frame:
    jsr yield
    ldx po
    dec P_WAIT,x
    bne @frame
@done:
    rts

; --- chance: a Galois register of 16 bits, x^16 + x^14 + x^13 + x^11 + 1, eight shifts. Keeps X. ---
step_rng:
    ldy #8
    lda RNG
@shift:
    lsr RNG + 1
    ror
    bcc @next
    pha
    lda RNG + 1
    eor #$B4
    sta RNG + 1
    pla
@next:
    dey
    bne @shift
    sta RNG
    rts

; A number from 0 to A - 1. Keeps X.
any_of:
    sta most
    jsr step_rng
    and #$1F
@less:
    cmp most
    bcc @done
    sbc most
    bcs @less
@done:
    rts

; --- pads: both, every POLL frames; held and new in PAD_HELD and PAD_NEW ---
poll:
    lda #0
    sta PAD_NEW
    sta PAD_NEW + 1
    dec poll_wait
    bpl @done
    lda #POLL - 1
    sta poll_wait
    lda #1
    sta JOY1
    sta read_b                    ; this bit arrives in carry after eight shifts
    lsr
    sta JOY1
@bit:
    lda JOY1
    and #3
    cmp #1
    rol read_a
    lda JOY2
    and #3
    cmp #1
    rol read_b
    bcc @bit
    ldx #1
@pad:
    lda PAD_HELD,x
    eor #$FF
    and read_a,x
    sta PAD_NEW,x
    lda read_a,x
    sta PAD_HELD,x
    dex
    bpl @pad
.if PAD_COPY
    lda PAD_HELD
    sta PAD_COPY
    and #$0F
    beq @done
    sta PAD_COPY + 1              ; the last direction
.endif
@done:
    rts

; --- bytes that look right and are not ---
late_copies:
.if LATE
    lda P_X
    sta LATE
    lda P_Y
    sta LATE + 1
.endif
.if CURSOR
    lda PAD_NEW                   ; a column that no wall stops
    and #BTN_LEFT
    beq @right
    dec CURSOR
@right:
    lda PAD_NEW
    and #BTN_RIGHT
    beq @done
    inc CURSOR
@done:
.endif
    rts

; Overwrite the place of the piece that was worked on, unless the game leaves it.
stomp:
.if STOMP
    ldx #worked_end - worked - 1
    lda RNG
@byte:
    sta worked,x
    dex
    bpl @byte
.endif
    rts

; Everything that touches the PPU comes first: vertical blank lasts about 2,270 cycles.
nmi:
    pha
    txa
    pha
    tya
    pha
    lda busy
    ora vblank_flag
    bne @lag
    sta OAMADDR
    lda #>OAM_BUFFER
    sta OAMDMA
    jsr write_strips
    bit PPUSTATUS
    lda #$80
    sta PPUCTRL
    lda #0
    sta PPUSCROLL
    sta PPUSCROLL
    lda #$1E
    sta PPUMASK
    bne @told
@lag:                             ; the game part may be inside a VRAM write: leave the PPU alone
    inc lag
@told:
    lda #1
    sta vblank_flag
    pla
    tay
    pla
    tax
    pla
ignore:
    rti

.include "screens.s"
.include "game.s"
.include "piece.s"
.include "cells.s"
.include "falls.s"
.include "matches.s"
.include "video.s"
