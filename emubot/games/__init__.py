"""One family of games each, the same room names in each; never imports a bridge."""
