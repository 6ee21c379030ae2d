package mpi;

/**
 * Checks of a buffer argument of a collective with its parts: one for each rank, or a single one. A valid argument is
 * stored in its {@link Side}, which is returned. On an inter-communicator the parts are those of the ranks of the other
 * group; only in a reduce-scatter they are those of the own group.
 *
 * <p>Parameters: {@code name} is that of the buffer, {@code countName} that of its count or counts; both for messages.
 */
final class CollectiveArguments {
    private CollectiveArguments() {}

    /** Checks a buffer of one part that the call reads. */
    static Side outgoing(Side side, String name, Object buffer, String countName, int count, Datatype type) {
        Arguments.outgoing(side.comm(), side.operation(), name, buffer, countName, count, type);
        return side.set(buffer, countName, 1, count, type);
    }

    /** Checks a buffer of one part that the call writes. */
    static Side incoming(Side side, String name, Object buffer, String countName, int count, Datatype type) {
        Arguments.incoming(side.comm(), side.operation(), name, buffer, countName, count, type);
        return side.set(buffer, countName, 1, count, type);
    }

    /** Checks a buffer that the call reads, with {@code count} items for each rank. */
    static Side outgoingEach(Side side, String name, Object buffer, String countName, int count, Datatype type) {
        return each(
                side, name, buffer, countName, count, type, side.communicator().peers());
    }

    /** Checks a buffer that the call writes, with {@code count} items for each rank. */
    static Side incomingEach(Side side, String name, Object buffer, String countName, int count, Datatype type) {
        outgoingEach(side, name, buffer, countName, count, type);
        Arguments.writable(side.comm(), side.operation(), name, buffer, count);
        return side;
    }

    /** Checks the contribution to a reduce-scatter: {@code count} items for each rank of the own group. */
    static Side outgoingBlocks(Side side, String name, Object buffer, String countName, int count, Datatype type) {
        return each(
                side, name, buffer, countName, count, type, side.communicator().size());
    }

    private static Side each(
            Side side, String name, Object buffer, String countName, int count, Datatype type, int parts) {
        CommState comm = side.comm();
        String operation = side.operation();
        Arguments.type(comm, operation, name, type);
        Arguments.count(comm, operation, countName, count);
        long total = (long) parts * count;
        if (!Arguments.holds(buffer, total, type)) {
            String needed = countName + " times the number of ranks";
            throw Arguments.unfit(comm, operation, name, buffer, needed, total, type);
        }
        return side.set(buffer, countName, parts, count, type);
    }

    /** Checks a buffer that the call reads, with a part for each rank at a displacement. */
    static Side outgoingParts(
            Side side,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Datatype type) {
        CommState comm = side.comm();
        String operation = side.operation();
        Arguments.type(comm, operation, name, type);
        int parts = side.communicator().peers();
        Arguments.counts(comm, operation, countName, counts, parts);
        int[] places = Arguments.displacements(comm, operation, displsName, displs, parts);
        Layout layout = side.places().at(parts, counts, places);
        long total = layout.total();
        if (total > 0) {
            Arguments.sumOf(comm, operation, name, buffer, countName, total, type);
            Arguments.parts(comm, operation, name, buffer, type, countName, displsName, layout);
        }
        return side.set(buffer, countName, layout, type);
    }

    /** Checks a buffer that the call writes, with a part for each rank at a displacement. */
    static Side incomingParts(
            Side side,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Datatype type) {
        outgoingParts(side, name, buffer, countName, counts, displsName, displs, type);
        Arguments.disjoint(side.comm(), side.operation(), name, type, countName, displsName, side.layout());
        Arguments.writable(side.comm(), side.operation(), name, buffer, (int) Math.min(side.total(), 1));
        return side;
    }

    /**
     * Checks the contribution to a reduce-scatter: a part for each rank of the own group, in rank order without gaps.
     */
    static Side outgoingPacked(Side side, String name, Object buffer, String countName, int[] counts, Datatype type) {
        CommState comm = side.comm();
        String operation = side.operation();
        Arguments.type(comm, operation, name, type);
        int size = side.communicator().size();
        Arguments.counts(comm, operation, countName, counts, size);
        Layout layout = side.places().packed(size, counts);
        long total = layout.total();
        Arguments.packedBytes(comm, operation, countName, total, type);
        if (!Arguments.holds(buffer, total, type)) {
            throw Arguments.unfit(comm, operation, name, buffer, "the sum of " + countName, total, type);
        }
        return side.set(buffer, countName, layout, type);
    }
}
