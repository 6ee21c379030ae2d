package mpi;

import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * The state of a communicator object at one rank: the runtime's communicator, the error handler and the name.
 * Thread-safe.
 */
final class CommState {
    private final Rank rank;
    private final Communicator communicator;
    /** The virtual topology; null if the communicator has none. */
    private final Topology topology;

    private volatile Errhandler errhandler;
    private volatile String name;
    private volatile boolean freed;

    CommState(Rank rank, Communicator communicator, Errhandler errhandler, String name) {
        this(rank, communicator, null, errhandler, name);
    }

    private CommState(Rank rank, Communicator communicator, Topology topology, Errhandler errhandler, String name) {
        this.rank = rank;
        this.communicator = communicator;
        this.topology = topology;
        this.errhandler = errhandler;
        this.name = name;
    }

    Rank rank() {
        return rank;
    }

    Communicator communicator() {
        return communicator;
    }

    /** The virtual topology; null if the communicator has none. */
    Topology topology() {
        return topology;
    }

    /** A communicator made from this one: it takes over the error handler, and has no name and no topology. */
    CommState child(Communicator made) {
        return child(made, null);
    }

    /** As {@link #child(Communicator)}, with a topology. */
    CommState child(Communicator made, Topology newTopology) {
        return new CommState(rank, made, newTopology, errhandler, "");
    }

    Errhandler errhandler() {
        return errhandler;
    }

    void errhandler(Errhandler handler) {
        errhandler = handler;
    }

    String name() {
        return name;
    }

    void name(String newName) {
        name = cut(newName);
    }

    /** Returns as much of a name as is allowed, without half a character at its end. */
    static String cut(String newName) {
        int end = Math.min(newName.length(), MPI.MAX_OBJECT_NAME);
        boolean cutsCharacter = end < newName.length() && Character.isHighSurrogate(newName.charAt(end - 1));
        return newName.substring(0, cutsCharacter ? end - 1 : end);
    }

    boolean isFreed() {
        return freed;
    }

    void freedNow() {
        freed = true;
    }

    private String describe() {
        return name.isEmpty() || name.startsWith("MPI_COMM_")
                ? communicator.label()
                : communicator.label() + " \"" + name + "\"";
    }

    /** For example {@code COMM_WORLD, rank 1 of 4}. */
    @Override
    public String toString() {
        return describe() + ", rank " + communicator.rank() + " of " + communicator.size();
    }

    /** The error for a bad argument. {@code problem} says what was given and what is allowed. */
    CallError bad(ErrorClass error, String operation, String problem) {
        return new CallError(error, operation + " on " + describe() + ": " + problem);
    }
}
