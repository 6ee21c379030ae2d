package mpi;

import java.nio.Buffer;

/**
 * The two forms of a collective call. The blocking form takes arrays and buffers, and is over when it returns. The
 * started form takes buffers and returns a request; it has views of the buffers and copies of the arrays of its own
 * ({@link DirectArgument}).
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

    /** What a call keeps of an array that the program may use again while the call is under way. */
    int[] kept(int[] values) {
        return this == BLOCKING || values == null ? values : values.clone();
    }

    /** The largest of the counts of so many ranks; 0 if they are wrong, which is found out later. */
    static int most(int[] counts, int ranks) {
        int most = 0;
        for (int rank = 0; counts != null && rank < Math.min(counts.length, ranks); rank++) {
            most = Math.max(most, counts[rank]);
        }
        return most;
    }

    /**
     * Checks what the started form alone asks of a buffer that the call reads: that it is of a kind that holds the
     * items. Returns what the call is to use in its place.
     */
    Object source(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        return this == BLOCKING
                ? buffer
                : DirectArgument.usable(comm, operation, name, (Buffer) buffer, countName, count, type);
    }

    /** As {@link #source}, for a buffer that the call writes. */
    Object target(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        Object used = source(comm, operation, name, buffer, countName, count, type);
        if (this == STARTED) {
            NonBlocking.writable(operation, name, (Buffer) buffer, count);
        }
        return used;
    }

    /** Checks a buffer of one part that the call reads. Returns what the call is to use in its place. */
    Object read(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        if (this == STARTED) {
            return DirectArgument.read(comm, operation, name, (Buffer) buffer, countName, count, type);
        }
        Arguments.outgoing(comm, operation, name, buffer, countName, count, type);
        return buffer;
    }

    /** Checks a buffer of one part that the call writes. Returns what the call is to use in its place. */
    Object written(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        if (this == STARTED) {
            return DirectArgument.written(comm, operation, name, (Buffer) buffer, countName, count, type);
        }
        Arguments.incoming(comm, operation, name, buffer, countName, count, type);
        return buffer;
    }

    /** Checks a buffer of one part that the call reads. */
    Argument outgoing(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        return this == BLOCKING
                ? Argument.outgoing(comm, operation, name, buffer, countName, count, type)
                : DirectArgument.outgoing(comm, operation, name, (Buffer) buffer, countName, count, type);
    }

    /** Checks a buffer of one part that the call writes. */
    Argument incoming(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        return this == BLOCKING
                ? Argument.incoming(comm, operation, name, buffer, countName, count, type)
                : DirectArgument.incoming(comm, operation, name, (Buffer) buffer, countName, count, type);
    }

    /** Checks a buffer that the call reads, with {@code count} items for each rank. */
    Argument outgoingEach(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        return this == BLOCKING
                ? Argument.outgoingEach(comm, operation, name, buffer, countName, count, type)
                : DirectArgument.outgoingEach(comm, operation, name, (Buffer) buffer, countName, count, type);
    }

    /** Checks a buffer that the call writes, with {@code count} items for each rank. */
    Argument incomingEach(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        return this == BLOCKING
                ? Argument.incomingEach(comm, operation, name, buffer, countName, count, type)
                : DirectArgument.incomingEach(comm, operation, name, (Buffer) buffer, countName, count, type);
    }

    /** Checks a buffer that the call reads, with a part for each rank at a displacement. */
    Argument outgoingParts(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Datatype type) {
        return this == BLOCKING
                ? Argument.outgoingParts(comm, operation, name, buffer, countName, counts, displsName, displs, type)
                : DirectArgument.outgoingParts(
                        comm, operation, name, (Buffer) buffer, countName, counts, displsName, displs, type);
    }

    /** Checks a buffer that the call writes, with a part for each rank at a displacement. */
    Argument incomingParts(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Datatype type) {
        return this == BLOCKING
                ? Argument.incomingParts(comm, operation, name, buffer, countName, counts, displsName, displs, type)
                : DirectArgument.incomingParts(
                        comm, operation, name, (Buffer) buffer, countName, counts, displsName, displs, type);
    }

    /** Checks a contribution to a reduction that is scattered: {@code count} items for each rank of the own group. */
    Argument outgoingBlocks(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        return this == BLOCKING
                ? Argument.outgoingBlocks(comm, operation, name, buffer, countName, count, type)
                : DirectArgument.outgoingBlocks(comm, operation, name, (Buffer) buffer, countName, count, type);
    }

    /** As {@link #outgoingBlocks}, with a count for each rank, the parts one after the other without gaps. */
    Argument outgoingPacked(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            Datatype type) {
        return this == BLOCKING
                ? Argument.outgoingPacked(comm, operation, name, buffer, countName, counts, type)
                : DirectArgument.outgoingPacked(comm, operation, name, (Buffer) buffer, countName, counts, type);
    }

    /** Checks a buffer that the call reads, with a part of its own type for each rank. */
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
        return this == BLOCKING
                ? MixedParts.outgoing(
                        comm, operation, name, buffer, countName, counts, displsName, displs, typesName, types)
                : DirectArgument.outgoingMixed(
                        comm,
                        operation,
                        name,
                        (Buffer) buffer,
                        countName,
                        counts,
                        displsName,
                        displs,
                        typesName,
                        types);
    }

    /** Checks a buffer that the call writes, with a part of its own type for each rank. */
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
        return this == BLOCKING
                ? MixedParts.incoming(
                        comm, operation, name, buffer, countName, counts, displsName, displs, typesName, types)
                : DirectArgument.incomingMixed(
                        comm,
                        operation,
                        name,
                        (Buffer) buffer,
                        countName,
                        counts,
                        displsName,
                        displs,
                        typesName,
                        types);
    }
}
