package mpi;

import org.ulfmj.runtime.Fault;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;

/** What this package keeps for one rank. Thread-safe. */
final class Rank {
    private final RankRuntime runtime;
    private final CommState world;
    private final CommState self;
    private final StagingPool staging = new StagingPool();
    /** The thread that called Init; null before. */
    private volatile Thread mainThread;

    private volatile boolean finalized;

    Rank(RankBinding binding) {
        this.runtime = binding.runtime();
        Errhandler initial = initialErrorHandler(binding.initialErrorHandler(), runtime.hasFaultTolerance());
        this.world = new CommState(this, runtime.world(), initial, "MPI_COMM_WORLD");
        this.self = new CommState(this, runtime.self(), initial, "MPI_COMM_SELF");
    }

    /** The standard's default is to end the job; with fault tolerance a program that did not choose gets exceptions. */
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

    CommState world() {
        return world;
    }

    CommState self() {
        return self;
    }

    StagingPool staging() {
        return staging;
    }

    Thread mainThread() {
        return mainThread;
    }

    /** Init was called by the current thread. */
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

    /** Every call that communicates, or might, begins here. */
    void enter(String operation) {
        checkNotFinalized(operation);
        try {
            runtime.enterCall(operation);
        } catch (Fault over) {
            throw Exceptions.thrown(over);
        }
    }
}
