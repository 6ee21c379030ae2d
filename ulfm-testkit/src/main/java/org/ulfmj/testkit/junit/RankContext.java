package org.ulfmj.testkit.junit;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.RankBinding;

/** The one object that all ranks of a run get. The calling thread determines the rank that a call is for. */
final class RankContext implements SimulatedRank {
    private static final long RANK_STRIDE = 0x9E3779B97F4A7C15L;
    /** The weight of an incarnation in the seed of a process's random numbers: larger than any number of ranks. */
    private static final long INCARNATION_STRIDE = 1 << 20;

    private final long seed;
    private final Map<ProcessId, Random> randoms = new TreeMap<>();
    private final Map<ProcessId, Object> results = new TreeMap<>();

    RankContext(long seed) {
        this.seed = seed;
    }

    @Override
    public long seed() {
        return seed;
    }

    @Override
    public synchronized Random random() {
        return randoms.computeIfAbsent(
                process(),
                id -> new Random(seed + RANK_STRIDE * (id.slot() + 1 + (long) id.incarnation() * INCARNATION_STRIDE)));
    }

    @Override
    public synchronized void result(Object value) {
        results.put(process(), value);
    }

    /** Returns the results, by process, of all processes that gave one. */
    synchronized Map<ProcessId, Object> results() {
        return new TreeMap<>(results);
    }

    private static ProcessId process() {
        RankBinding binding = RankBinding.current();
        if (binding == null) {
            throw new IllegalStateException("thread \"" + Thread.currentThread().getName()
                    + "\" works for no rank; SimulatedRank is for the threads of ranks");
        }
        return binding.runtime().id();
    }
}
