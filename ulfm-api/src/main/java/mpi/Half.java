package mpi;

/** The arguments of one half of a sendRecv. It belongs to a thread's {@link Spans}, and is set for each call. */
final class Half {
    Object buf;
    int count;
    Datatype type;
    int peer;
    int tag;

    Half set(Object newBuf, int newCount, Datatype newType, int newPeer, int newTag) {
        buf = newBuf;
        count = newCount;
        type = newType;
        peer = newPeer;
        tag = newTag;
        return this;
    }

    /** Lets go of the program's buffer. */
    void clear() {
        buf = null;
    }

    /**
     * Whether both halves, the send and the receive, use the same buffer object and move at least one item to or from a
     * rank.
     */
    boolean isOneBufferWith(Half other) {
        return buf != null && buf == other.buf && moves() && other.moves();
    }

    private boolean moves() {
        return peer != MPI.PROC_NULL && count > 0;
    }
}
