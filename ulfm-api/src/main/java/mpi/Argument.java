package mpi;

/**
 * A buffer argument of a collective with its parts: one for each rank, or a single one. An object is made only after
 * the argument was checked. On an inter-communicator the parts are those of the ranks of the other group, but for a
 * reduction that is scattered: there they are those of the own group.
 *
 * @param name of the buffer, for messages
 * @param countName of its count or counts, for messages
 */
record Argument(String name, Object buffer, String countName, Layout layout, Datatype type) {
    /** Checks a buffer of one part that the call reads. */
    static Argument outgoing(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        Arguments.outgoing(comm, operation, name, buffer, countName, count, type);
        return new Argument(name, buffer, countName, Layout.equal(1, count), type);
    }

    /** Checks a buffer of one part that the call writes. */
    static Argument incoming(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        Arguments.incoming(comm, operation, name, buffer, countName, count, type);
        return new Argument(name, buffer, countName, Layout.equal(1, count), type);
    }

    /** Checks a buffer that the call reads, with {@code count} items for each rank. */
    static Argument outgoingEach(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        return each(
                comm,
                operation,
                name,
                buffer,
                countName,
                count,
                type,
                comm.communicator().peers());
    }

    /** Checks a contribution to a reduction that is scattered: {@code count} items for each rank. */
    static Argument outgoingBlocks(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        return each(
                comm,
                operation,
                name,
                buffer,
                countName,
                count,
                type,
                comm.communicator().size());
    }

    private static Argument each(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int count,
            Datatype type,
            int parts) {
        Arguments.type(comm, operation, name, type);
        Arguments.count(comm, operation, countName, count);
        Layout layout = Layout.equal(parts, count);
        if (!Arguments.holds(buffer, layout.total(), type)) {
            String needed = countName + " times the number of ranks";
            throw Arguments.unfit(comm, operation, name, buffer, needed, layout.total(), type);
        }
        return new Argument(name, buffer, countName, layout, type);
    }

    /** Checks a buffer that the call writes, with {@code count} items for each rank. */
    static Argument incomingEach(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        Argument checked = outgoingEach(comm, operation, name, buffer, countName, count, type);
        Arguments.writable(comm, operation, name, buffer, count);
        return checked;
    }

    /** Checks a buffer that the call reads, with a part for each rank at a displacement. */
    static Argument outgoingParts(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Datatype type) {
        Arguments.type(comm, operation, name, type);
        int parts = comm.communicator().peers();
        Arguments.counts(comm, operation, countName, counts, parts);
        Layout layout = Layout.at(parts, counts, Arguments.displacements(comm, operation, displsName, displs, parts));
        long total = layout.total();
        if (total > 0) {
            Arguments.someOf(comm, operation, name, buffer, "the sum of " + countName, total, type);
            Arguments.parts(comm, operation, name, buffer, type, countName, displsName, layout);
        }
        return new Argument(name, buffer, countName, layout, type);
    }

    /** Checks a buffer that the call writes, with a part for each rank at a displacement. */
    static Argument incomingParts(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Datatype type) {
        Argument checked = outgoingParts(comm, operation, name, buffer, countName, counts, displsName, displs, type);
        Arguments.disjoint(comm, operation, name, type, countName, displsName, checked.layout);
        Arguments.writable(comm, operation, name, buffer, (int) Math.min(checked.layout.total(), 1));
        return checked;
    }

    /** Checks a buffer that the call reads, with a part for each rank, one after the other without gaps. */
    static Argument outgoingPacked(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            Datatype type) {
        Arguments.type(comm, operation, name, type);
        int size = comm.communicator().size();
        Arguments.counts(comm, operation, countName, counts, size);
        long total = Layout.at(size, counts, counts).total();
        Arguments.packedBytes(comm, operation, countName, total, type);
        if (!Arguments.holds(buffer, total, type)) {
            throw Arguments.unfit(comm, operation, name, buffer, "the sum of " + countName, total, type);
        }
        return new Argument(name, buffer, countName, Layout.packed(size, counts), type);
    }
}
