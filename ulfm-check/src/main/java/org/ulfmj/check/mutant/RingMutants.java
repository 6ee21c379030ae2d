package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.seeds;
import static org.ulfmj.check.mutant.Trial.world;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Mutants of the heartbeat ring, each without one of its rules. */
public final class RingMutants {
    private static final String RING = "org.ulfmj.detector.RingDetector";

    private static final Mutant OBSERVED = without(
                    "B3 observe", "a process that asks for heartbeats gets them from then on")
            .in(RING, "observers.add(observer);", "// B3");

    private static final Mutant CLOSED = without("ring closes", "whose emitter is gone listens to the one before it")
            .in(
                    RING,
                    "if (gone.equals(emitter)) {\n            observeNearest(nowNs, out);",
                    "if (false) {\n            observeNearest(nowNs, out);");

    private static final Mutant GONE_OBSERVER =
            without("gone observer", "no process beats for the gone").in(RING, "observers.remove(gone);", "// gone");

    private static final Mutant OWN_STALL = without("own stall", "a stall of ours is not blamed on the emitter")
            .in(RING, "extendBy(Math.min(lateNs, nowNs - listeningSinceNs));", "// own stall");

    private static final Mutant SIGN_OF_LIFE = without("sign of life", "every heartbeat moves the deadline")
            .in(RING, "listen(nowNs, nowNs + timing.detectorTimeoutNs());", "// sign of life");

    private static final Mutant PROBES_SENT = without(
                    "6a probes", "a failed emitter makes its predecessors be asked at once")
            .in(RING, "probePredecessors(nowNs, out);\n        }\n    }", "// 6a\n        }\n    }");

    private static final Mutant PROBE_ANSWERED = without("6a answer", "a probe is answered at once")
            .in(RING, "out.send(asker, HEARTBEAT); // rule 6a", "// rule 6a");

    private static final Mutant PROBE_CLOSED = without("6a any heartbeat", "any heartbeat answers a probe")
            .in(RING, "boolean wasProbed = probes.close(from);", "boolean wasProbed = false;");

    private RingMutants() {}

    static List<Trial> trials() {
        return List.of(
                seeds(OBSERVED, "detector", 500, "no process is suspected without cause"),
                world(CLOSED, "ring", "listens to"),
                world(GONE_OBSERVER, "ring", "beats for"),
                seeds(OWN_STALL, "detector", 2_000, "no process is suspected without cause"),
                seeds(SIGN_OF_LIFE, "detector", 500, "no process is suspected without cause"),
                seeds(PROBES_SENT, "racks", 500, "neighbours are found together"),
                seeds(PROBE_ANSWERED, "racks", 500, "no process is suspected without cause"),
                seeds(PROBE_CLOSED, "racks", 500, "no process is suspected without cause"));
    }
}
