package org.ulfmj.benchmarks.reproduce.command;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.benchmarks.reproduce.AgreementAfterFailures;
import org.ulfmj.benchmarks.reproduce.AgreementLatency;
import org.ulfmj.benchmarks.reproduce.Experiment;
import org.ulfmj.benchmarks.reproduce.ShrinkCost;
import org.ulfmj.benchmarks.reproduce.TreesOfNodes;
import org.ulfmj.benchmarks.reproduce.detector.FailureDetection;
import org.ulfmj.benchmarks.reproduce.detector.LargestTimeout;
import org.ulfmj.benchmarks.reproduce.overlay.OverlayCuts;
import org.ulfmj.benchmarks.reproduce.overlay.OverlayShape;
import org.ulfmj.benchmarks.reproduce.overlay.RevokeDisturbance;
import org.ulfmj.benchmarks.reproduce.overlay.RevokeInitiator;
import org.ulfmj.benchmarks.reproduce.overlay.RevokeOrder;
import org.ulfmj.protocol.NearestName;

/** All experiments, in the order in which a run of all of them prints them. */
final class Experiments {
    private static final List<Experiment> ALL = List.of(
            new OverlayShape(),
            new OverlayCuts(),
            new AgreementLatency(),
            new TreesOfNodes(),
            new AgreementAfterFailures(),
            new ShrinkCost(),
            new RevokeInitiator(),
            new RevokeOrder(),
            new RevokeDisturbance(),
            new FailureDetection(),
            new LargestTimeout());

    private Experiments() {}

    /**
     * The experiments with these names, in the order of the names; all experiments for an empty list. Throws if a name
     * is that of none.
     */
    static List<Experiment> named(List<String> wanted) {
        if (wanted.isEmpty()) {
            return ALL;
        }
        List<Experiment> found = new ArrayList<>();
        for (String name : wanted) {
            found.add(ALL.stream()
                    .filter(experiment -> experiment.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("--only " + name
                            + ": there is no such experiment; the nearest is " + NearestName.to(name, names())
                            + ", all are " + known())));
        }
        return found;
    }

    /** The names of all experiments, for the help and for an error message. */
    static String known() {
        return String.join(", ", names());
    }

    private static List<String> names() {
        return ALL.stream().map(Experiment::name).toList();
    }
}
