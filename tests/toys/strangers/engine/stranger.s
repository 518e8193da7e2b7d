; A stranger: falling blocks of which nothing is known beforehand. options.inc says which game it is. Start, frames, pads.
;
; The game is one thread: whoever calls `frame` ends its frame and goes on in the next one, so that the state is where the
; program stands. Bytes that say it besides are written by SET_STATE alone.

.macpack longbranch
.include "options.inc"
.include "tiles.s"                ; before the words: it says which tile a character is

PPUCTRL   = $2000
PPUMASK   = $2001
PPUSTATUS = $2002
OAMADDR   = $2003
PPUSCROLL = $2005
PPUADDR   = $2006
PPUDATA   = $2007
OAMDMA    = $4014
JOY1      = $4016
JOY2      = $4017                 ; written: APU frame counter

.segment "HEADER"
    .byte $4E, $45, $53, $1A, 1, 1, HEADER_6, 0
    .res 8, 0

.segment "VECTORS"
    .word nmi, reset, ignore

.segment "CODE"

.macro set_state value
    lda #value
    sta state
.endmacro

; Start-up: the PPU takes two vertical blanks before it accepts writes (hardware reference: PPU power-up state).
reset:
    sei
    cld
    ldx #$40
    stx JOY2                      ; no frame interrupts
    ldx #$FF
    txs
    inx
    stx PPUCTRL
    stx PPUMASK
    stx $4010                     ; no sample fetches, which would disturb the pad reads
    stx $4015
    txa                           ; all RAM to 0: nothing may depend on the power-on pattern
@clear:
    sta $0000,x
    sta $0100,x
    sta $0200,x
    sta $0300,x
    sta $0400,x
    sta $0500,x
    sta $0600,x
    sta $0700,x
    inx
    bne @clear
.if WRAM
    ldy #$60
@page:
    sty ptr + 1                   ; ptr itself is 0
    ldy #0
@wram:
    sta (ptr),y
    iny
    bne @wram
    ldy ptr + 1
    iny
    bpl @page
.endif
    bit PPUSTATUS
@first_blank:
    bit PPUSTATUS
    bpl @first_blank
@second_blank:
    bit PPUSTATUS
    bpl @second_blank
    lda #RNG_LOW
    sta rng
    lda #RNG_HIGH
    sta rng + 1
.if POLL > 1
    lda #POLL
    sta poll_left
.endif
    jsr draw_screen
    jsr clear_board
    lda #$80
    sta PPUCTRL                   ; NMI on, everything from $0000
    jmp title

; Ends this frame, and returns in the next one with its pads.
frame:
    jsr show
.if KIND <> FALLING_BLOCKS
    jsr show_pixels
.endif
.if DIRT
    jsr dirt
.endif
.if WIPES
    lda #0
    ldx #SCRATCH_SIZE - 1
@wipe:
    sta SCRATCH,x
    dex
    bpl @wipe
.endif
    lda #1
    sta waiting
.if IN_NMI
@here:
    jmp @here
.else
@here:
    lda waiting
    bne @here
    jmp begin
.endif

nmi:
    pha
    lda waiting
    beq @late                     ; the game has not ended its frame
.if IN_NMI
    pla
    pla
    pla
    pla                           ; left: whoever called `frame`
    lda #0
    sta waiting
    jsr picture
    jmp begin
.else
    txa
    pha
    tya
    pha
    jsr picture
    lda #0
    sta waiting
    pla
    tay
    pla
    tax
.endif
@late:
    pla
ignore:
    rti

; What every frame begins with.
begin:
.if STIRS
    jsr stir
.endif
.if COUNTS_FRAMES
    inc frames
.endif
.if LATE
    lda pos_x
    sta late_x
    lda pos_y
    sta late_y
.endif
    lda #0
    sta pad_new
    sta pad_shift
.if REPEAT_FIRST
    lda pad_held
    and #BTN_LEFT | BTN_RIGHT
    beq @read
    dec repeat
    bne @read
    sta pad_shift
    lda #REPEAT_NEXT
    sta repeat
@read:
.endif
.if POLL > 1
    dec poll_left
    beq @poll
    rts
@poll:
    lda #POLL
    sta poll_left
.endif
    lda #1
    sta JOY1
    lsr
    sta JOY1
    ldx #8
@bit:
    lda JOY1
    and #3                        ; bit 0: pad; bit 1: pad in the expansion port of a Famicom
    cmp #1
.if A_FIRST
    rol pad_now
.else
    ror pad_now
.endif
    dex
    bne @bit
.if DEMO_WAIT
    jsr demo_pads
.endif
    lda pad_held
    eor #$FF
    and pad_now
    sta pad_new
    lda pad_now
    sta pad_held
.if PAD_COPIES
    sta pad_copy
    eor #$FF
    sta pad_copy + 1
.endif
    lda pad_new
    and #BTN_LEFT | BTN_RIGHT
    beq @done
    sta pad_shift
.if REPEAT_FIRST
    lda #REPEAT_FIRST
    sta repeat
.endif
@done:
    rts

stir:
    lsr rng + 1
    ror rng
    bcc @done
    lda rng + 1
    eor #$B4
    sta rng + 1
@done:
    rts

.if DIRT
; Leaves the piece's bytes and old return addresses on the stack.
dirt:
    lda pos_x
    pha
    lda pos_y
    pha
    lda piece
    pha
    jsr @deeper
    pla
    pla
    pla
    rts
@deeper:
    jsr @deepest
@deepest:
    rts
.endif

.include "menus.s"
.if KIND = FALLING_BLOCKS
.include "play.s"
.include "moves.s"
.else
.include "nongame.s"
.endif
.include "piece.s"
.include "cells.s"
.include "numbers.s"
.include "video.s"
