"""Games of falling blocks played to be measured: self-play, timed and untimed games; knows no bridge."""
