#!/bin/sh
# Fairy-Max 5.0b crashes every second time where the addresses of its memory are random, so they are not.
setarch -R true 2>/dev/null && exec setarch -R fairymax
exec fairymax
