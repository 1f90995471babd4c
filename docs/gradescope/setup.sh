#!/bin/sh
# Gradescope runs this once, when it builds the autograder: what the bots need to be built and run.
apt-get update && apt-get install -y make gcc python3 bubblewrap
