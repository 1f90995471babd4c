/* Three bots as students write them in the first week of a course: first_week FAULT.

   unflushed: prints its moves, but they stay in the buffer of standard output.
   fixed:     plays e7e5 and e2e4, whatever the position is.
   talks:     greets the user and asks for a move instead of making one. */

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char line[1024];
    const char *fault = argc > 1 ? argv[1] : "";
    int is_unflushed = !strcmp(fault, "unflushed"), talks = !strcmp(fault, "talks");
    if (!is_unflushed) setvbuf(stdout, NULL, _IOLBF, 0);
    if (talks) printf("Welcome to my chess bot!\n");
    while (fgets(line, sizeof line, stdin)) {
        int number;
        if (!strncmp(line, "protover", 8)) {
            printf("feature ping=1 usermove=1 sigint=0 sigterm=0 done=1\n");
            fflush(stdout);
        } else if (sscanf(line, "ping %d", &number) == 1) {
            printf("pong %d\n", number);
            fflush(stdout);
        } else if (!strncmp(line, "go", 2)) {
            printf(talks ? "Your move?\n" : "move e2e4\n");
        } else if (!strncmp(line, "usermove", 8)) {
            printf(talks ? "Your move?\n" : "move e7e5\n");
        } else if (!strncmp(line, "quit", 4)) {
            return 0;
        }
    }
    return 0;
}
