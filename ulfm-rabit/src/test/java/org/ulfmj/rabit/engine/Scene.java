package org.ulfmj.rabit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A small program and the most deaths of its ranks, drawn from a seed.
 *
 * @param bootstrap operations before the checkpoint is loaded: −1 an allreduce, else a broadcast from that rank
 * @param versions the operations of each version, written in the same way
 * @param copies of each result that ranks keep until the checkpoint
 * @param barrierBytes how many bytes of results, of 8 bytes each, make a barrier due
 * @param strict every execution of an operation gives a different value, so a mixture of two is seen
 */
record Scene(
        long seed,
        int ranks,
        int kills,
        List<Integer> bootstrap,
        List<List<Integer>> versions,
        int copies,
        long barrierBytes,
        boolean usesLocals,
        boolean strict) {
    static Scene draw(long seed) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        int ranks = 2 + random.nextInt(4);
        List<List<Integer>> versions = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int version = 0; version < count; version++) {
            versions.add(drawOperations(random, ranks, 1 + random.nextInt(4)));
        }
        return new Scene(
                seed,
                ranks,
                1 + random.nextInt(3),
                drawOperations(random, ranks, random.nextInt(3)),
                versions,
                1 + random.nextInt(ranks),
                random.nextInt(4) == 0 ? 8 : 1000,
                random.nextInt(4) == 0,
                random.nextBoolean());
    }

    private static List<Integer> drawOperations(Random random, int ranks, int count) {
        List<Integer> operations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            operations.add(random.nextBoolean() ? -1 : random.nextInt(ranks));
        }
        return operations;
    }

    /** Returns the least number of ranks that keep each result. */
    int keepers() {
        return ranks / Math.max(ranks / copies, 1);
    }

    int localCopies() {
        return 1;
    }
}
