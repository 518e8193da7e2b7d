; Sounds: short effects left to the APU's own envelopes, and a small tune in the bass. No routine changes X.

sound_turn:                       ; pulse 1: a tick
    lda #$81
    sta PULSE1
    lda #0
    sta PULSE1 + 1
    lda #$60
    sta PULSE1 + 2
    lda #$18
    sta PULSE1 + 3
    rts

sound_choice:
sound_lock:                       ; pulse 1: a low thud
    lda #$43
    sta PULSE1
    lda #$8B                      ; falling
    sta PULSE1 + 1
    lda #$A0
    sta PULSE1 + 2
    lda #$1A
    sta PULSE1 + 3
    rts

sound_pop:                        ; pulse 2: the longer the chain, the higher
    lda chain,x
    cmp #8
    bcc @tone
    lda #8
@tone:
    tay
    lda #$84
    sta PULSE2
    lda #$AA                      ; rising
    sta PULSE2 + 1
    lda pop_tones - 1,y
    sta PULSE2 + 2
    lda #$29
    sta PULSE2 + 3
    rts

pop_tones:                        ; timers from 256 on
    .byte 250, 200, 156, 118, 84, 52, 26, 4

sound_attack:
sound_nuisance:                   ; noise: a rumble
    lda #$04
    sta NOISE
    lda #$0C
    sta NOISE + 2
    lda #$18
    sta NOISE + 3
    rts

sound_over:                       ; pulse 2: a long fall
    lda #$8F
    sta PULSE2
    lda #$F3
    sta PULSE2 + 1
    lda #$80
    sta PULSE2 + 2
    lda #$09
    sta PULSE2 + 3
    rts

; --- the tune: 32 notes of the triangle ---
NOTE_FRAMES = 14

tune_start:
    lda #0
    sta tune_at
    lda #1
    sta tune_wait
    rts

tune_stop:
    lda #$80
    sta TRIANGLE
    lda #0
    sta TRIANGLE + 3
    rts

tune_step:
    dec tune_wait
    bne @done
    lda #NOTE_FRAMES
    sta tune_wait
    ldy tune_at
    iny
    tya
    and #31
    sta tune_at
    lda tune,y
    beq @done                     ; a rest
    tay
    lda #$1A                      ; linear counter: 26 quarter frames
    sta TRIANGLE
    lda note_low - 1,y
    sta TRIANGLE + 2
    lda note_high - 1,y
    sta TRIANGLE + 3
@done:
    rts

; 1 C, 2 D, 3 E, 4 F, 5 G, 6 A, 7 B, 8 C, two octaves below the middle one
.define NOTES 1709, 1523, 1356, 1280, 1140, 1015, 905, 854
note_low:
    .lobytes NOTES
note_high:
    .hibytes NOTES
tune:
    .byte 0                       ; index 0 is never played: the notes are 1-32
    .byte 1, 0, 5, 0, 3, 5, 0, 5, 6, 0, 8, 0, 6, 5, 3, 0
    .byte 4, 0, 6, 0, 2, 4, 0, 4, 5, 0, 7, 5, 3, 2, 5, 0
