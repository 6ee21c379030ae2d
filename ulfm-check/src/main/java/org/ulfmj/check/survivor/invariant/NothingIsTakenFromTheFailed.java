package org.ulfmj.check.survivor.invariant;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.check.survivor.Watch;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * A message of a process that the receiver has marked failed is not answered, and leads there to no decision and no
 * further mark. The only exception is the receiver's own obituary.
 */
final class NothingIsTakenFromTheFailed implements Watch {
    /** The event's name in the coverage line. */
    static final String EVENT = "a word of a failed process";

    private final Journal journal;
    private ProcessId failed;
    private SurvivorRank taker;
    private int returnsBefore;
    private int marksBefore;

    NothingIsTakenFromTheFailed(Journal journal) {
        this.journal = journal;
    }

    @Override
    public void stepBegins(SurvivorRank rank, ProcessId from, ControlMessage message) {
        failed = null;
        if (from == null || !rank.failures().hasFailed(from) || isObituaryOf(rank.id(), message)) {
            return;
        }
        failed = from;
        taker = rank;
        returnsBefore = journal.returns().size();
        marksBefore = rank.failures().failedInOrder().size();
    }

    private static boolean isObituaryOf(ProcessId id, ControlMessage message) {
        return message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Obituary obituary
                && obituary.failed().equals(id);
    }

    @Override
    public void sends(SurvivorRank rank, ProcessId to, ControlMessage message) {
        if (failed != null) {
            throw new Violation(name() + ": " + rank + " sends " + message + " because of a word of " + failed
                    + ", which it holds for failed");
        }
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        if (failed == null) {
            return;
        }
        if (journal.returns().size() != returnsBefore
                || taker.failures().failedInOrder().size() != marksBefore) {
            throw new Violation(
                    name() + ": " + process + " acts on a word of " + failed + ", which it holds for failed");
        }
        failed = null;
    }
}
