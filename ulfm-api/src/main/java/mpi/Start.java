package mpi;

import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.RankSource;
import org.ulfmj.runtime.error.CallError;

/** How a rank begins and ends. */
final class Start {
    private Start() {}

    /**
     * Joins the job, and waits until the rank is a member of a world. The calling thread becomes the main thread. A
     * thread that was given a rank before, as in tests that run ranks as threads, does not join again; it may call this
     * too, once for each rank.
     */
    static void init(String operation) {
        RankRuntime runtime = begin(operation).runtime();
        // A rank that is not a member of a world yet waits here until it is. The wait is outside of the lock of begin,
        // because all ranks of this process share that lock.
        if (runtime.world() == null) {
            String refusal = runtime.awaitAdmission();
            if (refusal != null) {
                throw new MPIException(operation + ": " + refusal);
            }
        }
    }

    private static synchronized Rank begin(String operation) {
        RankBinding bound = RankBinding.current();
        if (bound == null) {
            RankBinding.bindProcess(join(operation));
        }
        Rank rank = Ranks.current(operation);
        if (rank.mainThread() != null) {
            throw new MPIException(
                    operation + ": MPI is already " + (rank.isFinalized() ? "finalized" : "initialized"));
        }
        rank.initialized();
        return rank;
    }

    private static RankBinding join(String operation) {
        try {
            return source().join();
        } catch (IllegalStateException failed) {
            MPIException exception = new MPIException(operation + ": " + failed.getMessage());
            exception.initCause(failed);
            throw exception;
        }
    }

    private static RankSource source() {
        try {
            return (RankSource)
                    Class.forName(RankSource.PROCESS).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException(
                    "this process cannot become a rank: " + RankSource.PROCESS + " cannot be made: " + missing,
                    missing);
        }
    }

    static void finish(Rank rank) {
        rank.enter("Finalize");
        CommAttributes.deleteAll(MPI.COMM_SELF, rank.self());
        try {
            rank.runtime().finish();
        } catch (CallError fault) {
            throw Exceptions.of(MPI.COMM_WORLD, rank.world(), fault);
        }
        rank.finalizedNow();
    }
}
