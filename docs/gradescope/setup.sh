#!/bin/sh
# Gradescope runs this once, when it builds the autograder: what the bots need to be built and run.
apt-get update && apt-get install -y make gcc python3 bubblewrap || exit 1
# A zip that was made on Windows does not tell that this is a program.
chmod +x /autograder/source/trebuchet
