"""The field: pairs as bitboards or cells, matching as cells; groups, lines, links, falls, chains; knows no player."""
