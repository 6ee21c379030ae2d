package mpi;

import java.util.LinkedHashMap;
import java.util.Map;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.hint.ErrorHints;

/**
 * The state of a communicator object at one rank: the runtime's communicator, the error handler, the name, the hints
 * and the attributes. Thread-safe.
 */
final class CommState {
    private final Rank rank;
    private final Communicator communicator;
    /** The virtual topology; null if the communicator has none. */
    private final Topology topology;

    private volatile Errhandler errhandler;
    private volatile String name;
    private volatile boolean freed;
    /**
     * The hints of this communicator: those it got when it was made (a duplicate has those of its original, or those
     * given to {@code dupWithInfo} instead), and those that {@link Comm#setInfo} added. The map is never changed, only
     * replaced.
     */
    private volatile Map<String, String> hints = Map.of();
    /** Null until the program calls {@code setAttr}, unless a duplicate or a rebound communicator took some over. */
    private volatile Attributes<Comm> attributes;
    /** Whether the communicator has the predefined attributes, as COMM_WORLD and its duplicates have. */
    private final boolean hasPredefined;

    CommState(Rank rank, Communicator communicator, Errhandler errhandler, String name, boolean hasPredefined) {
        this(rank, communicator, null, errhandler, name, hasPredefined);
    }

    private CommState(
            Rank rank,
            Communicator communicator,
            Topology topology,
            Errhandler errhandler,
            String name,
            boolean hasPredefined) {
        this.rank = rank;
        this.communicator = communicator;
        this.topology = topology;
        this.errhandler = errhandler;
        this.name = name;
        this.hasPredefined = hasPredefined;
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

    /**
     * The state of a new communicator that is made from this one: it has this one's error handler, and no name and no
     * topology.
     */
    CommState child(Communicator made) {
        return child(made, null);
    }

    /** As {@link #child(Communicator)}, with a topology. */
    CommState child(Communicator made, Topology newTopology) {
        return new CommState(rank, made, newTopology, errhandler, "", false);
    }

    /**
     * The state of a duplicate of this communicator: it has this one's error handler and topology, the given attributes
     * and hints, and no name.
     */
    CommState duplicate(Communicator made, Attributes<Comm> newAttributes, Map<String, String> newHints) {
        CommState duplicate = new CommState(rank, made, topology, errhandler, "", hasPredefined);
        duplicate.attributes = newAttributes;
        duplicate.hints = newHints;
        return duplicate;
    }

    /**
     * The state of the same communicator object after a replacement, when it stands for another communicator. Used for
     * COMM_WORLD and COMM_SELF.
     */
    CommState rebound(Communicator present) {
        // The hints about errors must be equal at all members, and replacement processes have not set them: they are
        // dropped.
        Map<String, String> kept = new LinkedHashMap<>(hints);
        kept.remove(ErrorHints.RANGE);
        kept.remove(ErrorHints.UNIFORM);
        CommState rebound = duplicate(present, attributes, kept);
        rebound.name = name;
        return rebound;
    }

    Map<String, String> hints() {
        return hints;
    }

    /** Adds hints; a key that has a value gets the new one. */
    synchronized void addHints(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(hints);
        all.putAll(more);
        hints = all;
    }

    boolean hasPredefined() {
        return hasPredefined;
    }

    Attributes<Comm> attributesOrNull() {
        return attributes;
    }

    synchronized Attributes<Comm> attributes() {
        if (attributes == null) {
            attributes = new Attributes<>();
        }
        return attributes;
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

    /** Returns the first characters of a name, as many as are allowed, without half a surrogate pair at the end. */
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
        String own = describe() + ", rank " + communicator.rank() + " of " + communicator.size();
        return communicator.isInter() ? own + ", with " + communicator.peers() + " remote ranks" : own;
    }

    /** The error for a bad argument. {@code problem} says what was given and what is allowed. */
    CallError bad(ErrorClass error, String operation, String problem) {
        return new CallError(error, operation + " on " + describe() + ": " + problem);
    }
}
