"""Games of colours: pairs (Puyo Puyo) and matching (capsules with fixed targets, columns); two families, one room.

Modules named `matching_` belong to the matching family, those named `anyboard_` to pairs on fields that the bitboards
do not hold. The others belong to pairs, or to both.
"""
