package mpi;

import org.ulfmj.runtime.RankBinding;

/** Finds the rank that the calling thread works for. */
final class Ranks {
    private Ranks() {}

    /** Returns the rank of the current thread; throws if it works for none. */
    static Rank current(String operation) {
        RankBinding binding = RankBinding.current();
        if (binding == null) {
            throw new MPIException(operation + ": call MPI.Init first: thread \""
                    + Thread.currentThread().getName()
                    + "\" works for no rank (where ranks are threads of one process, a pool gets its tasks through"
                    + " MPI.bindThread)");
        }
        return of(binding);
    }

    /** Returns the rank of the current thread; null if it works for none. */
    static Rank currentOrNull() {
        RankBinding binding = RankBinding.current();
        return binding == null ? null : of(binding);
    }

    private static Rank of(RankBinding binding) {
        Rank known = (Rank) binding.attachment();
        if (known != null) {
            return known;
        }
        binding.attach(new Rank(binding));
        return (Rank) binding.attachment();
    }
}
