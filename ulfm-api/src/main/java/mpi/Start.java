package mpi;

import java.util.Iterator;
import java.util.ServiceLoader;
import org.ulfmj.runtime.Fault;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankSource;

/** How a rank begins and ends. */
final class Start {
    private Start() {}

    /**
     * Joins the job; the calling thread is the main one. A thread whose rank was made for it, as in tests that run ranks as
     * threads, has its rank already and may still call this once, as the program would in a process.
     */
    static synchronized void init(String operation) {
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
    }

    private static RankBinding join(String operation) {
        Iterator<RankSource> sources = ServiceLoader.load(RankSource.class, RankSource.class.getClassLoader())
                .iterator();
        if (!sources.hasNext()) {
            throw new MPIException(operation + ": no " + RankSource.class.getName() + " is on the class path");
        }
        try {
            return sources.next().join();
        } catch (IllegalStateException failed) {
            MPIException exception = new MPIException(operation + ": " + failed.getMessage());
            exception.initCause(failed);
            throw exception;
        }
    }

    static void finish(Rank rank) {
        rank.enter("Finalize");
        try {
            rank.runtime().finish();
        } catch (Fault fault) {
            throw Exceptions.of(MPI.COMM_WORLD, rank.world(), fault);
        }
        rank.finalizedNow();
    }
}
