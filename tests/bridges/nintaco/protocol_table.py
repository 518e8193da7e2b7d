"""The protocol table of facts, Nintaco 3.6, written down once more: what each call carries and what it answers.

i int, z bool, c char, s string, I int[], C char[] (written like a string), S string[]; after `>` the answer.
"""

from __future__ import annotations

_TABLE = """
23 z    24 >z   25 >i
26 >i   27 i    28 >i   29 i    30 >i   31 i    32 >i   33 i    34 >i   35 i    36 >i   37 i
38 >z   39 z    40 >z   41 z    42 >z   43 z    44 >z   45 z    46 >z   47 z    48 >z   49 z
50 >i   51 i    52 >i   53 i    54 >i   55 i    56 >z   57 z    58 >i   59 i    60 >i   61 i
62 >i   63 >i   64 >z   65 z    66 >i   67      68
69 i>i  70 i>i  71 ii   72 i>i  73 i>i  74 ii   75 i>i  76 i>i  77 ii
78 i>i  79 ii   80 i>i  81 ii   82 i>i  83 ii   84 ii>z 85 iiz
86 >z   87 z    88 >i   89 i    90 >i   91 i    92 i    93 >i
94 iiii 95 iiii 96      97 iiiiii   98 iiii 99 iiii 100 IIi 101 IIi 102 iiii    103 iiiiii  104 iiiiz
105 iiiiii      106 iiiiz   107 iiiiii  108 iiii    109 IIi 110 iiii    111 iiiiii  112 cii     113 Ciiiiz  114 siiz
115 iiiI    116 iii 117 iii 118 ii>i    119 >I
121     122 i   123 i   124     125 s   126 >s  127 >s  128 s   129 ss  130 s>S 131 s>s 132 s
134 s   135 s   136 i   137 i   138 s   139 >s  140 >i  141 ii  142     143     144     145     146     147
148 >s  149 z   150     151 iiisz   152 iii 153 ssz 154 s   155 ssz 156 s
157 >i  158 i>i 159 ii  160 >i  161 i>i 162 ii  163 sz>i
"""


def _signatures() -> dict[int, tuple[str, str]]:
    found: dict[int, tuple[str, str]] = {}
    number = 0
    for word in _TABLE.split():
        if word.isdigit():
            number = int(word)
            found[number] = ("", "")
        else:
            arguments, _, answer = word.partition(">")
            found[number] = (arguments, answer)
    return found


SIGNATURES = _signatures()
# powerCycle and close: either may stop the emulator for good. getCharsWidth: the real one ends the connection over it.
FORBIDDEN = {120, 133, 164}
# What an id that adds a listener carries, and how long its event's payload is.
REGISTRATIONS = {1: "i", 3: "i", 5: "i", 9: "iiiii", 11: "i", 13: "i", 15: "ii", 17: "iii", 19: "i", 21: "i"}
