"""A game gone through afterwards: reads recordings of all kinds, shows the worst moments on a page; prints nothing."""
