package org.ulfmj.testkit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;

/** A rank of a running world, as the faults see it that its own program makes. For the worlds of this library only. */
public interface RunningRank {
    /** All ranks of running worlds. */
    Map<RankRuntime, RunningRank> RUNNING = new ConcurrentHashMap<>();

    /** The rank that the calling thread works for. */
    static RunningRank current() {
        RankBinding binding = RankBinding.current();
        RunningRank rank = binding == null ? null : RUNNING.get(binding.runtime());
        if (rank == null) {
            throw new IllegalStateException("thread \"" + Thread.currentThread().getName()
                    + "\" works for no rank of a running world; faults are made by the program's own threads");
        }
        return rank;
    }

    /** This rank is dead from now on; does not return. */
    void die();

    /** Another rank, or this one, is dead from now on. */
    void kill(int rank);

    /** No rank starts processes or tells of deaths any more. */
    void endLauncher();

    /** This rank declares another one failed, which may live. */
    void suspect(int rank);
}
