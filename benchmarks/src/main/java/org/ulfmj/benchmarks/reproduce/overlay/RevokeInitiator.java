package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.Locale;
import org.ulfmj.benchmarks.reproduce.Darter;
import org.ulfmj.benchmarks.reproduce.Experiment;
import org.ulfmj.benchmarks.reproduce.Figures;
import org.ulfmj.benchmarks.reproduce.Findings;
import org.ulfmj.benchmarks.reproduce.LogP;
import org.ulfmj.benchmarks.reproduce.Row;
import org.ulfmj.benchmarks.reproduce.Setting;
import org.ulfmj.sim.SeededRandom;

/** Whether the time of a revocation depends on the rank that revokes. */
public final class RevokeInitiator implements Experiment {
    private static final int INITIATORS = 64;
    private static final double TOLERANCE = 1.02;

    @Override
    public String name() {
        return "revoke-initiator";
    }

    @Override
    public String title() {
        return "a revocation takes as long from any rank that begins it";
    }

    @Override
    public void run(Setting setting, Findings findings) {
        LogP costs = Darter.costs();
        int ranks = setting.size(6_000, 600);
        SeededRandom random = setting.random("initiators");
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (int i = 0; i < INITIATORS; i++) {
            double ns = RevokeWave.begunBy(random.below(ranks), ranks, new ShippedRevocation(ranks), costs)
                    .lastNs();
            least = Math.min(least, ns);
            most = Math.max(most, ns);
        }
        findings.add(Row.result(
                Figures.count(ranks) + " ranks, " + INITIATORS + " sampled initiators",
                "no visible difference",
                "slowest / fastest ≤ " + TOLERANCE,
                Figures.micros(least) + " to " + Figures.micros(most)
                        + String.format(Locale.ROOT, ", ratio %.3f", most / least),
                most / least <= TOLERANCE));
        findings.note(costs.toString());
    }
}
