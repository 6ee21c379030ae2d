package org.ulfmj.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankOutcome;
import org.ulfmj.testkit.sim.fault.SimFault;

/** How a simulated run ended. Immutable. */
public final class SimResult {
    private static final double NS_PER_MS = 1e6;

    private final SimPlan plan;
    private final List<ProcessResult> processes;
    private final LocalResult ends;
    private final SimJournal journal;
    private final long virtualNs;
    private final long events;
    private final String hang;
    private final boolean isCutShort;
    private final boolean programSuspects;

    SimResult(
            SimPlan plan,
            List<ProcessResult> processes,
            Integer abortCode,
            SimJournal journal,
            long virtualNs,
            long events,
            String hang,
            boolean isCutShort,
            boolean programSuspects) {
        this.plan = plan;
        this.processes = List.copyOf(processes);
        this.ends = ends(processes, abortCode);
        this.journal = journal;
        this.virtualNs = virtualNs;
        this.events = events;
        this.hang = hang;
        this.isCutShort = isCutShort;
        this.programSuspects = programSuspects;
    }

    private static LocalResult ends(List<ProcessResult> processes, Integer abortCode) {
        List<List<RankOutcome>> outcomes = new ArrayList<>();
        for (ProcessResult process : processes) {
            while (outcomes.size() <= process.id().slot()) {
                outcomes.add(new ArrayList<>());
            }
            outcomes.get(process.id().slot()).add(process.outcome());
        }
        for (List<RankOutcome> ofRank : outcomes) {
            if (ofRank.isEmpty()) {
                ofRank.add(new RankOutcome(RankEnd.NOT_ADMITTED, null, "no process has taken this rank"));
            }
        }
        return LocalResult.of(outcomes, abortCode);
    }

    /**
     * The processes of the first world by rank, then those that replaced dead ones or joined, in the order in which
     * they began. A process that never came to know its world is not among them.
     */
    public List<ProcessResult> processes() {
        return processes;
    }

    /** How each rank ended. */
    public LocalResult ends() {
        return ends;
    }

    public long seed() {
        return plan.seed();
    }

    /**
     * A hash of the events: runs of the same program with the same seed give the same hash, if the program depends on
     * nothing else and no run was cut short.
     */
    public long logHash() {
        return journal.hash();
    }

    /** The simulated time that the run took, in nanoseconds. */
    public long virtualNs() {
        return virtualNs;
    }

    public long events() {
        return events;
    }

    /**
     * The number of processes that were killed, fenced or otherwise ended before they had finalized or returned.
     * Newcomers that were not let in do not count.
     */
    public int deaths() {
        int deaths = 0;
        for (ProcessResult process : processes) {
            RankEnd end = process.outcome().end();
            if (end != RankEnd.FINALIZED && end != RankEnd.RETURNED && end != RankEnd.NOT_ADMITTED) {
                deaths++;
            }
        }
        return deaths;
    }

    /**
     * The faults that the seed has drawn from the plan. Each is a rule of {@link SimWorld#faults} with nothing left to
     * chance.
     */
    public List<String> faults() {
        List<String> texts = new ArrayList<>();
        for (SimFault fault : plan.faults()) {
            texts.add(fault.toString());
        }
        return texts;
    }

    /** The last calls of the rank's last process, with the time of each. The last call comes last. */
    public List<String> lastCalls(int rank) {
        List<String> last = List.of();
        for (ProcessResult process : processes) {
            last = process.id().slot() == rank ? process.lastCalls() : last;
        }
        return last;
    }

    /** The number of MPI calls of all ranks together. */
    public long calls() {
        long calls = 0;
        for (ProcessResult process : processes) {
            calls += process.calls();
        }
        return calls;
    }

    /**
     * Why the run did not end, which rank waits for which, and the last calls of each rank; of a run that was cut
     * short, why, and where the thread stood that ran; empty if the run ended.
     */
    public Optional<String> hang() {
        return Optional.ofNullable(hang);
    }

    /**
     * Whether a bound of real time ended the run. The point where it ended is chance, and two such runs of a seed need
     * not be alike.
     */
    public boolean isCutShort() {
        return isCutShort;
    }

    /**
     * Whether a live rank may have been fenced or silenced for a reason: a pause, a silence, a cut or a suspicion that
     * the seed has drawn from the plan, or a suspicion of the program. Without such a reason, a rank that ended
     * {@link RankEnd#FENCED} or {@link RankEnd#SILENCED} shows a bug of the library.
     */
    public boolean mayFence() {
        return programSuspects || plan.faults().stream().anyMatch(SimFault::mayFence);
    }

    SimJournal journal() {
        return journal;
    }

    /** The events of the run, at most the first million, one line per event; empty unless they were to be kept. */
    public List<String> schedule() {
        List<String> lines = new ArrayList<>();
        for (SimJournal.Entry entry : journal.entries()) {
            lines.add(String.format(
                    Locale.ROOT, "%12.6f ms  %s", (entry.timeNs() - SimJob.START_NS) / NS_PER_MS, entry.describe()));
        }
        return lines;
    }

    @Override
    public String toString() {
        return "seed " + seed() + (plan.faults().isEmpty() ? "" : " (" + String.join("; ", faults()) + ")") + ": "
                + ends;
    }
}
