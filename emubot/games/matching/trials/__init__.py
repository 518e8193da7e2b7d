"""Games that are measured: options in, figures out; knows no executor and no file."""
