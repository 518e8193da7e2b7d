; Pairs: emubot's own demo cartridge for pair-dropping games. Reset, NMI, pads, main loop, state of the game.
;
; It keeps its state at the public RAM addresses of Famicom Puyo Puyo, so that a bot which reads RAM can be tried and
; tested without a commercial cartridge. Written for emubot; see README.md.
;
; One frame = NMI part (picture, counter, pads), then game part (main loop). The game part always ends before the next
; NMI, so that RAM read between two frames is never torn; lag_frames ($12/$13) counts the exceptions.

.include "build.inc"
.include "ram.inc"
.include "tiles.s"                ; before the screens: it says which tile a character is

.include "../start.inc"
    jsr clear_fields
    lda #5
    sta colours
    lda #1
    sta items
    sta wait
    sta wait + 1
    lda #$0F
    sta APU_ON
    lda #GAME_TITLE
    jsr show_screen
@second_blank:
    bit PPUSTATUS
    bpl @second_blank
    lda #PPU_CONTROL
    sta PPUCTRL

.include "../loop.inc"

game_part:
    lda #0
    sta spawn_flag
    sta spawned
    sta spawned + 1
    lda game_state
    asl
    tax
    lda state_table,x
    sta ptr
    lda state_table + 1,x
    sta ptr + 1
    jmp (ptr)

state_table:
    .word state_title, state_menu, state_play, state_paused, state_over, state_draws

.include "../nmi.inc"
.include "../pads.inc"

.include "menus.s"
.include "options.s"
.include "play.s"
.include "control.s"
.include "lock.s"
.include "groups.s"
.include "chain.s"
.include "deal.s"
.include "field.s"
.include "video.s"
.include "rows.s"
.include "sprites.s"
.include "hud.s"
.include "words.s"
.include "screens.s"
.include "sound.s"
