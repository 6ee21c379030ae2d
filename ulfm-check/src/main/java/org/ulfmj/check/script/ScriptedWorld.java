package org.ulfmj.check.script;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.StringJoiner;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.sim.Violation;

/**
 * Ranks with the shipped survivor core, and a script that decides which message arrives when.
 *
 * <p>Messages of one type between two ranks arrive in order. Messages of different types may overtake each other, as
 * the news of a failure does that comes another way. A step of the script that cannot be done is an
 * {@link IllegalStateException}: the script does not fit the code any more. {@link #settle} lets the rest happen and
 * judges the outcome. There are no heartbeats here.
 */
public final class ScriptedWorld {
    static final long COMMUNICATOR = 0x3081;

    private static final int NEVER = -1;
    private static final int NO_RANK = -1;

    /**
     * One line of the story: an action of a rank, or a message that the rank then sends. The line is made into text
     * only when the story is printed.
     */
    record Told(int slot, String what, int other, ControlMessage message) {
        @Override
        public String toString() {
            return slot + " " + what + (other < 0 ? "" : " " + other) + (message == null ? "" : " " + message);
        }
    }

    /** A message on its way. */
    record InFlight(int from, int to, ControlMessage message) {
        /** Whether a later message must wait for this one: both have the same sender, receiver and type. */
        boolean isInLineWith(InFlight later) {
            return from == later.from && to == later.to && message.getClass() == later.message.getClass();
        }
    }

    private final List<ScriptedRank> ranks = new ArrayList<>();
    private final List<InFlight> inFlight = new ArrayList<>();
    private final List<Told> story = new ArrayList<>();
    private long nowNs;
    private int sendsUntilCrash = NEVER;

    public ScriptedWorld(int size) {
        Membership members = Membership.initial(size);
        for (int slot = 0; slot < size; slot++) {
            ranks.add(new ScriptedRank(slot, members));
        }
        for (ScriptedRank rank : ranks) {
            step(rank, "registers", NO_RANK, null, out -> rank.core()
                    .register(COMMUNICATOR, members.slots(), nowNs, out));
        }
    }

    /** Makes each of these ranks, in this order, enter its next agreement on the communicator. */
    public ScriptedWorld enter(Kind kind, int... slots) {
        for (int slot : slots) {
            ScriptedRank rank = ranks.get(slot);
            Contribution mine = new Contribution(kind, ~(1 << slot), SlotSet.ALL);
            step(rank, "enters", NO_RANK, null, out -> rank.entered(rank.core().enter(COMMUNICATOR, mine, nowNs, out)));
        }
        return this;
    }

    /** A rank revokes COMM_WORLD. */
    public ScriptedWorld revoke(int slot) {
        ScriptedRank rank = ranks.get(slot);
        step(rank, "revokes", NO_RANK, null, out -> rank.core().revoke(COMMUNICATOR, nowNs, out));
        return this;
    }

    /** Has a rank build another communicator of all ranks. */
    public ScriptedWorld register(int slot, long communicator) {
        ScriptedRank rank = ranks.get(slot);
        step(rank, "registers", NO_RANK, null, out -> rank.core().register(communicator, allRanks(), nowNs, out));
        return this;
    }

    /** Tells the core of a rank that the rank could not build another communicator of all ranks, which revokes it. */
    public ScriptedWorld abort(int slot, long communicator) {
        ScriptedRank rank = ranks.get(slot);
        step(rank, "aborts", NO_RANK, null, out -> rank.core().aborted(communicator, allRanks(), nowNs, out));
        return this;
    }

    private SlotRuns allRanks() {
        return SlotRuns.range(ranks.size());
    }

    /** @throws Violation if this rank was not told that this communicator is revoked */
    public void requireRevoked(int slot, long communicator) {
        if (!ranks.get(slot).isRevoked(communicator)) {
            throw new Violation(slot + " is not told of the revocation" + told());
        }
    }

    /** Delivers the first message of a type that is on its way from one rank to another. */
    public ScriptedWorld deliver(Class<? extends ControlMessage> type, int from, int to) {
        for (Iterator<InFlight> each = inFlight.iterator(); each.hasNext(); ) {
            InFlight next = each.next();
            if (next.from() == from && next.to() == to && type.isInstance(next.message())) {
                each.remove();
                arrive(next);
                return this;
            }
        }
        throw new IllegalStateException("the script does not fit: no " + type.getSimpleName() + " is on its way from "
                + from + " to " + to + told());
    }

    /** Delivers a message that no rank sent in this schedule, as if a rank had gone wrong. */
    public ScriptedWorld forge(int from, int to, ControlMessage message) {
        arrive(new InFlight(from, to, message));
        return this;
    }

    /** Kills these ranks. Messages that they had sent can still be delivered. */
    public ScriptedWorld crash(int... slots) {
        for (int slot : slots) {
            ranks.get(slot).crash();
            story.add(new Told(slot, "dies", NO_RANK, null));
        }
        return this;
    }

    /** Drops the messages that are on their way from one rank to another. */
    public ScriptedWorld lose(int from, int to) {
        inFlight.removeIf(one -> one.from() == from && one.to() == to);
        return this;
    }

    /** Drops the messages of a rank that are on their way. */
    public ScriptedWorld loseAllOf(int from) {
        inFlight.removeIf(one -> one.from() == from);
        return this;
    }

    /** Tells a rank for certain that another one has died, and that all messages of the dead rank have been read. */
    public ScriptedWorld learns(int slot, int dead) {
        ScriptedRank rank = ranks.get(slot);
        Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, rank.id(), "ended");
        step(rank, "learns of the death of", dead, null, out -> {
            rank.core().onEvidence(ProcessId.of(dead), evidence, nowNs, out);
            rank.core().onDrained(ProcessId.of(dead), nowNs, out);
        });
        return this;
    }

    /** Makes a rank mark another one failed on suspicion, although the other one may run. */
    public ScriptedWorld suspects(int slot, int other) {
        ScriptedRank rank = ranks.get(slot);
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, rank.id(), "suspected");
        step(rank, "suspects", other, null, out -> rank.core().onEvidence(ProcessId.of(other), evidence, nowNs, out));
        return this;
    }

    /**
     * Delivers all messages on their way between running ranks, and tells every running rank of each rank that has
     * ended, again and again until nothing moves. Messages of ranks that have ended are lost.
     *
     * @throws Violation if a running rank then waits for ever, if two running ranks hold different decisions, or if the
     *     decision of a running rank lacks the contribution of a running rank
     */
    public void settle() {
        quiesce();
        judge();
    }

    /** Does the deliveries of {@link #settle}, and checks nothing. */
    void quiesce() {
        boolean moved = true;
        while (moved) {
            moved = deliverAll() || tellAll();
        }
    }

    private boolean deliverAll() {
        boolean any = false;
        inFlight.removeIf(one -> !ranks.get(one.from()).isRunning());
        while (!inFlight.isEmpty()) {
            arrive(inFlight.remove(0));
            inFlight.removeIf(one -> !ranks.get(one.from()).isRunning());
            any = true;
        }
        return any;
    }

    private boolean tellAll() {
        for (ScriptedRank dead : ranks) {
            for (ScriptedRank rank : ranks) {
                if (!dead.isRunning()
                        && rank.isRunning()
                        && !rank.core().failures().hasFailed(dead.id())) {
                    learns(rank.id().slot(), dead.id().slot());
                    return true;
                }
            }
        }
        return false;
    }

    private void judge() {
        for (ScriptedRank rank : ranks) {
            for (long sequence = 1; rank.isRunning() && sequence <= rank.lastEntered(); sequence++) {
                Decision mine = rank.decision(sequence);
                if (mine == null) {
                    throw new Violation(rank.id() + " waits for ever: "
                            + rank.core().agreements().describe(COMMUNICATOR, sequence) + told());
                }
                for (ScriptedRank other : ranks) {
                    Decision theirs = other.isRunning() ? other.decision(sequence) : null;
                    if (theirs != null && !theirs.equals(mine)) {
                        throw new Violation(
                                rank.id() + " holds " + mine + ", " + other.id() + " holds " + theirs + told());
                    }
                    if (other.isRunning()
                            && (mine.flags().values().stream().reduce(-1, (a, b) -> a & b)
                                            & 1 << other.id().slot())
                                    != 0) {
                        throw new Violation(rank.id() + " decided " + mine + " without running " + other.id() + told());
                    }
                }
            }
        }
    }

    /** Whether the core of a rank has fenced itself, for instance because others have marked the rank failed. */
    public boolean isFenced(int slot) {
        return ranks.get(slot).core().isFenced();
    }

    /** Returns the decision of a rank in the agreement of this number, or null if the rank has none. */
    public Decision decision(int slot, long sequence) {
        return ranks.get(slot).decision(sequence);
    }

    private void arrive(InFlight one) {
        ScriptedRank rank = ranks.get(one.to());
        if (rank.isRunning()) {
            step(rank, "gets from", one.from(), one.message(), out -> rank.core()
                    .onMessage(ProcessId.of(one.from()), one.message(), nowNs, out));
        }
    }

    private void step(ScriptedRank rank, String what, int other, ControlMessage message, ScriptedRank.Step step) {
        int slot = rank.id().slot();
        if (!rank.isRunning()) {
            throw new IllegalStateException(
                    "the script does not fit: " + slot + " does not run, yet it " + what + told());
        }
        nowNs++;
        story.add(new Told(slot, what, other, message));
        step.run((to, sent) -> {
            if (rank.isRunning() && sendsUntilCrash-- == 0) {
                crash(slot);
            }
            if (rank.isAlive()) {
                story.add(new Told(slot, "    sends to", to.slot(), sent));
                inFlight.add(new InFlight(slot, to.slot(), sent));
            }
        });
        sendsUntilCrash = NEVER;
    }

    /**
     * Makes the rank of the next step die in that step: it sends this many messages and dies instead of sending one
     * more. The rank lives on if the step has no more messages.
     */
    void crashInNextStepAfter(int sends) {
        sendsUntilCrash = sends;
    }

    List<ScriptedRank> ranks() {
        return ranks;
    }

    /**
     * Returns the messages that may arrive next at running ranks: of each sender, receiver and type of message the
     * oldest.
     */
    List<InFlight> heads() {
        List<InFlight> heads = new ArrayList<>();
        for (InFlight one : inFlight) {
            if (ranks.get(one.to()).isRunning() && heads.stream().noneMatch(head -> head.isInLineWith(one))) {
                heads.add(one);
            }
        }
        return heads;
    }

    void deliver(InFlight one) {
        inFlight.remove(one);
        arrive(one);
    }

    /** The events so far. */
    List<Told> story() {
        return story;
    }

    private String told() {
        StringJoiner lines =
                new StringJoiner(System.lineSeparator() + "  ", "; the story:" + System.lineSeparator() + "  ", "");
        story.forEach(told -> lines.add(told.toString()));
        return lines.toString();
    }
}
