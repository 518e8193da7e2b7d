; Pad recorder: counts frames, reads both pads and keeps a ring of what it read; no game, no text, no sound.
; Assembled twice: plain (pads.nes) and with -D LAG=1 (pads_lag.nes).
;
; RAM as the tests read it
;   $10/$11  frames: NMIs since power-on, little-endian
;   $12 $13  the pads as read last, A in bit 7
;   $14/$15  steps: how often the pads were read, little-endian
;   $0300    ring of pad 1 by the low byte of frames
;   $0400    ring of pad 2
;
; Plain: everything happens in the NMI, so steps == frames.
; LAG:   the NMI only counts; the main loop reads the pads some 19,000 cycles after it, and every eighth step lasts
;        longer than a frame, so that the frame after it passes without a step (a lag frame).

.ifndef LAG
LAG = 0
.endif

frames  = $10
pad1    = $12
pad2    = $13
steps   = $14
ring1   = $0300
ring2   = $0400

PPU_CTRL   = $2000
PPU_MASK   = $2001
PPU_STATUS = $2002
PPU_SCROLL = $2005
PPU_ADDR   = $2006
PPU_DATA   = $2007
DMC_FREQ   = $4010
JOY1       = $4016
JOY2       = $4017

.segment "HEADER"
        .byte "NES", $1A
        .byte 1, 1                      ; 16 KiB PRG, 8 KiB CHR
        .byte 0, 0, 0, 0, 0, 0, 0, 0, 0, 0

.segment "CODE"

reset:  sei
        cld
        ldx #$FF
        txs
        inx                             ; X = 0
        stx PPU_CTRL
        stx PPU_MASK
        stx DMC_FREQ                    ; no DMC samples: their fetches disturb pad reads
        bit PPU_STATUS
@warm1: bit PPU_STATUS
        bpl @warm1
@warm2: bit PPU_STATUS
        bpl @warm2
        txa
@clear: sta $0000,x
        sta $0100,x
        sta $0200,x
        sta $0300,x
        sta $0400,x
        sta $0500,x
        sta $0600,x
        sta $0700,x
        inx
        bne @clear
        lda #$80
        sta PPU_CTRL                    ; NMI on
        lda #$0A
        sta PPU_MASK                    ; background on

.if LAG = 0
forever:
        jmp forever
.else
forever:
        lda frames
@wait:  cmp frames
        beq @wait
        ldx #15                         ; 15 * 1,284 cycles: well into the visible picture
        jsr delay
        jsr read_pads
        lda steps
        and #7
        bne forever
        ldx #24                         ; 24 * 1,284 cycles: past the next NMI (29,780 cycles a frame)
        jsr delay
        jmp forever

delay:  ldy #0                          ; X times 256 * 5 + 4 cycles
@inner: dey
        bne @inner
        dex
        bne delay
        rts
.endif

read_pads:
        lda #1
        sta JOY1
        sta pad2                        ; the bit that falls out of pad2 after eight reads ends the loop
        lsr a
        sta JOY1
@bit:   lda JOY1
        and #3                          ; bit 1 is the Famicom's expansion port
        cmp #1
        rol pad1
        lda JOY2
        and #3
        cmp #1
        rol pad2
        bcc @bit
        ldx frames
        lda pad1
        sta ring1,x
        lda pad2
        sta ring2,x
        inc steps
        bne @done
        inc steps+1
@done:  rts

; The backdrop is red, and green while pad 1 holds A: something for a test of the picture to see.
backdrop:
        lda #$3F
        sta PPU_ADDR
        ldx #$00
        stx PPU_ADDR
        lda #$16
        bit pad1
        bpl @red
        lda #$1A
@red:   sta PPU_DATA
        stx PPU_ADDR
        stx PPU_ADDR
        stx PPU_SCROLL
        stx PPU_SCROLL
        rts

nmi:    pha
        txa
        pha
        inc frames
        bne @low
        inc frames+1
@low:   jsr backdrop
.if LAG = 0
        jsr read_pads
.endif
        pla
        tax
        pla
irq:    rti

.segment "VECTORS"
        .word nmi, reset, irq

.segment "CHARS"
        .res $2000
