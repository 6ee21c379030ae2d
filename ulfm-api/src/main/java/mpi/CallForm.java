package mpi;

import java.nio.Buffer;

/**
 * The two forms of a collective call. The blocking form takes arrays and buffers, and is over when it returns. The
 * started form takes buffers and returns a request; it makes views of the buffers and copies of the arrays of counts,
 * displacements and types, because the program may move the position and limit of its buffer, and use those arrays
 * again, while the operation is under way.
 *
 * <p>Each call is described once, for both forms: the checks of its arguments in {@link CollectiveCalls},
 * {@link ReductionCalls} and {@link NeighborCalls}, the call of the runtime in {@link Collectives}, {@link Reductions}
 * and {@link NeighborExchange}.
 */
enum CallForm {
    BLOCKING,
    STARTED;

    /** The name of the call as the program wrote it. */
    String name(String blocking, String started) {
        return this == BLOCKING ? blocking : started;
    }

    /**
     * Returns the array that an operation keeps: the program's own in the blocking form; a copy in the started form,
     * because the program may use its array again while the operation is under way.
     */
    int[] kept(int[] values) {
        return this == BLOCKING || values == null ? values : values.clone();
    }

    private Datatype[] kept(Datatype[] types) {
        return this == BLOCKING || types == null ? types : types.clone();
    }

    /**
     * The largest of the counts of the first {@code ranks} ranks; 0 if there is none above 0. Wrong counts are found by
     * a later check.
     */
    static int most(int[] counts, int ranks) {
        int most = 0;
        for (int rank = 0; counts != null && rank < Math.min(counts.length, ranks); rank++) {
            most = Math.max(most, counts[rank]);
        }
        return most;
    }

    /**
     * Does the checks of a buffer that the call reads which only the started form needs: if the count is above 0, a
     * buffer that is null or cannot hold items of the type raises {@link IllegalArgumentException}, as in
     * {@link NonBlocking}. Returns the buffer that the call is to use: the same one in the blocking form; in the
     * started form a view of it, or null for null.
     */
    Object source(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        if (this == BLOCKING) {
            return buffer;
        }
        Buffer given = (Buffer) buffer;
        NonBlocking.usable(comm, operation, name, given, countName, count, type);
        return given == null ? null : BufferViews.of(given);
    }

    /** As {@link #source}, for a buffer that the call writes; the started form also refuses a read-only one. */
    Object target(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        Object used = source(comm, operation, name, buffer, countName, count, type);
        if (this == STARTED) {
            NonBlocking.writable(operation, name, (Buffer) buffer, count);
        }
        return used;
    }

    /** As {@link #source}, for a buffer with a part for each of {@code ranks} ranks. */
    private Object sourceOfParts(
            Side side, String name, Object buffer, String countName, int[] counts, int ranks, Datatype type) {
        if (this == BLOCKING) {
            return buffer;
        }
        String count = "the sum of " + countName;
        return source(side.comm(), side.operation(), name, buffer, count, most(counts, ranks), type);
    }

    /**
     * Checks a buffer of one part that the call reads. Returns the buffer that the operation is to use: the same one in
     * the blocking form, a view of it in the started form.
     */
    Object read(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        Object used = source(comm, operation, name, buffer, countName, count, type);
        Arguments.outgoing(comm, operation, name, used, countName, count, type);
        return used;
    }

    /**
     * Checks a buffer of one part that the call writes. Returns the buffer that the operation is to use: the same one
     * in the blocking form, a view of it in the started form.
     */
    Object written(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        Object used = target(comm, operation, name, buffer, countName, count, type);
        Arguments.incoming(comm, operation, name, used, countName, count, type);
        return used;
    }

    /** Checks a buffer of one part that the call reads. */
    Side outgoing(Side side, String name, Object buffer, String countName, int count, Datatype type) {
        Object used = source(side.comm(), side.operation(), name, buffer, countName, count, type);
        return CollectiveArguments.outgoing(side, name, used, countName, count, type);
    }

    /** Checks a buffer of one part that the call writes. */
    Side incoming(Side side, String name, Object buffer, String countName, int count, Datatype type) {
        Object used = target(side.comm(), side.operation(), name, buffer, countName, count, type);
        return CollectiveArguments.incoming(side, name, used, countName, count, type);
    }

    /** Checks a buffer that the call reads, with {@code count} items for each rank. */
    Side outgoingEach(Side side, String name, Object buffer, String countName, int count, Datatype type) {
        Object used = source(side.comm(), side.operation(), name, buffer, countName, count, type);
        return CollectiveArguments.outgoingEach(side, name, used, countName, count, type);
    }

    /** Checks a buffer that the call writes, with {@code count} items for each rank. */
    Side incomingEach(Side side, String name, Object buffer, String countName, int count, Datatype type) {
        Object used = target(side.comm(), side.operation(), name, buffer, countName, count, type);
        return CollectiveArguments.incomingEach(side, name, used, countName, count, type);
    }

    /** Checks a buffer that the call reads, with a part for each rank at a displacement. */
    Side outgoingParts(
            Side side,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Datatype type) {
        Object used = sourceOfParts(
                side, name, buffer, countName, counts, side.communicator().peers(), type);
        return CollectiveArguments.outgoingParts(
                side, name, used, countName, kept(counts), displsName, kept(displs), type);
    }

    /** Checks a buffer that the call writes, with a part for each rank at a displacement. */
    Side incomingParts(
            Side side,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Datatype type) {
        int ranks = side.communicator().peers();
        Object used = sourceOfParts(side, name, buffer, countName, counts, ranks, type);
        requireWritable(side.operation(), name, buffer, counts, ranks);
        return CollectiveArguments.incomingParts(
                side, name, used, countName, kept(counts), displsName, kept(displs), type);
    }

    private void requireWritable(String operation, String name, Object buffer, int[] counts, int ranks) {
        if (this == STARTED && buffer != null) {
            NonBlocking.writable(operation, name, (Buffer) buffer, most(counts, ranks));
        }
    }

    /** Checks the contribution to a reduce-scatter: {@code count} items for each rank of the own group. */
    Side outgoingBlocks(Side side, String name, Object buffer, String countName, int count, Datatype type) {
        Object used = source(side.comm(), side.operation(), name, buffer, countName, count, type);
        return CollectiveArguments.outgoingBlocks(side, name, used, countName, count, type);
    }

    /**
     * Checks the contribution to a reduce-scatter with a count for each rank of the own group. The parts lie one after
     * the other without gaps.
     */
    Side outgoingPacked(Side side, String name, Object buffer, String countName, int[] counts, Datatype type) {
        Object used = sourceOfParts(
                side, name, buffer, countName, counts, side.communicator().size(), type);
        return CollectiveArguments.outgoingPacked(side, name, used, countName, kept(counts), type);
    }

    /** Checks a buffer that the call reads, with a part for each rank and a datatype for each part. */
    MixedParts outgoingMixed(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            String typesName,
            Datatype[] types) {
        Object used = sourceOfMixed(comm, operation, name, buffer, countName, counts, types);
        return MixedParts.outgoing(
                comm, operation, name, used, countName, kept(counts), displsName, kept(displs), typesName, kept(types));
    }

    /** Checks a buffer that the call writes, with a part for each rank and a datatype for each part. */
    MixedParts incomingMixed(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            String typesName,
            Datatype[] types) {
        Object used = sourceOfMixed(comm, operation, name, buffer, countName, counts, types);
        requireWritable(operation, name, buffer, counts, comm.communicator().peers());
        return MixedParts.incoming(
                comm, operation, name, used, countName, kept(counts), displsName, kept(displs), typesName, kept(types));
    }

    /** As {@link #source}, for a buffer with a part for each rank and a datatype for each part. */
    private Object sourceOfMixed(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            Datatype[] types) {
        if (this == BLOCKING) {
            return buffer;
        }
        Buffer given = (Buffer) buffer;
        for (int rank = 0; rank < comm.communicator().peers(); rank++) {
            if (counts != null && rank < counts.length && types != null && rank < types.length) {
                String count = countName + "[" + rank + "]";
                NonBlocking.usable(comm, operation, name, given, count, counts[rank], types[rank]);
            }
        }
        return given == null ? null : BufferViews.of(given);
    }
}
