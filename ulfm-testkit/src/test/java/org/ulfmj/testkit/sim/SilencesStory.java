package org.ulfmj.testkit.sim;

import java.util.List;
import org.ulfmj.testkit.RankEnd;

/**
 * Runs a recovery loop in worlds in which a rank falls silent for good, or two ranks do not hear each other any more:
 * at most one process, one of those affected, may be ended for it, and the others go on. Public, since the worlds of
 * mutants call it.
 */
public final class SilencesStory {
    private SilencesStory() {}

    /**
     * Runs this program for the seeds from {@code first} to {@code last}, and stops soon after ten have failed. Returns
     * what went wrong with the lowest seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        try {
            search(first, last, 1, ranks, faults).requireSuccess();
            return "";
        } catch (AssertionError wrong) {
            return wrong.getMessage();
        }
    }

    static Seeds search(long first, long last, int threads, int ranks, String faults) {
        RecoveryLoop[] loops = new RecoveryLoop[(int) (last - first) + 1];
        return SimWorld.of(ranks)
                .faults(faults)
                .runSeeds(
                        first,
                        last,
                        threads,
                        seed -> {
                            loops[(int) (seed - first)] = new RecoveryLoop(ranks);
                            return loops[(int) (seed - first)]::main;
                        },
                        result -> {
                            requireOneEndAtMost(result);
                            loops[(int) (result.seed() - first)].check(result);
                        });
    }

    /**
     * Requires that at most one rank was ended for silence: the muted rank, or one of the two ranks that did not hear
     * each other. All other processes must have finalized, or not have been admitted.
     */
    static void requireOneEndAtMost(SimResult result) {
        List<Integer> silenced = result.ends().ranks(RankEnd.SILENCED);
        if (silenced.size() > 1) {
            throw new AssertionError("more than one ended for one silence: " + result);
        }
        for (int rank : silenced) {
            if (result.faults().stream().noneMatch(fault -> names(fault, rank))) {
                throw new AssertionError("rank " + rank + " had nothing to do with the silence: " + result);
            }
        }
        for (ProcessResult process : result.processes()) {
            RankEnd end = process.outcome().end();
            if (end != RankEnd.FINALIZED && end != RankEnd.SILENCED && end != RankEnd.NOT_ADMITTED) {
                throw new AssertionError("rank " + process.id() + " ended otherwise: " + result);
            }
        }
    }

    private static boolean names(String fault, int rank) {
        return fault.matches(".*(rank|to)=" + rank + "[:@,].*");
    }
}
