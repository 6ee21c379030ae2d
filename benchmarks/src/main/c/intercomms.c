/*
 * Prints what an MPI in C does in collectives of inter-communicators: each rank writes lines to the file DIRECTORY/RANK.
 * IntercommLines prints the same lines with package mpi; benchmarks/differential compares them.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_RANKS 16
#define ROOM 40000
#define UNTOUCHED -9
#define MOST_SHOWN 40

static FILE *out;
static MPI_Comm inter;
static int rank, local, remote, world_rank, world_size, first_size;
static int sent[ROOM], received[ROOM];

static int *blank(void)
{
    for (int i = 0; i < ROOM; i++) {
        received[i] = UNTOUCHED;
    }
    return received;
}

/* Writes what was received up to the last item that was touched: a hash, and the items if they are few. */
static void line(const char *name, int count, int root)
{
    int last = ROOM;
    while (last > 0 && received[last - 1] == UNTOUCHED) {
        last--;
    }
    int hash = 1;
    for (int i = 0; i < last; i++) {
        hash = (int) ((unsigned) hash * 31u + (unsigned) received[i]);
    }
    fprintf(out, "%d+%d %s %d root %d: %d items, hash %d", first_size, world_size - first_size, name, count, root, last, hash);
    for (int i = 0; last <= MOST_SHOWN && i < last; i++) {
        fprintf(out, " %d", received[i]);
    }
    fprintf(out, "\n");
}

static void finish(MPI_Request request, const char *name, int count, int root)
{
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    line(name, count, root);
}

static int part_count(int count, int of)
{
    return count == 0 ? 0 : count + of % 3;
}

static void rooted(int count, int world_root)
{
    int mine = world_rank < first_size;
    int its = world_root < first_size;
    int root = mine == its ? (world_rank == world_root ? MPI_ROOT : MPI_PROC_NULL)
                           : (its ? world_root : world_root - first_size);
    int counts[MOST_RANKS], displs[MOST_RANKS];
    for (int i = 0; i < remote; i++) {
        counts[i] = part_count(count, i);
        displs[i] = (remote - 1 - i) * (count + 3);
    }
    int own = part_count(count, rank);
    MPI_Request request;

    blank();
    MPI_Bcast(root == MPI_ROOT ? sent : received, count, MPI_INT, root, inter);
    line("bcast", count, world_root);
    blank();
    MPI_Ibcast(root == MPI_ROOT ? sent : received, count, MPI_INT, root, inter, &request);
    finish(request, "iBcast", count, world_root);
    MPI_Gather(sent, count, MPI_INT, blank(), count, MPI_INT, root, inter);
    line("gather", count, world_root);
    MPI_Igather(sent, count, MPI_INT, blank(), count, MPI_INT, root, inter, &request);
    finish(request, "iGather", count, world_root);
    MPI_Gatherv(sent, own, MPI_INT, blank(), counts, displs, MPI_INT, root, inter);
    line("gatherv", count, world_root);
    MPI_Igatherv(sent, own, MPI_INT, blank(), counts, displs, MPI_INT, root, inter, &request);
    finish(request, "iGatherv", count, world_root);
    MPI_Scatter(sent, count, MPI_INT, blank(), count, MPI_INT, root, inter);
    line("scatter", count, world_root);
    MPI_Iscatter(sent, count, MPI_INT, blank(), count, MPI_INT, root, inter, &request);
    finish(request, "iScatter", count, world_root);
    MPI_Scatterv(sent, counts, displs, MPI_INT, blank(), own, MPI_INT, root, inter);
    line("scatterv", count, world_root);
    MPI_Iscatterv(sent, counts, displs, MPI_INT, blank(), own, MPI_INT, root, inter, &request);
    finish(request, "iScatterv", count, world_root);
    MPI_Reduce(sent, blank(), count, MPI_INT, MPI_SUM, root, inter);
    line("reduce", count, world_root);
    MPI_Ireduce(sent, blank(), count, MPI_INT, MPI_MAX, root, inter, &request);
    finish(request, "iReduce", count, world_root);
}

static void gathers(int count)
{
    int counts[MOST_RANKS], displs[MOST_RANKS];
    for (int i = 0; i < remote; i++) {
        counts[i] = part_count(count, i);
        displs[i] = (remote - 1 - i) * (count + 3);
    }
    int own = part_count(count, rank);
    MPI_Request request;

    MPI_Allgather(sent, count, MPI_INT, blank(), count, MPI_INT, inter);
    line("allGather", count, -1);
    MPI_Iallgather(sent, count, MPI_INT, blank(), count, MPI_INT, inter, &request);
    finish(request, "iAllGather", count, -1);
    MPI_Allgatherv(sent, own, MPI_INT, blank(), counts, displs, MPI_INT, inter);
    line("allGatherv", count, -1);
    MPI_Iallgatherv(sent, own, MPI_INT, blank(), counts, displs, MPI_INT, inter, &request);
    finish(request, "iAllGatherv", count, -1);
}

static void exchanges(int count)
{
    int send_counts[MOST_RANKS], counts[MOST_RANKS], displs[MOST_RANKS], bytes[MOST_RANKS];
    MPI_Datatype types[MOST_RANKS];
    for (int i = 0; i < remote; i++) {
        send_counts[i] = part_count(count, rank + 2 * i + (world_rank < first_size));
        counts[i] = part_count(count, i + 2 * rank + (world_rank >= first_size));
        displs[i] = i * (count + 3);
        bytes[i] = displs[i] * (int) sizeof(int);
        types[i] = MPI_INT;
    }
    MPI_Request request;

    MPI_Alltoall(sent, count, MPI_INT, blank(), count, MPI_INT, inter);
    line("allToAll", count, -1);
    MPI_Ialltoall(sent, count, MPI_INT, blank(), count, MPI_INT, inter, &request);
    finish(request, "iAllToAll", count, -1);
    MPI_Alltoallv(sent, send_counts, displs, MPI_INT, blank(), counts, displs, MPI_INT, inter);
    line("allToAllv", count, -1);
    MPI_Ialltoallv(sent, send_counts, displs, MPI_INT, blank(), counts, displs, MPI_INT, inter, &request);
    finish(request, "iAllToAllv", count, -1);
    MPI_Alltoallw(sent, send_counts, bytes, types, blank(), counts, bytes, types, inter);
    line("allToAllw", count, -1);
    MPI_Ialltoallw(sent, send_counts, bytes, types, blank(), counts, bytes, types, inter, &request);
    finish(request, "iAllToAllw", count, -1);
}

static void reductions(int count)
{
    int counts[MOST_RANKS];
    for (int i = 0; i < local; i++) {
        counts[i] = remote * count;
    }
    if (count > 0) {
        counts[0]++;
        counts[local - 1]--;
    }
    MPI_Request request;

    MPI_Barrier(inter);
    MPI_Ibarrier(inter, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(sent, blank(), count, MPI_INT, MPI_SUM, inter);
    line("allReduce", count, -1);
    MPI_Iallreduce(sent, blank(), count, MPI_INT, MPI_MAX, inter, &request);
    finish(request, "iAllReduce", count, -1);
    MPI_Reduce_scatter(sent, blank(), counts, MPI_INT, MPI_SUM, inter);
    line("reduceScatter", count, -1);
    MPI_Ireduce_scatter(sent, blank(), counts, MPI_INT, MPI_SUM, inter, &request);
    finish(request, "iReduceScatter", count, -1);
    MPI_Reduce_scatter_block(sent, blank(), remote * count, MPI_INT, MPI_SUM, inter);
    line("reduceScatterBlock", count, -1);
    MPI_Ireduce_scatter_block(sent, blank(), remote * count, MPI_INT, MPI_SUM, inter, &request);
    finish(request, "iReduceScatterBlock", count, -1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    char file[4096];
    snprintf(file, sizeof file, "%s/%d", argc > 1 ? argv[1] : ".", world_rank);
    out = fopen(file, "w");
    if (out == NULL) {
        perror(file);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < ROOM; i++) {
        sent[i] = 1000 * world_rank + i * 7 % 1009;
    }
    for (first_size = 1; first_size < world_size; first_size++) {
        int is_first = world_rank < first_size;
        MPI_Comm group;
        MPI_Comm_split(MPI_COMM_WORLD, is_first, world_rank, &group);
        MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, is_first ? first_size : 0, 1, &inter);
        MPI_Comm_rank(inter, &rank);
        MPI_Comm_size(inter, &local);
        MPI_Comm_remote_size(inter, &remote);
        static const int lengths[] = {0, 1, 3, 700};
        for (int i = 0; i < 4; i++) {
            for (int root = 0; root < world_size; root++) {
                rooted(lengths[i], root);
            }
            gathers(lengths[i]);
            exchanges(lengths[i]);
            reductions(lengths[i]);
        }
        MPI_Comm_free(&inter);
        MPI_Comm_free(&group);
    }
    fclose(out);
    MPI_Finalize();
    return 0;
}
