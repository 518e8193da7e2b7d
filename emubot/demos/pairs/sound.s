; Sounds: the tune of this cartridge, 32 notes.

.include "../sound.inc"
tune:
    .byte 0                       ; index 0 is never played: the notes are 1-32
    .byte 1, 0, 5, 0, 3, 5, 0, 5, 6, 0, 8, 0, 6, 5, 3, 0
    .byte 4, 0, 6, 0, 2, 4, 0, 4, 5, 0, 7, 5, 3, 2, 5, 0
