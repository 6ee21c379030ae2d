package mpi;

import org.ulfmj.runtime.collective.Neighborhood;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * Checks of the buffers of one neighbour collective, with a part for each source or each destination. A neighbour may
 * be {@link MPI#PROC_NULL}: its part has no items in the checked argument, so the call neither reads nor writes it.
 */
final class NeighborArguments {
    private final CommState comm;
    private final String operation;
    private final Neighborhood neighbors;
    private final boolean isOfSources;
    private final int size;

    private NeighborArguments(CommState comm, String operation, Neighborhood neighbors, boolean isOfSources) {
        this.comm = comm;
        this.operation = operation;
        this.neighbors = neighbors;
        this.isOfSources = isOfSources;
        this.size = isOfSources ? neighbors.sourceCount() : neighbors.destinationCount();
    }

    /** Returns the checks for a buffer with a part for each source. */
    static NeighborArguments ofSources(CommState comm, String operation, Neighborhood neighbors) {
        return new NeighborArguments(comm, operation, neighbors, true);
    }

    /** Returns the checks for a buffer with a part for each destination. */
    static NeighborArguments ofDestinations(CommState comm, String operation, Neighborhood neighbors) {
        return new NeighborArguments(comm, operation, neighbors, false);
    }

    /** Checks a buffer that the call reads, with {@code count} items for each neighbour. */
    Side outgoingEach(Side side, String name, Object buffer, String countName, int count, Datatype type) {
        Arguments.type(comm, operation, name, type);
        Arguments.count(comm, operation, countName, count);
        long total = (long) size * count;
        if (!Arguments.holds(buffer, total, type)) {
            String needed = countName + " times the number of " + kind();
            throw Arguments.unfit(comm, operation, name, buffer, needed, total, type);
        }
        if (anyIsAbsent()) {
            return side.set(buffer, countName, withoutAbsent(side, count), type);
        }
        return side.set(buffer, countName, size, count, type);
    }

    /** Checks a buffer that the call writes, with {@code count} items for each neighbour. */
    Side incomingEach(Side side, String name, Object buffer, String countName, int count, Datatype type) {
        outgoingEach(side, name, buffer, countName, count, type);
        Arguments.writable(comm, operation, name, buffer, size == 0 ? 0 : count);
        return side;
    }

    private boolean anyIsAbsent() {
        for (int i = 0; i < size; i++) {
            if (isAbsent(i)) {
                return true;
            }
        }
        return false;
    }

    private Layout withoutAbsent(Side side, int count) {
        int[] counts = new int[size];
        int[] displacements = new int[size];
        for (int i = 0; i < size; i++) {
            counts[i] = isAbsent(i) ? 0 : count;
            displacements[i] = i * count;
        }
        return side.places().at(size, counts, displacements);
    }

    /** Checks a buffer that the call reads, with a part for each neighbour at a displacement. */
    Side outgoingParts(
            Side side,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Datatype type) {
        Arguments.type(comm, operation, name, type);
        requireOneEach(ErrorClass.COUNT, countName, counts);
        requireOneEach(ErrorClass.ARG, displsName, displs);
        for (int i = 0; i < size; i++) {
            if (counts[i] < 0) {
                Arguments.count(comm, operation, countName + "[" + i + "]", counts[i]);
            }
        }
        Layout layout = side.places().at(size, anyIsAbsent() ? ofPresent(counts) : counts, displs);
        long total = layout.total();
        if (total > 0) {
            Arguments.sumOf(comm, operation, name, buffer, countName, total, type);
            Arguments.parts(comm, operation, name, buffer, type, countName, displsName, layout);
        }
        return side.set(buffer, countName, layout, type);
    }

    /** Checks a buffer that the call writes, with a part for each neighbour at a displacement. */
    Side incomingParts(
            Side side,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Datatype type) {
        outgoingParts(side, name, buffer, countName, counts, displsName, displs, type);
        Arguments.disjoint(comm, operation, name, type, countName, displsName, side.layout());
        Arguments.writable(comm, operation, name, buffer, (int) Math.min(side.total(), 1));
        return side;
    }

    private int[] ofPresent(int[] counts) {
        int[] present = new int[size];
        for (int i = 0; i < size; i++) {
            present[i] = isAbsent(i) ? 0 : counts[i];
        }
        return present;
    }

    private boolean isAbsent(int neighbor) {
        return (isOfSources ? neighbors.source(neighbor) : neighbors.destination(neighbor)) == MPI.PROC_NULL;
    }

    private String kind() {
        return isOfSources ? "sources" : "destinations";
    }

    /** Checks that an array has a number for each neighbour; the array may be longer. */
    private void requireOneEach(ErrorClass error, String name, int[] numbers) {
        if (size > 0 && (numbers == null || numbers.length < size)) {
            throw comm.bad(
                    error,
                    operation,
                    name + " " + (numbers == null ? "is null" : "has " + numbers.length + " elements")
                            + "; allowed: one for each of the " + size + " " + kind());
        }
    }
}
