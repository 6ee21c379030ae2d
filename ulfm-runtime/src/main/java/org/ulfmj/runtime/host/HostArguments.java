package org.ulfmj.runtime.host;

import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.runtime.reduction.VectorFold;
import org.ulfmj.transport.Payload;

/**
 * The arguments of a non-blocking collective operation that may go through shared memory. One object may be set again
 * for a later call when its operation is over.
 */
public final class HostArguments {
    /** The most bytes that a rank shows in a short operation. */
    static final int SHORT_BYTES = 4096;

    /**
     * The largest product of the number of ranks and {@link #bytes} for a short operation: at most so many bytes are
     * read by one rank, in one go under the engine lock.
     */
    private static final int LOCKED_BYTES = 64 * 1024;

    /**
     * An operation is worth waking the progress thread for if what this rank sends or receives in it is longer than
     * this.
     */
    private static final int WORTH_WAKING_BYTES = 512 * 1024;

    private String name;
    private int kind;
    private Payload send;
    private Payload receive;
    private int width;
    private Reduction reduction;
    private int root;
    /** The result of {@link #bytes}; -1 before it is asked for. */
    private long bytes;

    /**
     * Sets the arguments of a call.
     *
     * @param newName the name of the call as the program wrote it
     * @param newKind see {@link HostCall}
     * @param newSend what this rank contributes; null if it contributes nothing, or if its part of an {@code allGather}
     *     is in its place
     * @param newReceive what the result is written to; null if this rank gets none
     * @param newWidth the bytes of an element; used by reductions only, as {@code newReduction} is
     */
    public HostArguments set(
            String newName,
            int newKind,
            Payload newSend,
            Payload newReceive,
            int newWidth,
            Reduction newReduction,
            int newRoot) {
        if (name != newName) { // a store of a reference also marks memory for the collector
            name = newName;
        }
        if (send != newSend) {
            send = newSend;
        }
        if (receive != newReceive) {
            receive = newReceive;
        }
        if (reduction != newReduction) {
            reduction = newReduction;
        }
        kind = newKind;
        width = newWidth;
        root = newRoot;
        bytes = -1;
        return this;
    }

    public static HostArguments barrier(String name) {
        return new HostArguments().set(name, HostCall.BARRIER, null, null, 0, null, 0);
    }

    public static HostArguments broadcast(String name, Payload data, boolean isRoot, int root) {
        return new HostArguments().set(name, HostCall.BCAST, isRoot ? data : null, isRoot ? null : data, 0, null, root);
    }

    public static HostArguments reduce(
            String name, Payload send, Payload receive, int width, Reduction reduction, int root) {
        return new HostArguments().set(name, HostCall.REDUCE, send, receive, width, reduction, root);
    }

    public static HostArguments allReduce(String name, Payload send, Payload receive, int width, Reduction reduction) {
        return new HostArguments().set(name, HostCall.ALL_REDUCE, send, receive, width, reduction, 0);
    }

    /**
     * Makes the arguments of an allgather; returns null if the parts may be unequal: then the operation goes by
     * messages.
     */
    public static HostArguments allGather(String name, Payload send, Payload all) {
        return all == null ? null : new HostArguments().set(name, HostCall.ALL_GATHER, send, all, 0, null, 0);
    }

    /**
     * Makes the arguments of an all-to-all; returns null if the parts may be unequal: then the operation goes by
     * messages.
     */
    public static HostArguments allToAll(String name, Payload send, Payload receive) {
        return send == null ? null : new HostArguments().set(name, HostCall.ALL_TO_ALL, send, receive, 0, null, 0);
    }

    public String name() {
        return name;
    }

    int kind() {
        return kind;
    }

    Payload send() {
        return send;
    }

    Payload receive() {
        return receive;
    }

    int width() {
        return width;
    }

    Reduction reduction() {
        return reduction;
    }

    int root() {
        return root;
    }

    /**
     * Whether a non-blocking operation with this kind, operator and length cannot go through shared memory; the same at
     * all members.
     */
    boolean areUnfit(int ranks) {
        boolean isTooLong = bytes(ranks) > Integer.MAX_VALUE / 2 / ranks;
        return isTooLong || reduction != null && (reduction.isUserCode() || isUneven());
    }

    /**
     * Whether chunks of a vector would not have whole elements, or an element is longer than the room that the place
     * for results has beyond a block.
     */
    private boolean isUneven() {
        return VectorFold.CHUNK_BYTES % width != 0 || width > StagedWaves.ALIGNMENT;
    }

    /**
     * The bytes of one rank's part in an allgather or for one rank in an all-to-all, or of the whole data of another
     * operation; 0 for a barrier. The same at all members.
     *
     * @param ranks the number of ranks of the communicator
     */
    long bytes(int ranks) {
        if (bytes < 0) {
            bytes = count(ranks);
        }
        return bytes;
    }

    private long count(int ranks) {
        return switch (kind) {
            case HostCall.BARRIER -> 0;
            case HostCall.ALL_GATHER -> receive.lengthBytes() / ranks;
            case HostCall.ALL_TO_ALL -> send.lengthBytes() / ranks;
            default -> (send == null ? receive : send).lengthBytes();
        };
    }

    /** How many bytes, at most, a rank shows to the others in its segment; the same at all members. */
    long shownBytes(int ranks) {
        return kind == HostCall.ALL_TO_ALL ? ranks * bytes(ranks) : bytes(ranks);
    }

    /** Whether the operation is so short that it needs one wave of flags only. */
    boolean areShort(int ranks) {
        return shownBytes(ranks) <= SHORT_BYTES && ranks * bytes(ranks) <= LOCKED_BYTES;
    }

    /** Whether the operation is so long that the progress thread is to be woken for it. */
    public boolean isLong() {
        return send != null && send.lengthBytes() > WORTH_WAKING_BYTES
                || receive != null && receive.lengthBytes() > WORTH_WAKING_BYTES;
    }

    long call(int ranks) {
        return HostCall.of(kind, root, reduction == null ? 0 : reduction.code(), (int) bytes(ranks));
    }
}
