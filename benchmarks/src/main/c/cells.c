/*
 * What a rank of a C peer runs: it sleeps outside MPI in a read of its own FIFO until it is asked for a round of one cell.
 * Cells.java beside it does the same for Java; the words they understand must be the same.
 *
 * Without an argument it says hello, for start-up times.
 *
 *   DIR/<rank>.in   lines "WORK BYTES SETTLE OPERATIONS", or "quit"
 *   DIR/out         "pid RANK PID" from each rank, then "time NANOSECONDS" from rank 0 for each line
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 64, LARGEST = 4 << 20 };

static int me, size;
static char *mine, *theirs, *pattern;

static void ping_pong(int bytes) {
    if (me == 0) {
        MPI_Send(mine, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(theirs, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (me == 1) {
        MPI_Recv(theirs, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(mine, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

/* Writes the number of the message, and fills the rest by a copy of a pattern. */
static void rewrite(int bytes) {
    static long number;
    *(long *)mine = number++;
    if (bytes > (int)sizeof(long)) {
        memcpy(mine + sizeof(long), pattern + sizeof(long), bytes - sizeof(long));
    }
}

/* The same exchange, but each sender rewrites the whole message before it sends it. */
static void ping_pong_rewritten(int bytes) {
    if (me == 0) {
        rewrite(bytes);
        MPI_Send(mine, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(theirs, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (me == 1) {
        MPI_Recv(theirs, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        rewrite(bytes);
        MPI_Send(mine, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

/* A window of messages one way, and an empty one back. */
static void stream(int bytes) {
    MPI_Request requests[WINDOW];
    if (me == 0) {
        for (int i = 0; i < WINDOW; i++) {
            MPI_Isend(mine, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        MPI_Recv(theirs, 0, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (me == 1) {
        for (int i = 0; i < WINDOW; i++) {
            MPI_Irecv(theirs, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        MPI_Send(mine, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    }
}

static void barrier(int bytes) {
    (void)bytes;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void broadcast(int bytes) {
    MPI_Bcast(mine, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void reduce(int bytes) {
    MPI_Reduce(mine, theirs, bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void all_reduce(int bytes) {
    MPI_Allreduce(mine, theirs, bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void all_gather(int bytes) {
    MPI_Allgather(mine, bytes, MPI_BYTE, theirs, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void all_to_all(int bytes) {
    MPI_Alltoall(mine, bytes, MPI_BYTE, theirs, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*operation)(int bytes);
} works[] = {
    {"pp", ping_pong},
    {"ppa", ping_pong}, /* arrays and slices: other than pp in Java only */
    {"pps", ping_pong},
    {"ppw", ping_pong_rewritten},
    {"ppaw", ping_pong_rewritten},
    {"ppsw", ping_pong_rewritten},
    {"rate", stream},
    {"barrier", barrier},
    {"bcast", broadcast},
    {"reduce", reduce},
    {"allreduce", all_reduce},
    {"allgather", all_gather},
    {"alltoall", all_to_all},
};

static void operate(const char *work, int bytes, long operations) {
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        if (!strcmp(work, works[k].name)) {
            for (long i = 0; i < operations; i++) {
                works[k].operation(bytes);
            }
            return;
        }
    }
    fprintf(stderr, "%s: no such work\n", work);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static long now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static FILE *open_in(const char *directory, const char *name, const char *mode) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, mode);
    if (!file) {
        perror(path);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return file;
}

int main(int count, char **arguments) {
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (count != 2) {
        if (me == 0) {
            printf("hello from %d\n", size);
        }
        MPI_Finalize();
        return 0;
    }
    mine = aligned_alloc(4096, LARGEST);
    theirs = aligned_alloc(4096, LARGEST);
    pattern = aligned_alloc(4096, LARGEST);
    memset(mine, 0, LARGEST);
    memset(theirs, 0, LARGEST);
    memset(pattern, 0, LARGEST);

    char line[256], work[32];
    snprintf(line, sizeof line, "%d.in", me);
    FILE *in = open_in(arguments[1], line, "r");
    FILE *out = open_in(arguments[1], "out", "a");
    fprintf(out, "pid %d %d\n", me, (int)getpid());
    fflush(out);
    int bytes;
    long settle, operations;
    while (fgets(line, sizeof line, in) && sscanf(line, "%31s %d %ld %ld", work, &bytes, &settle, &operations) == 4) {
        operate(work, bytes, settle);
        MPI_Barrier(MPI_COMM_WORLD);
        long started = now_ns();
        operate(work, bytes, operations);
        MPI_Barrier(MPI_COMM_WORLD);
        if (me == 0) {
            fprintf(out, "time %ld\n", now_ns() - started);
            fflush(out);
        }
    }
    MPI_Finalize();
    return 0;
}
