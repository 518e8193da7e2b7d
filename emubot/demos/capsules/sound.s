; Sounds: the tune of this cartridge, 32 notes.

.include "../sound.inc"
tune:
    .byte 0                       ; index 0 is never played: the notes are 1-32
    .byte 6, 0, 3, 6, 8, 0, 3, 0, 4, 0, 6, 8, 5, 0, 2, 0
    .byte 6, 0, 3, 6, 8, 0, 6, 0, 7, 5, 3, 2, 3, 0, 1, 2
