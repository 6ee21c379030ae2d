package org.ulfmj.runtime.inject;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.Durations;
import org.ulfmj.runtime.options.FaultTrigger;

/**
 * One fault of a plan, with nothing left to be drawn.
 *
 * @param number the number in the plan, from 1; the process names it to the launcher when its moment has come
 * @param action what happens
 * @param rank the rank that it happens to; {@link #NO_RANK} if it happens to links, hosts or the launcher
 * @param incarnation which process of the rank; {@link FaultTrigger#EVERY_INCARNATION} for each
 * @param link the links that it happens to; null if it happens to none
 * @param hosts the hosts that it happens to; null if it happens to none
 * @param terms how strong the fault is
 * @param moment when it begins; nothing that is to be drawn
 * @param durationNs how long it lasts; 0 for as long as the job, or if such a fault has no duration
 */
public record PlannedFault(
        int number,
        FaultAction action,
        int rank,
        int incarnation,
        LinkChoice link,
        HostChoice hosts,
        FaultTerms terms,
        Moment moment,
        long durationNs) {
    /** In place of a rank. */
    public static final int NO_RANK = -1;

    /** A death by SIGKILL. */
    public static PlannedFault kill(int number, int rank, int incarnation, Moment moment) {
        return new PlannedFault(number, FaultAction.KILL, rank, incarnation, null, null, FaultTerms.NONE, moment, 0);
    }

    /**
     * Returns the trigger by which the process itself finds the moment of the fault; empty if the moment is a time, or
     * an event that others see, or if the fault is not of a rank.
     */
    public Optional<FaultTrigger> trigger() {
        if (!action.isOfRank()) {
            return Optional.empty();
        }
        if (moment instanceof Moment.AtOperation at) {
            return trigger(FaultTrigger.inCall(at.operation(), at.part().suffix()), at.count());
        }
        if (moment instanceof Moment.AtIteration at) {
            return trigger(FaultTrigger.ITERATION, at.level());
        }
        if (moment instanceof Moment.AtPoint at) {
            return trigger(FaultTrigger.atPoint(at.name()), at.count());
        }
        if (moment instanceof Moment.AtPosition at) {
            return trigger(FaultTrigger.atPosition(at.version(), at.sequence()), 1);
        }
        if (moment instanceof Moment.AtByte at) {
            return trigger(FaultTrigger.SENT_BYTES, at.sentBytes());
        }
        return moment instanceof Moment.AtEvent at && !at.event().isOfRank()
                ? trigger(FaultTrigger.atPoint(at.event().point()), 1)
                : Optional.empty();
    }

    private Optional<FaultTrigger> trigger(String operation, long count) {
        return Optional.of(new FaultTrigger(number, operation, count, incarnation));
    }

    /** How long the fault comes after its event; 0 if it does not wait for an event. */
    public long delayNs() {
        return moment instanceof Moment.AtEvent at ? at.afterNs() : 0;
    }

    /**
     * Whether the process, if it finds the moment of the fault itself, stops there, and holds its engine lock, until
     * the launcher's SIGKILL comes.
     */
    public boolean isDeathAtPoint() {
        return action == FaultAction.KILL && delayNs() == 0;
    }

    /** Whether the fault is for every process of its rank, and so also hits processes that take a dead one's place. */
    public boolean isForEvery() {
        return incarnation == FaultTrigger.EVERY_INCARNATION;
    }

    /** Whether the fault is for this process. */
    public boolean isFor(ProcessId process) {
        return process.slot() == rank && (isForEvery() || process.incarnation() == incarnation);
    }

    /** Returns the same fault with the words under which processes know its hosts. */
    public PlannedFault withHosts(Function<String, Set<String>> words) {
        HostChoice renamed = hosts.renamed(words);
        return new PlannedFault(number, action, rank, incarnation, link, renamed, terms, moment, durationNs);
    }

    /** Returns the rule as a user would write it. */
    @Override
    public String toString() {
        String target = rank == NO_RANK ? "*" : "rank=" + rank;
        target = link != null ? link.toString() : hosts != null ? hosts.toString() : target;
        String which = incarnation == 0 ? "" : ",inc=" + (isForEvery() ? "*" : incarnation);
        return action.word() + ":" + target + which + terms + "@" + moment + (durationNs == 0 ? "" : ".." + end());
    }

    private String end() {
        long beginNs = moment instanceof Moment.AtTime at ? at.afterStartNs() : 0;
        return Durations.text(beginNs + durationNs);
    }
}
