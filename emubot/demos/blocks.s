; Falling blocks: emubot's own demo cartridge. Reset, NMI, pads, main loop.
;
; It keeps its state at the public RAM addresses of NES Tetris and moves it in the same frames, so that a bot which
; reads RAM can be tried and tested without a commercial cartridge. Written for emubot; see README.md.
;
; One frame = NMI part (picture, counters, generator, pads), then game part (main loop). The game part always ends
; before the next NMI, so that RAM read between two frames is never torn; lag_frames ($E0/$E1) counts the exceptions.

.include "ram.inc"
.include "tiles.s"                ; first: it says which tile a character is

.include "start.inc"
    lda #$89                      ; the documented power-on seed
    sta lfsr_hi
    lda #$88
    sta lfsr_lo
    lda #1
    sta players
    sta active
    lda #>FIELD
    sta field_page
    lda #3
    sta music_type                ; off: there is no music
@second_blank:
    bit PPUSTATUS
    bpl @second_blank
    lda #$80
    sta PPUCTRL                   ; NMI on, both pattern tables at $0000

main_loop:
    lda vblank_flag
    beq main_loop
    lda #0
    sta vblank_flag
    inc busy
    jsr game_part
    dec busy
    jmp main_loop

game_part:
    lda pad_new
    sta btn_new
    lda pad_held
    sta btn_held
    lda game_mode
    asl
    tax
    lda mode_table,x
    sta ptr
    lda mode_table + 1,x
    sta ptr + 1
    jmp (ptr)

mode_table:
    .word mode_legal, mode_title, mode_type, mode_level, mode_play

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
    jsr render_playfield
    jsr flush_queue
    bit PPUSTATUS
    lda #$80
    sta PPUCTRL
    lda #0
    sta PPUSCROLL
    sta PPUSCROLL
    lda ppu_mask
    sta PPUMASK
    jmp @counters
@lag:                             ; the game part may be inside a VRAM write: leave the PPU alone
    inc lag_frames
    bne @counters
    inc lag_frames + 1
@counters:
    lda sleep_count
    beq @awake
    dec sleep_count
@awake:
    inc frame_count
    bne @step
    inc frame_count + 1
@step:
    jsr lfsr_step
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

; b = bit 1 of both bytes, exclusive or; it enters at the top and everything moves right.
lfsr_step:
    lda lfsr_hi
    eor lfsr_lo
    and #2
    cmp #2
    ror lfsr_hi
    ror lfsr_lo
    rts

.include "video.s"
.include "menus.s"
.include "play.s"
.include "pieces.s"
.include "score.s"
.include "hud.s"
.include "screens.s"
