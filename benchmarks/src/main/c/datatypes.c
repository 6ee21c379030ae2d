/*
 * Prints what an MPI in C says about generated datatypes and about reductions of pairs: each rank writes lines to the file
 * DIRECTORY/RANK. DatatypeLines prints the same lines with package mpi; benchmarks/differential compares them.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TYPES 2000
#define ROOM 4096
#define PAIRS 50

static FILE *out;
static uint32_t state;

static int draw(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)below);
}

/* A type and the bytes of its base: MPI_BYTE for structs and pairs, as in the Java bindings. */
struct typed {
    MPI_Datatype type;
    int base;
};

static struct typed make(int depth)
{
    struct typed made;
    if (depth == 0) {
        switch (draw(6)) {
        case 0: made.type = MPI_BYTE; made.base = 1; break;
        case 1: made.type = MPI_SHORT; made.base = 2; break;
        case 2: made.type = MPI_INT; made.base = 4; break;
        case 3: made.type = MPI_DOUBLE; made.base = 8; break;
        case 4: made.type = MPI_C_DOUBLE_COMPLEX; made.base = 8; break;
        default: made.type = MPI_LONG; made.base = 8; break;
        }
        return made;
    }
    /* Places of blocks grow, and no block of a struct begins before the first one: where one does, Open MPI 4.1.4 rounds the
       extent up again with each such block, but MPI 3.1 section 4.1.6 adds "the least non-negative increment" once, to that
       of all. The smallest case is an int at 8 and bytes at 5 and 4: 8 bytes from 4 to 12, and 12 there. Distances are
       positive: items in each other's place have an extent there as if they lay side by side; by the same section it is that
       of their bounds. */
    struct typed old = make(depth - 1);
    int count = 1 + draw(3);
    int length = 1 + draw(3);
    int stride = draw(6);
    int lengths[4], places[4];
    MPI_Aint bytes[4], first = 0;
    MPI_Datatype types[4];
    made.base = old.base;
    switch (draw(7)) {
    case 0:
        MPI_Type_contiguous(count, old.type, &made.type);
        break;
    case 1:
        MPI_Type_vector(count, length, stride, old.type, &made.type);
        break;
    case 2:
        MPI_Type_create_hvector(count, length, 1 + draw(90), old.type, &made.type);
        break;
    case 3:
        for (int i = 0; i < count; i++) {
            lengths[i] = 1 + draw(3);
            places[i] = draw(6);
        }
        MPI_Type_indexed(count, lengths, places, old.type, &made.type);
        break;
    case 4:
        for (int i = 0; i < count; i++) {
            lengths[i] = 1 + draw(3);
            bytes[i] = (i == 0 ? 0 : bytes[i - 1]) + draw(30);
        }
        MPI_Type_create_hindexed(count, lengths, bytes, old.type, &made.type);
        break;
    case 5:
        for (int i = 0; i < count; i++) {
            types[i] = make(draw(depth)).type;
            lengths[i] = 1 + draw(2);
            bytes[i] = (i == 0 ? 0 : bytes[i - 1]) + draw(40);
            MPI_Aint lower, extent;
            MPI_Type_get_extent(types[i], &lower, &extent);
            if (i == 0) {
                first = bytes[0] + lower;
            } else if (bytes[i] + lower < first) {
                bytes[i] = first - lower;
            }
        }
        made.base = 1;
        MPI_Type_create_struct(count, lengths, bytes, types, &made.type);
        break;
    default:
        stride = 4 * (draw(4) - 1);
        MPI_Type_create_resized(old.type, stride, 4 * (1 + draw(14)), &made.type);
        break;
    }
    return made;
}

static void one_type(int number)
{
    static unsigned char memory[ROOM], packed[ROOM], raw[64];
    struct typed typed = make(1 + draw(3));
    MPI_Type_commit(&typed.type);
    int size;
    MPI_Aint lower, extent, true_lower, true_extent;
    MPI_Type_size(typed.type, &size);
    MPI_Type_get_extent(typed.type, &lower, &extent);
    MPI_Type_get_true_extent(typed.type, &true_lower, &true_extent);
    int base = typed.base;
    if (size == 0) {
        /* Open MPI 4.1.4 keeps an extent of blocks without items; by MPI 3.1 section 4.1.6 bounds come from the entries
           of the type map, of which there are none. */
        fprintf(out, "type %d size 0\n", number);
        return;
    }
    fprintf(out, "type %d size %d lb %d extent %d true lb %d true extent %d", number, size / base, (int)lower / base,
            (int)extent / base, (int)true_lower / base, (int)true_extent / base);
    if (size > 0 && true_lower >= 0 && extent >= 0 && true_lower + true_extent + extent <= ROOM && 2 * size <= ROOM) {
        for (int i = 0; i < ROOM; i++) {
            memory[i] = (unsigned char)(i * 31 + i / 256);
        }
        int position = 0;
        MPI_Pack(memory, 2, typed.type, packed, ROOM, &position, MPI_COMM_SELF);
        unsigned hash = 17;
        for (int i = 0; i < position; i++) {
            hash = hash * 31 + packed[i];
        }
        fprintf(out, " packed %d %08x elements", position, hash);
        for (int length = 0; length <= 64; length += 4) {
            MPI_Status status;
            int elements;
            MPI_Sendrecv(raw, length, MPI_BYTE, 0, 0, packed, 64, MPI_BYTE, 0, 0, MPI_COMM_SELF, &status);
            MPI_Get_elements(&status, typed.type, &elements);
            fprintf(out, " %d", elements == MPI_UNDEFINED ? -1 : elements);
        }
    }
    fprintf(out, "\n");
}

static void pairs(const char *name, MPI_Op op, const char *op_name)
{
    struct { double value; int index; } a[PAIRS], b[PAIRS];
    struct { short value; int index; } c[PAIRS], d[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        a[i].value = draw(4) - 1.5;
        a[i].index = draw(5);
        b[i].value = draw(4) - 1.5;
        b[i].index = draw(5);
        c[i].value = (short)((draw(4) - 2) * 300);
        c[i].index = draw(5);
        d[i].value = (short)((draw(4) - 2) * 300);
        d[i].index = draw(5);
    }
    MPI_Reduce_local(a, b, PAIRS, MPI_DOUBLE_INT, op);
    MPI_Reduce_local(c, d, PAIRS, MPI_SHORT_INT, op);
    for (int i = 0; i < PAIRS; i++) {
        fprintf(out, "%s %s %d: %.1f %d, %d %d\n", name, op_name, i, b[i].value, b[i].index, d[i].value, d[i].index);
    }
}

int main(int argc, char **argv)
{
    int rank;
    char file[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(file, sizeof file, "%s/%d", argv[1], rank);
    out = fopen(file, "w");
    if (out == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    state = (uint32_t)(rank + 1);
    for (int i = 0; i < TYPES; i++) {
        one_type(i);
    }
    pairs("pairs", MPI_MINLOC, "minloc");
    pairs("pairs", MPI_MAXLOC, "maxloc");
    fclose(out);
    MPI_Finalize();
    return 0;
}
