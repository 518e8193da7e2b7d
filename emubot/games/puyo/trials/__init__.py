"""Games of pairs played to be measured: self-play, battles, a pace or none; knows no bridge."""
