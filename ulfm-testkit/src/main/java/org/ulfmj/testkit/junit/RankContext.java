package org.ulfmj.testkit.junit;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.ulfmj.runtime.RankBinding;

/** The one object that all ranks of a run get; whose call it is, the calling thread says. */
final class RankContext implements SimulatedRank {
    private static final long RANK_STRIDE = 0x9E3779B97F4A7C15L;

    private final long seed;
    private final Map<Integer, Random> randoms = new TreeMap<>();
    private final Map<Integer, Object> results = new TreeMap<>();

    RankContext(long seed) {
        this.seed = seed;
    }

    @Override
    public long seed() {
        return seed;
    }

    @Override
    public synchronized Random random() {
        return randoms.computeIfAbsent(slot(), slot -> new Random(seed + RANK_STRIDE * (slot + 1)));
    }

    @Override
    public synchronized void result(Object value) {
        results.put(slot(), value);
    }

    /** By rank, ascending. */
    synchronized Map<Integer, Object> results() {
        return new TreeMap<>(results);
    }

    private static int slot() {
        RankBinding binding = RankBinding.current();
        if (binding == null) {
            throw new IllegalStateException("thread \"" + Thread.currentThread().getName()
                    + "\" works for no rank; SimulatedRank is for the threads of ranks");
        }
        return binding.runtime().id().slot();
    }
}
