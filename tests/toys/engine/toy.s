; A toy of falling blocks for tests: one engine, and options.inc says which game it is. Start, NMI, main loop.
;
; Written for emubot. One frame = NMI part (picture, pads), then game part (main loop). The game part always ends before
; the next NMI, so that RAM read between two frames is never torn; lag_frames counts the exceptions.

.include "options.inc"
.include "ram.inc"
.include "tiles.s"                ; before the words: it says which tile a character is

.include "start.inc"
    lda #TITLE
    sta state
    lda #NO_ROW
    sta full_row
    lda #$E1
    sta rng
    lda #$AC
    sta rng + 1
    jsr clear_field
    jsr draw_screen
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
    inc frames
    bne @counted
    inc frames + 1
@counted:
    jsr game_part
    jsr show_piece
    jsr prepare_strips
    dec busy
    jmp main_loop

game_part:
    lda state
    asl
    tax
    lda state_table,x
    sta ptr
    lda state_table + 1,x
    sta ptr + 1
    jmp (ptr)

state_table:
    .word ignore_state, state_title, state_pick, state_second, state_ready
    .word state_playing, state_locked, state_clearing, state_over

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
    jsr write_word
    bit PPUSTATUS
    lda #0
    sta PPUSCROLL
    sta PPUSCROLL
    lda #$1E
    sta PPUMASK
    bne @pads
@lag:                             ; the game part may be inside a VRAM write: leave the PPU alone
    inc lag_frames
    bne @pads
    inc lag_frames + 1
@pads:
    jsr poll_pads
    lda #1
    sta vblank_flag
    pla
    tay
    pla
    tax
    pla
ignore:
    rti

.include "pads.inc"
.include "menus.s"
.include "play.s"
.include "rows.s"
.include "field.s"
.include "video.s"
