# Imports a PGN file into a new database of Scid, and prints the games as Scid writes them.
#
#     tkscid scid_import.tcl BASE FILE
sc_base create [lindex $argv 0]
set base [sc_base current]
sc_base import $base [lindex $argv 1]
for {set game 1} {$game <= [sc_base numGames $base]} {incr game} {
    sc_game load $game
    puts [sc_game pgn -tags 1 -comments 1 -variations 1 -symbols 0 -indentC 0 -indentV 0]
}
exit
