"""The questions of StackRabbit's clients and answers in its form; knows no HTTP."""
