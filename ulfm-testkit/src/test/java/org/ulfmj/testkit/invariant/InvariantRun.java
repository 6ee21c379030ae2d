package org.ulfmj.testkit.invariant;

import java.util.List;
import java.util.SplittableRandom;
import org.ulfmj.testkit.RankMain;
import org.ulfmj.testkit.sim.SimFailure;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/** Runs the random programs under all invariants. Public, so that it can be called in the classes of a mutant. */
public final class InvariantRun {
    private static final int SMALL_MESSAGE_BYTES = 1024;
    private static final int CREDIT_BYTES = 16 * 1024;

    private InvariantRun() {}

    static List<ProgramInvariant> all() {
        return List.of(
                new NoCallBlocksOnTheDead(),
                new EveryRankEnds(),
                new CompletedRequestsNeverChange(),
                new FullyReceivedIsDelivered(),
                new HeldUpReceivesGoOn(),
                new WildcardsWaitForAcknowledgement(),
                new StatusesDescribeTheMessage(),
                new NoErrorWithoutADeadMember(),
                new MessagesArriveInOrder(),
                new ResultsThatReturnAreRight(),
                new PendingIsSaidOfRequestsOnly(),
                new CreatedByAllOrByNone(),
                new WhatIsMadeInsideIsRevokedToo(),
                new RevokedCommunicatorsStayRevoked());
    }

    /**
     * Runs {@code seeds} seeds from {@code firstSeed} on, until one violates an invariant.
     *
     * @param wanted only violations of the invariant with this name count; empty for all
     * @return the seed and its violation; empty if no seed has one
     */
    public static String search(String wanted, Long firstSeed, Long seeds) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            for (String violation : violations(seed)) {
                if (violation.startsWith(wanted)) {
                    return "seed " + seed + ": " + violation;
                }
            }
        }
        return "";
    }

    static List<String> violations(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int ranks = 2 + random.nextInt(5);
        Watch watch = new Watch(all());
        RankMain program = program(seed, random.nextInt(8), watch);
        SimWorld world = SimWorld.of(ranks)
                .seed(seed)
                .settings(settings -> settings.withEager(SMALL_MESSAGE_BYTES, CREDIT_BYTES));
        if (random.nextInt(3) == 0) {
            world.faults("random(" + (ranks - 1) + ")");
        }
        int deaths = random.nextInt(ranks);
        for (int i = 0; i < deaths; i++) {
            world.killing(1 + random.nextInt(ranks - 1), "*", 1 + random.nextInt(1 << 4 + random.nextInt(6)));
        }
        SimResult result;
        try {
            result = world.run(program);
        } catch (SimFailure hang) {
            result = hang.result();
        }
        return watch.atEnd(result);
    }

    private static RankMain program(long seed, int kind, Watch watch) {
        if (kind < 2) {
            return () -> new ChainInDuplicates(watch).run();
        }
        return () -> new RandomProgram(seed, kind < 5, watch).run();
    }
}
