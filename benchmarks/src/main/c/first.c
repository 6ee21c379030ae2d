/*
 * The program of a rank of a whole job that lasts some seconds, with the arguments WORK SECONDS FILE. From the return
 * of MPI_Init on, the rank repeats the operation that the work names. Rank 0 counts the operations that end in each
 * window of 100 ms, and prints "windows COUNT COUNT ..." in the end. FirstSeconds.java does the same for Java; the
 * words that both understand must be the same.
 *
 * All ranks end with the same operation, and no message tells them which. A rank that leads decides by its clock: it
 * writes the number of the last operation to its place in the file, which all ranks map, before it begins that
 * operation. The ranks that it leads look there after each operation. None of these ranks can be too late, because
 * none ends an operation that the leading rank has not begun.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

enum { WINDOWS_PER_SECOND = 10, WINDOW_NS = 100000000, SHORT_BYTES = 8, LONG_BYTES = 1 << 10 };

static int me, size;
static char mine[LONG_BYTES], theirs[LONG_BYTES];
static double my_doubles[1], their_doubles[1];

/* The file as shared memory: the number of the last operation of each rank that leads; 0 while it goes on. */
static volatile long *map_lasts(const char *path) {
    int file = open(path, O_RDWR);
    struct stat about;
    void *memory = MAP_FAILED;
    if (file >= 0 && fstat(file, &about) == 0) {
        memory = mmap(NULL, about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (memory == MAP_FAILED) {
        perror(path);
        exit(2);
    }
    return memory;
}

/* A round trip between an even rank and the next one. With an odd number of ranks the last one has no partner. */
static void exchange(int bytes) {
    int partner = me ^ 1;
    if (partner >= size) {
        return;
    }
    if (me < partner) {
        MPI_Send(mine, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
        MPI_Recv(theirs, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(theirs, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(mine, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
    }
}

static void ping_pong(void) {
    exchange(SHORT_BYTES);
}

static void all_reduce(void) {
    MPI_Allreduce(my_doubles, their_doubles, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void barrier(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static void mix(void) {
    exchange(SHORT_BYTES);
    exchange(LONG_BYTES);
    MPI_Allreduce(my_doubles, their_doubles, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(mine, LONG_BYTES, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*operate)(void);
} works[] = {
    {"pp", ping_pong},
    {"allreduce", all_reduce},
    {"barrier", barrier},
    {"mix", mix},
};

static void (*operation_of(const char *work))(void) {
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        if (!strcmp(work, works[k].name)) {
            return works[k].operate;
        }
    }
    fprintf(stderr, "%s: no such work\n", work);
    MPI_Abort(MPI_COMM_WORLD, 2);
    return NULL;
}

static long now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void print(const long *windows, int count) {
    printf("windows");
    for (int i = 0; i < count; i++) {
        printf(" %ld", windows[i]);
    }
    printf("\n");
}

/* Repeats the work for some seconds. */
static void run(const char *work, int seconds, volatile long *lasts, long started) {
    int count = seconds * WINDOWS_PER_SECOND;
    long *windows = calloc(count, sizeof *windows);
    /* Of two ranks that exchange messages the even one leads; of ranks in collectives, rank 0. */
    int leader = !strcmp(work, "pp") ? me - me % 2 : 0;
    void (*operate)(void) = operation_of(work);
    long operation = 0;
    do {
        operate();
        operation++;
        if (me == leader) {
            long window = (now_ns() - started) / WINDOW_NS;
            if (window < count) {
                windows[window]++;
            } else if (lasts[leader] == 0) {
                lasts[leader] = operation + 1;
            }
        }
    } while (lasts[leader] != operation);
    if (me == 0) {
        print(windows, count);
    }
    free(windows);
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: %s WORK SECONDS FILE\n", arguments[0]);
        return 2;
    }
    volatile long *lasts = map_lasts(arguments[3]);
    MPI_Init(&count, &arguments);
    long started = now_ns();
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    run(arguments[1], atoi(arguments[2]), lasts, started);
    MPI_Finalize();
    return 0;
}
