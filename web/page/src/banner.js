/*! The page of Trebuchet, GPL-3.0-or-later. Contains chessground 10.4.1 by Lichess, GPL-3.0-or-later. */
