package mpi;

import java.util.Map;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.error.CallError;

/** What this package keeps for one rank. Thread-safe. */
final class Rank {
    private final RankRuntime runtime;
    /** The state of COMM_WORLD when it was last asked for. */
    private volatile CommState world;

    /**
     * The state of COMM_SELF when it was last asked for. Where ranks are threads, a newcomer may ask for it before it
     * is a member; then the state has no communicator (null) yet, and is replaced by one that has, with the same error
     * handler and attributes, when it is next asked for.
     */
    private volatile CommState self;

    private final StagingPool staging = new StagingPool();
    private final PackedCopies packedCopies = new PackedCopies(this);
    /** The thread that called Init; null before. */
    private volatile Thread mainThread;

    private volatile boolean finalized;
    /**
     * Whether this process came into a running world, as a replacement or by {@code grow}, and has not called
     * {@link Resilient#run} yet with a policy that lets processes in.
     */
    private boolean isNew;

    // These three are made when they are first needed: most programs need none of them.
    private Keyvals keyvals;
    private TypeAttributes typeAttributes;
    private Map<String, String> environment;

    /** The buffer that was last attached for buffered sends, also after it was detached. */
    private volatile byte[] attachedBuffer;

    /** Null before the first use. */
    private Store store;

    Rank(RankBinding binding) {
        this.runtime = binding.runtime();
        this.isNew = runtime.id().incarnation() > 0 || runtime.isLetIn();
        Errhandler initial = initialErrorHandler(binding.initialErrorHandler(), runtime.hasFaultTolerance());
        this.world = new CommState(this, runtime.world(), initial, "MPI_COMM_WORLD", true);
        this.self = new CommState(this, runtime.self(), initial, "MPI_COMM_SELF", false);
    }

    /**
     * The error handler that COMM_WORLD and COMM_SELF begin with: the one that {@code option} names; without an option
     * {@link MPI#ERRORS_RETURN} with fault tolerance, else {@link MPI#ERRORS_ARE_FATAL}, which is the standard's
     * default.
     */
    static Errhandler initialErrorHandler(String option, boolean faultTolerance) {
        if (option == null) {
            return faultTolerance ? MPI.ERRORS_RETURN : MPI.ERRORS_ARE_FATAL;
        }
        return switch (option) {
            case "mpi_errors_return" -> MPI.ERRORS_RETURN;
            case "mpi_errors_abort" -> MPI.ERRORS_ABORT;
            case "mpi_errors_are_fatal" -> MPI.ERRORS_ARE_FATAL;
            default ->
                throw new MPIException("ulfm.initial.errhandler is " + option
                        + "; allowed: mpi_errors_return, mpi_errors_abort, mpi_errors_are_fatal");
        };
    }

    RankRuntime runtime() {
        return runtime;
    }

    /**
     * Returns the state that COMM_WORLD stands for. When the runtime has another world, after {@code replace} or
     * {@code grow}, the state has that communicator, with the old one's name, error handler, attributes and hints,
     * except for the hints about errors.
     */
    CommState world() {
        CommState known = world;
        return known.communicator() == runtime.world() ? known : rebind();
    }

    private synchronized CommState rebind() {
        if (world.communicator() != runtime.world()) {
            world = world.rebound(runtime.world());
        }
        return world;
    }

    /**
     * Whether this process came into a running world, as a replacement or by {@code grow}. Clears the mark, so only the
     * first call can return true.
     */
    synchronized boolean takeNewness() {
        boolean was = isNew;
        isNew = false;
        return was;
    }

    CommState self() {
        if (self.communicator() != runtime.self()) {
            self = self.rebound(runtime.self());
        }
        return self;
    }

    /** Memory for messages of types with gaps. */
    PackedCopies packedCopies() {
        return packedCopies;
    }

    StagingPool staging() {
        return staging;
    }

    /** The store of the job. */
    synchronized Store store() {
        if (store == null) {
            store = new Store(this);
        }
        return store;
    }

    void attachBuffer(byte[] buffer) {
        try {
            runtime.attachBuffer(buffer.length);
        } catch (CallError fault) {
            throw Exceptions.of(MPI.COMM_SELF, self(), fault);
        }
        attachedBuffer = buffer;
    }

    byte[] detachBuffer() {
        try {
            runtime.detachBuffer();
        } catch (CallError fault) {
            throw Exceptions.of(MPI.COMM_SELF, self(), fault);
        }
        return attachedBuffer;
    }

    /** The attribute keys that the program made. */
    synchronized Keyvals keyvals() {
        if (keyvals == null) {
            keyvals = new Keyvals();
        }
        return keyvals;
    }

    synchronized TypeAttributes typeAttributes() {
        if (typeAttributes == null) {
            typeAttributes = new TypeAttributes();
        }
        return typeAttributes;
    }

    /** The entries of {@link MPI#INFO_ENV} for the threads of this rank. */
    synchronized Map<String, String> environment() {
        if (environment == null) {
            environment = Environment.of(this);
        }
        return environment;
    }

    Thread mainThread() {
        return mainThread;
    }

    /**
     * Whether this rank is a member of a world. A process that takes a dead one's place, or waits to be let in, is a
     * member of none until it is admitted, in Init.
     */
    boolean isAdmitted() {
        return runtime.world() != null;
    }

    /** Notes that the current thread has called Init. */
    void initialized() {
        mainThread = Thread.currentThread();
    }

    boolean isFinalized() {
        return finalized;
    }

    void finalizedNow() {
        finalized = true;
    }

    void checkNotFinalized(String operation) {
        if (finalized) {
            throw new MPIException(operation + ": MPI is finalized");
        }
    }

    void checkAdmitted(String operation) {
        if (!isAdmitted()) {
            throw new MPIException(operation + ": process " + runtime.id()
                    + " takes a failed one's place and is in no world yet; call MPI.Init first");
        }
    }

    /** Checks at the start of a call that may communicate that this rank may make it; throws if not. */
    void enter(String operation) {
        checkNotFinalized(operation);
        checkAdmitted(operation);
        try {
            runtime.enterCall(operation);
        } catch (CallError over) {
            throw Exceptions.thrown(over);
        }
    }
}
