package org.ulfmj.testkit.sim;

import java.util.List;
import java.util.Optional;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.RankOutcome;

/** How a simulated run ended. Immutable. */
public final class SimResult {
    private final SimPlan plan;
    private final LocalResult ends;
    private final Journal journal;
    private final long virtualNs;
    private final long events;
    private final long calls;
    private final String hang;

    SimResult(
            SimPlan plan,
            List<RankOutcome> outcomes,
            Integer abortCode,
            Journal journal,
            long virtualNs,
            long events,
            long calls,
            String hang) {
        this.plan = plan;
        this.ends = LocalResult.of(outcomes, abortCode);
        this.journal = journal;
        this.virtualNs = virtualNs;
        this.events = events;
        this.calls = calls;
        this.hang = hang;
    }

    /** How each rank ended. */
    public LocalResult ends() {
        return ends;
    }

    public long seed() {
        return plan.seed();
    }

    /** Of everything that happened: the same program with the same seed gives the same hash. */
    public long logHash() {
        return journal.hash();
    }

    /** Simulated time that the run took, in nanoseconds. */
    public long virtualNs() {
        return virtualNs;
    }

    public long events() {
        return events;
    }

    /** MPI calls of all ranks together. */
    public long calls() {
        return calls;
    }

    /** Why the run would never have ended, who waits for whom and what each rank did last; empty if it ended. */
    public Optional<String> hang() {
        return Optional.ofNullable(hang);
    }

    Journal journal() {
        return journal;
    }

    @Override
    public String toString() {
        return "seed " + seed() + ": " + ends;
    }
}
