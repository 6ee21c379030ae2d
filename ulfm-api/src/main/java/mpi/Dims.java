package mpi;

import java.util.Arrays;

/**
 * Chooses the lengths of a grid's dimensions, as equal as a short rule makes them (MPI 3.1 section 7.5.2). The number
 * of ranks, divided by the given lengths, is split into prime factors. Each factor, largest first, multiplies the free
 * dimension that is shortest at that moment, the first one if several are. In the end the chosen lengths are sorted,
 * longest first. Open MPI 4.1 uses this rule too. Without state.
 */
final class Dims {
    private Dims() {}

    /**
     * Sets those elements of {@code dims} that are 0. Throws for arguments that are not allowed, also if no element is
     * 0, and then leaves all elements as they were.
     */
    static void fill(int nodes, int[] dims) {
        if (dims == null) {
            throw bad(MPI.ERR_ARG, "dims is null; allowed: an array with an element for each dimension");
        }
        if (nodes < 1) {
            throw bad(MPI.ERR_DIMS, "nnodes is " + nodes + "; allowed: 1 to " + Integer.MAX_VALUE);
        }
        int free = 0;
        int rest = nodes;
        for (int i = 0; i < dims.length; i++) {
            if (dims[i] < 0) {
                throw bad(MPI.ERR_DIMS, "dims[" + i + "] is " + dims[i] + "; allowed: a length, or 0 to have it set");
            }
            if (dims[i] == 0) {
                free++;
            } else if (rest % dims[i] != 0) {
                throw indivisible(nodes, dims);
            } else {
                rest /= dims[i];
            }
        }
        if (free == 0 && rest != 1) {
            throw indivisible(nodes, dims);
        }
        int[] lengths = divide(rest, free);
        for (int i = 0, next = 0; i < dims.length; i++) {
            if (dims[i] == 0) {
                dims[i] = lengths[next++];
            }
        }
    }

    private static int[] divide(int number, int count) {
        int[] lengths = new int[count];
        Arrays.fill(lengths, 1);
        int[] factors = new int[Integer.SIZE];
        int found = 0;
        int rest = number;
        for (int factor = 2; (long) factor * factor <= rest; factor++) {
            for (; rest % factor == 0; rest /= factor) {
                factors[found++] = factor;
            }
        }
        if (rest > 1) {
            factors[found++] = rest;
        }
        while (found > 0) {
            int shortest = 0;
            for (int i = 1; i < count; i++) {
                shortest = lengths[i] < lengths[shortest] ? i : shortest;
            }
            lengths[shortest] *= factors[--found];
        }
        Arrays.sort(lengths);
        for (int low = 0, high = count - 1; low < high; low++, high--) {
            int swapped = lengths[low];
            lengths[low] = lengths[high];
            lengths[high] = swapped;
        }
        return lengths;
    }

    private static MPIException indivisible(int nodes, int[] dims) {
        return bad(
                MPI.ERR_DIMS,
                "nnodes is " + nodes + " and dims is " + Arrays.toString(dims)
                        + "; allowed: lengths whose product divides nnodes, and is nnodes if none is 0");
    }

    private static MPIException bad(int errorClass, String problem) {
        return Exceptions.withoutCommunicator("createDims", errorClass, problem);
    }
}
