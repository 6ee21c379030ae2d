/*
 * Prints what an MPI in C says about topologies: each rank writes lines to the file DIRECTORY/RANK. TopologyLines prints
 * the same lines with package mpi; benchmarks/differential compares them.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIMS 4
#define MOST_PARTS 64
#define ROOM 400
#define UNTOUCHED -9

static FILE *out;
static int world_rank, world_size;

static void numbers(const char *name, const int *values, int count)
{
    fprintf(out, " %s", name);
    for (int i = 0; i < count; i++) {
        fprintf(out, "%c%d", i == 0 ? '=' : ',', values[i]);
    }
}

static void end_line(void)
{
    fprintf(out, "\n");
}

static int rank_or_null(int rank)
{
    return rank == MPI_PROC_NULL ? -2 : rank;
}

static void one_dims(int nodes, int count, const int *given)
{
    int dims[MOST_DIMS];
    memcpy(dims, given, sizeof dims);
    int error = MPI_Dims_create(nodes, count, dims);
    long product = 1;
    for (int i = 0; i < count; i++) {
        product *= given[i] > 0 ? given[i] : 1;
    }
    if (nodes > 0 && nodes % product != 0) {
        /* Open MPI 4.1.4 sees no error if each length divides the number, though their product does not; MPI 3.1
           section 7.5.2: "An error will occur if nnodes is not a multiple of" that product. */
        error = MPI_ERR_DIMS;
    }
    fprintf(out, "dims %d", nodes);
    numbers("given", given, count);
    if (error != MPI_SUCCESS) {
        int class;
        MPI_Error_class(error, &class);
        fprintf(out, " error %d", class);
    } else {
        numbers("result", dims, count);
    }
    end_line();
}

static void all_dims(void)
{
    static const int fixed[] = {1, 2, 3, 4, 6, 8, -1};
    static const int large[] = {1000, 1024, 4096, 5040, 7919, 65536, 99991, 999983, 2147483646, 2147483647, 0, -5};
    for (int count = 0; count <= MOST_DIMS; count++) {
        int given[MOST_DIMS] = {0};
        for (int nodes = 1; nodes <= 64; nodes++) {
            one_dims(nodes, count, given);
            for (int at = 0; at < count; at++) {
                for (int i = 0; i < 7; i++) {
                    given[at] = fixed[i];
                    one_dims(nodes, count, given);
                    int other = (at + 1) % count;
                    if (other != at) {
                        given[other] = 2;
                        one_dims(nodes, count, given);
                        given[other] = 0;
                    }
                }
                given[at] = 0;
            }
        }
        for (int i = 0; i < 12; i++) {
            one_dims(large[i], count, given);
        }
    }
}

static void received(const char *name, const int *data)
{
    int last = ROOM;
    while (last > 0 && data[last - 1] == UNTOUCHED) {
        last--;
    }
    fprintf(out, "  %s", name);
    numbers("received", data, last);
    end_line();
}

static void untouched(int *data)
{
    for (int i = 0; i < ROOM; i++) {
        data[i] = UNTOUCHED;
    }
}

/*
 * Runs the neighbour collectives; the counts are those of the v forms. Of the non-blocking ones, those to all are left
 * out where both neighbours of a dimension are one rank: there Open MPI 4.1.4 gives the two messages to the wrong parts
 * or ends with MPI_ERR_TRUNCATE. What is sent upwards has to come in from below (MPI 4.0 section 8.6), as it does in its
 * own blocking calls.
 */
static void collectives(
    MPI_Comm comm, int sources, int destinations, const int *sent, const int *gotten, int has_same_neighbors)
{
    int rank, send[ROOM], receive[ROOM], sdispls[MOST_PARTS], rdispls[MOST_PARTS], twos[MOST_PARTS];
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < ROOM; i++) {
        send[i] = 1000 * rank + i;
    }
    for (int i = 0; i < MOST_PARTS; i++) {
        twos[i] = 2;
    }
    untouched(receive);
    MPI_Neighbor_allgather(send, 2, MPI_INT, receive, 2, MPI_INT, comm);
    received("allGather", receive);
    for (int i = 0; i < sources; i++) {
        rdispls[i] = 3 * (sources - 1 - i) + 1;
    }
    untouched(receive);
    MPI_Neighbor_allgatherv(send, 2, MPI_INT, receive, twos, rdispls, MPI_INT, comm);
    received("allGatherv", receive);
    untouched(receive);
    MPI_Neighbor_alltoall(send, 2, MPI_INT, receive, 2, MPI_INT, comm);
    received("allToAll", receive);
    for (int i = 0; i < destinations; i++) {
        sdispls[i] = 6 * (destinations - 1 - i);
    }
    for (int i = 0; i < sources; i++) {
        rdispls[i] = 6 * i + 1;
    }
    untouched(receive);
    MPI_Neighbor_alltoallv(send, sent, sdispls, MPI_INT, receive, gotten, rdispls, MPI_INT, comm);
    received("allToAllv", receive);
    MPI_Request request;
    untouched(receive);
    MPI_Ineighbor_allgather(send, 2, MPI_INT, receive, 2, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    received("iAllGather", receive);
    if (has_same_neighbors) {
        return;
    }
    untouched(receive);
    MPI_Ineighbor_alltoall(send, 2, MPI_INT, receive, 2, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    received("iAllToAll", receive);
    untouched(receive);
    MPI_Ineighbor_alltoallv(send, sent, sdispls, MPI_INT, receive, gotten, rdispls, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    received("iAllToAllv", receive);
}

static void members(MPI_Comm comm)
{
    int size, ranks[MOST_PARTS], slots[MOST_PARTS];
    MPI_Group group, world;
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < size; i++) {
        ranks[i] = i;
    }
    MPI_Comm_group(comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(group, size, ranks, world, slots);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    numbers("members", slots, size);
}

static void grid(int count, int *dims, int *periods)
{
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, count, dims, periods, 0, &comm);
    fprintf(out, "grid");
    numbers("dims", dims, count);
    numbers("periods", periods, count);
    if (comm == MPI_COMM_NULL) {
        fprintf(out, " null\n");
        return;
    }
    int rank, size, coords[MOST_DIMS] = {0}, kept[MOST_DIMS], sent[MOST_PARTS], gotten[MOST_PARTS];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    members(comm);
    MPI_Cart_get(comm, count, kept, kept, coords);
    numbers("own", coords, count);
    end_line();
    for (int other = 0; other < size; other++) {
        int back;
        MPI_Cart_coords(comm, other, count, coords);
        fprintf(out, "  rank %d", other);
        numbers("coords", coords, count);
        for (int i = 0; i < count; i++) {
            coords[i] += periods[i] ? (other - 2) * dims[i] : 0;
        }
        MPI_Cart_rank(comm, coords, &back);
        fprintf(out, " back %d\n", back);
    }
    int has_same_neighbors = 0;
    for (int direction = 0; direction < count; direction++) {
        has_same_neighbors |= periods[direction] && dims[direction] <= 2;
        for (int disp = -4; disp <= 4; disp++) {
            int source, dest;
            MPI_Cart_shift(comm, direction, disp, &source, &dest);
            fprintf(out, "  shift %d %d: %d %d\n", direction, disp, rank_or_null(source), rank_or_null(dest));
        }
        sent[2 * direction] = gotten[2 * direction + 1] = 1 + direction;
        sent[2 * direction + 1] = gotten[2 * direction] = 3 + direction;
    }
    for (int mask = 0; mask < 1 << count; mask++) {
        MPI_Comm slice;
        int slice_count, slice_rank;
        for (int i = 0; i < count; i++) {
            kept[i] = mask >> i & 1;
        }
        MPI_Cart_sub(comm, kept, &slice);
        MPI_Cartdim_get(slice, &slice_count);
        MPI_Comm_rank(slice, &slice_rank);
        fprintf(out, "  slice %d", mask);
        members(slice);
        if (slice_count > 0) {
            MPI_Cart_coords(slice, slice_rank, slice_count, coords);
        }
        numbers("coords", coords, slice_count);
        end_line();
        MPI_Comm_free(&slice);
    }
    if (count > 0) {
        collectives(comm, 2 * count, 2 * count, sent, gotten, has_same_neighbors);
    }
    MPI_Comm_free(&comm);
}

static void all_grids(void)
{
    int none[1] = {0};
    grid(0, none, none);
    for (int a = 1; a <= world_size; a++) {
        for (int b = 0; a * (b == 0 ? 1 : b) <= world_size; b++) {
            for (int c = 0; c == 0 || (b > 0 && a * b * c <= world_size); c++) {
                int dims[3] = {a, b, c};
                int count = b == 0 ? 1 : c == 0 ? 2 : 3;
                for (int mask = 0; mask < 1 << count; mask++) {
                    int periods[3] = {mask & 1, mask >> 1 & 1, mask >> 2 & 1};
                    grid(count, dims, periods);
                }
            }
        }
    }
}

static void fill_threes(int *counts)
{
    for (int i = 0; i < MOST_PARTS; i++) {
        counts[i] = 3;
    }
}

static void graph(const char *name, int nodes, int *index, int *edges)
{
    MPI_Comm comm;
    int threes[MOST_PARTS];
    fill_threes(threes);
    MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, 0, &comm);
    fprintf(out, "graph %s", name);
    if (comm == MPI_COMM_NULL) {
        fprintf(out, " null\n");
        return;
    }
    int rank, count, neighbors[MOST_PARTS];
    members(comm);
    MPI_Comm_rank(comm, &rank);
    for (int other = 0; other < nodes; other++) {
        MPI_Graph_neighbors_count(comm, other, &count);
        MPI_Graph_neighbors(comm, other, count, neighbors);
        numbers("neighbors", neighbors, count);
    }
    end_line();
    MPI_Graph_neighbors_count(comm, rank, &count);
    collectives(comm, count, count, threes, threes, 0);
    MPI_Comm_free(&comm);
}

static void all_graphs(void)
{
    int index[MOST_PARTS], edges[4 * MOST_PARTS];
    for (int nodes = 1; nodes <= world_size; nodes++) {
        int end = 0;
        for (int node = 0; node < nodes; node++) {
            edges[end++] = (node + 1) % nodes;
            edges[end++] = (node + nodes - 1) % nodes;
            index[node] = end;
        }
        graph("ring", nodes, index, edges);
        end = 0;
        for (int node = 0; node < nodes; node++) {
            for (int other = nodes - 1; node == 0 && other > 0; other--) {
                edges[end++] = other;
            }
            if (node > 0) {
                edges[end++] = 0;
            }
            index[node] = end;
        }
        graph("star", nodes, index, edges);
        end = 0;
        for (int node = 0; node < nodes; node++) {
            edges[end++] = node ^ 1;
            edges[end++] = node;
            edges[end++] = node ^ 1;
            if ((node ^ 1) >= nodes) {
                end -= 3;
                edges[end++] = node;
            }
            index[node] = end;
        }
        graph("pairs", nodes, index, edges);
    }
}

static void dist_graph(const char *name, MPI_Comm comm, int is_sorted)
{
    int sources, destinations, weighted, in[MOST_PARTS], out_[MOST_PARTS], in_weights[MOST_PARTS] = {0};
    int out_weights[MOST_PARTS] = {0}, threes[MOST_PARTS];
    fill_threes(threes);
    MPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
    MPI_Dist_graph_neighbors(comm, sources, in, in_weights, destinations, out_, out_weights);
    for (int i = 0; is_sorted && i < sources; i++) {
        for (int j = i + 1; j < sources; j++) {
            if (in[j] < in[i] || (in[j] == in[i] && in_weights[j] < in_weights[i])) {
                int swapped = in[i];
                in[i] = in[j];
                in[j] = swapped;
                swapped = in_weights[i];
                in_weights[i] = in_weights[j];
                in_weights[j] = swapped;
            }
        }
    }
    fprintf(out, "dist %s %d", name, weighted ? 1 : 0);
    numbers("sources", in, sources);
    numbers("weights", in_weights, weighted ? sources : 0);
    if (!is_sorted) {
        numbers("destinations", out_, destinations);
        numbers("weights", out_weights, weighted ? destinations : 0);
    }
    end_line();
    if (!is_sorted) {
        collectives(comm, sources, destinations, threes, threes, 0);
    }
    MPI_Comm_free(&comm);
}

static void all_dist_graphs(void)
{
    MPI_Comm comm;
    int next = (world_rank + 1) % world_size, previous = (world_rank + world_size - 1) % world_size;
    int in[] = {previous, world_rank, previous, next}, out_[] = {next, next, previous, world_rank};
    int in_weights[] = {1, 2, 3, 4}, out_weights[] = {1, 3, 4, 2};
    if (world_size > 2) {
        MPI_Dist_graph_create_adjacent(
            MPI_COMM_WORLD, 4, in, in_weights, 4, out_, out_weights, MPI_INFO_NULL, 0, &comm);
        dist_graph("adjacent", comm, 0);
    }
    MPI_Dist_graph_create_adjacent(
        MPI_COMM_WORLD, 1, in, MPI_UNWEIGHTED, 1, out_, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    dist_graph("cycle", comm, 0);

    /* One rank names all edges: from each rank to each higher one, and to itself. */
    int sources[MOST_PARTS], degrees[MOST_PARTS], destinations[MOST_PARTS * MOST_PARTS];
    int weights[MOST_PARTS * MOST_PARTS], end = 0;
    for (int from = 0; from < world_size; from++) {
        sources[from] = from;
        degrees[from] = world_size - from;
        for (int to = world_size - 1; to >= from; to--) {
            destinations[end] = to;
            weights[end++] = 10 * from + to;
        }
    }
    int named = world_rank == world_size - 1 ? world_size : 0;
    MPI_Dist_graph_create(
        MPI_COMM_WORLD, named, sources, degrees, destinations, weights, MPI_INFO_NULL, 0, &comm);
    dist_graph("named by one", comm, 0);
    MPI_Dist_graph_create(
        MPI_COMM_WORLD, named, sources, degrees, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    dist_graph("without weights", comm, 0);

    /* Each rank names edges of another one: their order is open. */
    int about = (world_rank + 1) % world_size;
    end = 0;
    for (int to = 0; to < world_size; to++) {
        destinations[end] = to;
        weights[end++] = 100 * world_rank + to;
    }
    MPI_Dist_graph_create(
        MPI_COMM_WORLD, 1, &about, &end, destinations, weights, MPI_INFO_NULL, 0, &comm);
    dist_graph("named by others", comm, 1);
}

int main(int argc, char **argv)
{
    char name[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    snprintf(name, sizeof name, "%s/%d", argv[1], world_rank);
    out = fopen(name, "w");
    if (out == NULL) {
        perror(name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (world_rank == 0) {
        all_dims();
    }
    all_grids();
    all_graphs();
    all_dist_graphs();
    fclose(out);
    MPI_Finalize();
    return 0;
}
