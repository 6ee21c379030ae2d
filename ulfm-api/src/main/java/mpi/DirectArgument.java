package mpi;

import java.nio.Buffer;

/**
 * Checks a buffer argument of a non-blocking collective. The checks are those of {@link Argument}, but a buffer of a
 * kind that holds no items of the type, or a read-only one that the call writes, raises
 * {@link IllegalArgumentException}, as in {@link NonBlocking}.
 *
 * <p>Each result has a view of the buffer of its own, and its own arrays of counts and displacements: the program may
 * move the position and limit of its buffer, and use its arrays again, while the operation is under way.
 */
final class DirectArgument {
    private DirectArgument() {}

    /** Checks that a buffer is of a kind that holds the items. Returns a view of the whole buffer. */
    static Buffer usable(
            CommState comm, String operation, String name, Buffer buffer, String countName, int count, Datatype type) {
        NonBlocking.usable(comm, operation, name, buffer, countName, count, type);
        return view(buffer);
    }

    /** Checks a buffer of one part that the call reads. Returns a view of the whole buffer. */
    static Buffer read(
            CommState comm, String operation, String name, Buffer buffer, String countName, int count, Datatype type) {
        NonBlocking.usable(comm, operation, name, buffer, countName, count, type);
        Arguments.outgoing(comm, operation, name, buffer, countName, count, type);
        return view(buffer);
    }

    /** Checks a buffer of one part that the call writes. Returns a view of the whole buffer. */
    static Buffer written(
            CommState comm, String operation, String name, Buffer buffer, String countName, int count, Datatype type) {
        Buffer view = read(comm, operation, name, buffer, countName, count, type);
        NonBlocking.writable(operation, name, buffer, count);
        return view;
    }

    /** As {@link Argument#outgoing}. */
    static Argument outgoing(
            CommState comm, String operation, String name, Buffer buffer, String countName, int count, Datatype type) {
        Buffer view = read(comm, operation, name, buffer, countName, count, type);
        return new Argument(name, view, countName, Layout.equal(1, count), type);
    }

    /** As {@link Argument#incoming}. */
    static Argument incoming(
            CommState comm, String operation, String name, Buffer buffer, String countName, int count, Datatype type) {
        Buffer view = written(comm, operation, name, buffer, countName, count, type);
        return new Argument(name, view, countName, Layout.equal(1, count), type);
    }

    /** As {@link Argument#outgoingEach}. */
    static Argument outgoingEach(
            CommState comm, String operation, String name, Buffer buffer, String countName, int count, Datatype type) {
        NonBlocking.usable(comm, operation, name, buffer, countName, count, type);
        return Argument.outgoingEach(comm, operation, name, view(buffer), countName, count, type);
    }

    /** As {@link Argument#incomingEach}. */
    static Argument incomingEach(
            CommState comm, String operation, String name, Buffer buffer, String countName, int count, Datatype type) {
        Argument checked = outgoingEach(comm, operation, name, buffer, countName, count, type);
        NonBlocking.writable(operation, name, buffer, count);
        return checked;
    }

    /** As {@link Argument#outgoingBlocks}. */
    static Argument outgoingBlocks(
            CommState comm, String operation, String name, Buffer buffer, String countName, int count, Datatype type) {
        NonBlocking.usable(comm, operation, name, buffer, countName, count, type);
        return Argument.outgoingBlocks(comm, operation, name, view(buffer), countName, count, type);
    }

    /** As {@link Argument#outgoingParts}. */
    static Argument outgoingParts(
            CommState comm,
            String operation,
            String name,
            Buffer buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Datatype type) {
        NonBlocking.usable(
                comm,
                operation,
                name,
                buffer,
                "the sum of " + countName,
                CallForm.most(counts, comm.communicator().peers()),
                type);
        return Argument.outgoingParts(
                comm,
                operation,
                name,
                view(buffer),
                countName,
                CallForm.STARTED.kept(counts),
                displsName,
                CallForm.STARTED.kept(displs),
                type);
    }

    /** As {@link Argument#incomingParts}. */
    static Argument incomingParts(
            CommState comm,
            String operation,
            String name,
            Buffer buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Datatype type) {
        Argument checked = outgoingParts(comm, operation, name, buffer, countName, counts, displsName, displs, type);
        NonBlocking.writable(
                operation,
                name,
                buffer,
                CallForm.most(counts, comm.communicator().peers()));
        return checked;
    }

    /** As {@link Argument#outgoingPacked}. */
    static Argument outgoingPacked(
            CommState comm,
            String operation,
            String name,
            Buffer buffer,
            String countName,
            int[] counts,
            Datatype type) {
        NonBlocking.usable(
                comm,
                operation,
                name,
                buffer,
                "the sum of " + countName,
                CallForm.most(counts, comm.communicator().size()),
                type);
        return Argument.outgoingPacked(
                comm, operation, name, view(buffer), countName, CallForm.STARTED.kept(counts), type);
    }

    /** As {@link MixedParts#outgoing}. */
    static MixedParts outgoingMixed(
            CommState comm,
            String operation,
            String name,
            Buffer buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            String typesName,
            Datatype[] types) {
        for (int rank = 0; rank < comm.communicator().peers(); rank++) {
            if (counts != null && rank < counts.length && types != null && rank < types.length) {
                String count = countName + "[" + rank + "]";
                NonBlocking.usable(comm, operation, name, buffer, count, counts[rank], types[rank]);
            }
        }
        Datatype[] kept = types == null ? null : types.clone();
        return MixedParts.outgoing(
                comm,
                operation,
                name,
                view(buffer),
                countName,
                CallForm.STARTED.kept(counts),
                displsName,
                CallForm.STARTED.kept(displs),
                typesName,
                kept);
    }

    /** As {@link MixedParts#incoming}. */
    static MixedParts incomingMixed(
            CommState comm,
            String operation,
            String name,
            Buffer buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            String typesName,
            Datatype[] types) {
        MixedParts checked =
                outgoingMixed(comm, operation, name, buffer, countName, counts, displsName, displs, typesName, types);
        NonBlocking.writable(
                operation,
                name,
                buffer,
                CallForm.most(counts, comm.communicator().peers()));
        return checked;
    }

    private static Buffer view(Buffer buffer) {
        return buffer == null ? null : buffer.duplicate().clear();
    }
}
