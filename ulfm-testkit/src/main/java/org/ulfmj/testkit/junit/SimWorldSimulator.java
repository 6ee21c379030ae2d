package org.ulfmj.testkit.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankMain;
import org.ulfmj.testkit.RankOutcome;
import org.ulfmj.testkit.sim.ProcessResult;
import org.ulfmj.testkit.sim.SimFailure;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/** Runs programs in a {@link SimWorld}. */
final class SimWorldSimulator implements Simulator {
    /**
     * Matches the lines that give a rank and its last calls: the failure text shows those calls elsewhere, with the
     * rank.
     */
    private static final Pattern LAST_CALLS = Pattern.compile("  rank \\d+('\\d+)?, \\d+ calls, the last: .*");

    private final int restarts;

    /** @param restarts how often each rank may be started again */
    SimWorldSimulator(int restarts) {
        this.restarts = restarts;
    }

    @Override
    public SimulatedRun run(int ranks, long seed, String faults, RankMain main) {
        return judged(result(world(ranks, seed, faults), main));
    }

    @Override
    public String difference(int ranks, long seed, String faults, Supplier<RankMain> mains) {
        return world(ranks, seed, faults).difference(mains);
    }

    private SimWorld world(int ranks, long seed, String faults) {
        return SimWorld.of(ranks).restarting(restarts).seed(seed).faults(faults);
    }

    private static SimResult result(SimWorld world, RankMain main) {
        try {
            return world.run(main);
        } catch (SimFailure hang) {
            return hang.result();
        }
    }

    private static SimulatedRun judged(SimResult result) {
        boolean hangs = result.hang().isPresent();
        List<SimulatedRun.OneProcess> processes = new ArrayList<>();
        for (ProcessResult process : result.processes()) {
            RankOutcome outcome = process.outcome();
            processes.add(new SimulatedRun.OneProcess(
                    process.id(), hangs && outcome.end() == RankEnd.ABORTED ? null : outcome, process.lastCalls()));
        }
        return new SimulatedRun(
                result.faults(),
                processes,
                result.ends().isAborted() ? result.ends().abortCode() : null,
                result.isCutShort() ? SimulatedRun.CUT_SHORT : Long.toHexString(result.logHash()),
                result.hang().map(SimWorldSimulator::withoutLastCalls).orElse(null),
                result.mayFence());
    }

    private static String withoutLastCalls(String hang) {
        StringBuilder text = new StringBuilder();
        hang.lines().filter(line -> !LAST_CALLS.matcher(line).matches()).forEach(line -> text.append(line)
                .append('\n'));
        return text.toString();
    }
}
