package org.ulfmj.testkit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;

/** A rank of a running world, with the faults that its program can cause. For the worlds of this library only. */
public interface RunningRank {
    /** All processes of running worlds whose ranks have begun, also those that have ended, by their runtime. */
    Map<RankRuntime, RunningRank> RUNNING = new ConcurrentHashMap<>();

    /** Returns the rank that the calling thread works for. Throws if it works for none of a running world. */
    static RunningRank current() {
        RankBinding binding = RankBinding.current();
        RunningRank rank = binding == null ? null : RUNNING.get(binding.runtime());
        if (rank == null) {
            throw new IllegalStateException("thread \"" + Thread.currentThread().getName()
                    + "\" works for no rank of a running world; faults are made by the program's own threads");
        }
        return rank;
    }

    /** Kills this rank. Does not return. */
    void die();

    /** Kills a rank, which may be this one. */
    void kill(int rank);

    /** Ends a rank, which may be this one, as SIGTERM would. Returns at once. Throws in simulated time. */
    default void preempt(int rank) {
        throw new UnsupportedOperationException("no rank is preempted in this world");
    }

    /** Ends the launcher: it starts no process any more, and the ranks are told so. */
    void endLauncher();

    /** Declares another rank failed, in the name of this rank; the other rank may be alive. */
    void suspect(int rank);
}
