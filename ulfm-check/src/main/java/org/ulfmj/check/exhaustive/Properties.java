package org.ulfmj.check.exhaustive;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.exhaustive.Facts.Call;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * The properties that must hold in every state of a world, and those that must hold in each state without a next event
 * that must happen. A rank is <em>live</em> if it runs, no running rank has marked it failed, and no running rank has a
 * decision that lists it as failed.
 */
final class Properties {
    private final World world;

    Properties(World world) {
        this.world = world;
    }

    /**
     * Returns the property that is broken in this state of the ranks, and at which rank. Null if no property is broken.
     */
    String broken(Facts[] ranks) {
        List<Integer> live = live(ranks);
        for (int rank : live) {
            for (Map.Entry<Call, Decision> returned : ranks[rank].decisions().entrySet()) {
                String wrong = wrongWith(ranks, live, rank, returned.getKey(), returned.getValue());
                if (wrong != null) {
                    return "agreement " + returned.getKey().sequence() + ": " + rank + " returned "
                            + returned.getValue() + ": " + wrong;
                }
            }
        }
        String wrong = forgottenEarly(ranks, live);
        return wrong == null && world.suspicions() == 0 ? fencedWithoutSuspicion(ranks) : wrong;
    }

    /**
     * Housekeeping: a live rank forgets a communicator only when all live ranks have freed it, and does not count it as
     * revoked after that.
     */
    private static String forgottenEarly(Facts[] ranks, List<Integer> live) {
        for (int rank : live) {
            for (long over : ranks[rank].forgotten()) {
                for (int other : live) {
                    if (!ranks[other].freed().contains(over)) {
                        return "a communicator is forgotten at " + rank + ", and live " + other + " has not freed it";
                    }
                }
            }
            if (!ranks[rank].cameBack().isEmpty()) {
                return "a communicator that was forgotten came back at " + rank;
            }
        }
        return null;
    }

    private static String fencedWithoutSuspicion(Facts[] ranks) {
        for (int rank = 0; rank < ranks.length; rank++) {
            if (ranks[rank].status() == Facts.Status.FENCED) {
                return rank + " has fenced itself, though no rank was suspected";
            }
            for (int other = 0; other < ranks.length; other++) {
                if (ranks[other].isRunning() && ranks[rank].failed().contains(other)) {
                    return rank + " holds " + other + " for failed, which runs and was never suspected";
                }
            }
        }
        return null;
    }

    private static List<Integer> live(Facts[] ranks) {
        List<Integer> live = new ArrayList<>();
        for (int rank = 0; rank < ranks.length; rank++) {
            if (ranks[rank].isRunning() && !isExcluded(ranks, rank)) {
                live.add(rank);
            }
        }
        return live;
    }

    private static boolean isExcluded(Facts[] ranks, int rank) {
        for (Facts other : ranks) {
            if (other.isRunning()
                    && (other.failed().contains(rank)
                            || other.decisions().values().stream()
                                    .anyMatch(decision -> decision.failed().contains(rank)))) {
                return true;
            }
        }
        return false;
    }

    private String wrongWith(Facts[] ranks, List<Integer> live, int rank, Call call, Decision decision) {
        SlotRuns members = ranks[rank].communicators().get(call.communicator());
        SlotSet contributors = contributors(members, decision);
        if (world.program().contains(World.Act.AGREE_OF_GROUPS)) {
            for (int slot : members.toArray()) {
                int othersFlags = world.isOfFirstGroup(slot) ? decision.second() : decision.flag(Kind.AGREE);
                if ((othersFlags & 1 << slot) == 0) {
                    return "the flag of " + slot + " counts for the other group";
                }
            }
        }
        if (decision.isOnly(Kind.FINALIZE)) {
            return leftEarly(ranks, live, call, members);
        }
        for (int other : live) {
            if (!members.contains(other)) {
                continue;
            }
            Decision theirs = ranks[other].decisions().get(call);
            if (theirs != null && !theirs.equals(decision)) {
                return "live " + other + " returned " + theirs;
            }
            if (decision.isOnly(Kind.AGREE_UNIFORM)
                    && !decision.equals(ranks[other].firstHalves().get(call))) {
                return "the call is uniform, and live " + other + " has not decided the same";
            }
            if (!contributors.contains(other)) {
                return "live " + other + " is missing in it";
            }
            if (!ranks[other].entries().containsKey(call)) {
                return other + " is in it, but never called";
            }
            if (decision.failed().contains(other)) {
                return "live " + other + " is listed as failed";
            }
            if (!decision.failed().containsAll(ranks[other].entries().get(call).failedBefore())) {
                return other + " knew " + ranks[other].entries().get(call).failedBefore() + " to have failed before";
            }
            // A rank that is in the second half of a uniform agreement has the decision of the first half and keeps it,
            // so the others may drop it.
            if (theirs == null
                    && !ranks[other].firstHalves().containsKey(call)
                    && ranks[rank].dropped().contains(call)) {
                return "it is dropped, and live " + other + " has not decided";
            }
        }
        for (int slot : members.toArray()) {
            if (!contributors.contains(slot) && !decision.failed().contains(slot)) {
                return slot + " is missing in it, but not listed as failed";
            }
        }
        return acknowledgementWrong(ranks, live, contributors, call, decision);
    }

    private static String leftEarly(Facts[] ranks, List<Integer> live, Call call, SlotRuns members) {
        for (int other : live) {
            if (members.contains(other) && !ranks[other].entries().containsKey(call)) {
                return "live " + other + " has not called Finalize";
            }
        }
        return null;
    }

    /**
     * Checks that a decision carries an error if a live contributor had not acknowledged a slot that the decision lists
     * as failed, and no error if all contributors are live and had acknowledged these slots.
     */
    private static String acknowledgementWrong(
            Facts[] ranks, List<Integer> live, SlotSet contributors, Call call, Decision decision) {
        boolean someoneHasNot = false;
        boolean allAreKnown = true;
        for (int slot : contributors.toArray()) {
            if (live.contains(slot)) {
                someoneHasNot |= !ranks[slot].entries().get(call).acknowledged().containsAll(decision.failed());
            } else {
                allAreKnown = false;
            }
        }
        if (someoneHasNot && !decision.failureUnacknowledged()) {
            return "no error, though not all have acknowledged " + decision.failed();
        }
        return allAreKnown && !someoneHasNot && decision.failureUnacknowledged()
                ? "an error, though all have acknowledged " + decision.failed()
                : null;
    }

    private static SlotSet contributors(SlotRuns members, Decision decision) {
        SlotSet contributors = SlotSet.EMPTY;
        for (int slot : members.toArray()) {
            boolean contributed = (decision.second() & 1 << slot) == 0;
            for (int flag : decision.flags().values()) {
                contributed |= (flag & 1 << slot) == 0;
            }
            contributors = contributed ? contributors.with(slot) : contributors;
        }
        return contributors;
    }

    /** Returns the property that is broken in a state without a next event that must happen; null if none is. */
    String brokenAtEnd(Facts[] ranks) {
        for (int rank = 0; rank < ranks.length; rank++) {
            if (!ranks[rank].isRunning()) {
                continue;
            }
            if (isExcluded(ranks, rank)) {
                return rank + " runs on, though others hold it for failed";
            }
            if (!ranks[rank].finished()) {
                return rank + " waits for ever";
            }
            for (Facts other : ranks) {
                if (other.isRunning() && !other.forgotten().equals(ranks[rank].forgotten())) {
                    return rank + " has forgotten " + ranks[rank].forgotten() + ", and another " + other.forgotten();
                }
            }
            String wrong = unheard(ranks, rank);
            if (wrong != null) {
                return wrong;
            }
        }
        return world.beats() ? brokenRing(ranks) : null;
    }

    private static String unheard(Facts[] ranks, int rank) {
        for (int other = 0; other < ranks.length; other++) {
            if (!ranks[other].isRunning() && ranks[other].status() != Facts.Status.EXITED) {
                if (!ranks[rank].leaving() && !ranks[rank].failed().contains(other)) {
                    return rank + " has not heard of the end of " + other;
                }
            } else if (ranks[other].isRunning()) {
                for (long communicator : ranks[other].revoked()) {
                    if (ranks[rank].communicators().containsKey(communicator)
                            && !ranks[rank].revoked().contains(communicator)) {
                        return "revoked at " + other + ", and " + rank + " has not heard of it";
                    }
                }
            }
        }
        return null;
    }

    /**
     * Checks the ring: each running rank listens to the nearest running rank before it, and that rank sends heartbeats
     * to this one and to no other.
     */
    private static String brokenRing(Facts[] ranks) {
        for (int rank = 0; rank < ranks.length; rank++) {
            if (!ranks[rank].isRunning()) {
                continue;
            }
            int before = (rank + ranks.length - 1) % ranks.length;
            while (!ranks[before].isRunning()) {
                before = (before + ranks.length - 1) % ranks.length;
            }
            ProcessId expected = before == rank ? null : ProcessId.of(before);
            boolean listens = expected == null
                    ? ranks[rank].emitter() == null
                    : expected.equals(ranks[rank].emitter())
                            && ranks[before].observers().contains(ProcessId.of(rank));
            if (!listens || ranks[rank].observers().size() > (expected == null ? 0 : 1)) {
                return rank + " listens to " + ranks[rank].emitter() + " and beats for " + ranks[rank].observers();
            }
        }
        return null;
    }
}
