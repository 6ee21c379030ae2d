package org.ulfmj.check.replace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.agree.ShrinkOutcome;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * A duplicate of the world communicator of one epoch at one process, and the calls on that duplicate or on what it was
 * shrunk to, each at a random time. A non-blocking call may stay open while the next one is made, and any call may be
 * open while the world is replaced.
 */
final class Aside {
    private record Call(long communicator, long sequence) {}

    /** A call that has not returned. */
    private record Open(Kind kind, SlotSet acknowledged, SlotRuns members) {}

    private final ReplaceRank rank;
    private final ReplaceWorld world;
    private final Asides asides;
    private final long parent;
    private final Membership membership;
    private final List<Kind> calls;
    private final SeededRandom random;
    private final Map<Call, Open> open = new LinkedHashMap<>();
    private SlotRuns members;
    private long communicator;
    private int nextCall;
    private boolean waitsForTheLast;
    private boolean done;

    Aside(ReplaceRank rank, ReplaceWorld world, Asides asides, long parent, Membership membership, List<Kind> calls) {
        this.rank = rank;
        this.world = world;
        this.asides = asides;
        this.parent = parent;
        this.membership = membership;
        this.members = membership.slots();
        this.calls = calls;
        this.random = rank.draws();
    }

    boolean isDone() {
        return done;
    }

    /**
     * Makes the duplicate a little later. A process that fails to make the duplicate dies soon after, and the others
     * must not wait for it.
     */
    void begin() {
        communicator = world.ids().dup(parent, 1, members);
        later("makes", (nowNs, out) -> {
            if (world.program().failsToMake(rank.id().slot(), membership.epoch())) {
                rank.simulation().cover(ReplaceEvents.ABORTED);
                rank.core().aborted(communicator, members, membership.epoch(), nowNs, out);
                long livesNs = random.between(0, 10 * world.pace().unitNs());
                rank.simulation().faultAt(rank.simulation().nowNs() + livesNs, rank.process()::crash);
                return;
            }
            register(nowNs, out);
        });
    }

    private void register(long nowNs, Outbox<ProcessId, ControlMessage> out) {
        SurvivorCore core = rank.core();
        if (membership.epoch() < core.membership().epoch()) {
            rank.simulation().cover(ReplaceEvents.OLDER_EPOCH);
        }
        asides.made(communicator);
        core.register(communicator, members, world.shape(), membership, nowNs, out);
        rank.then(this::goOn);
    }

    private void goOn() {
        if (nextCall < calls.size()) {
            Kind kind = calls.get(nextCall++);
            later("calls aside", (nowNs, out) -> call(kind, nowNs, out));
        } else if (open.isEmpty()) {
            waitsForTheLast = false;
            later("frees", this::end);
        } else {
            waitsForTheLast = true;
        }
    }

    private void end(long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (random.chance(80)) {
            asides.freed(communicator);
            rank.core().freed(communicator, nowNs, out);
        }
        done = true;
        rank.then(asides::goOn);
    }

    private void later(String verb, SimProcess.Step<ProcessId, ControlMessage> step) {
        long mostNs = (random.chance(30) ? 60 : 4) * world.pace().unitNs();
        long atNs = Math.max(rank.process().callsFromNs(), rank.simulation().nowNs() + random.between(0, mostNs));
        rank.simulation().at(atNs, () -> rank.input(verb, Long.toHexString(communicator), step));
    }

    private void call(Kind kind, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        SurvivorCore core = rank.core();
        Contribution mine = new Contribution(
                kind,
                flagOf(rank.id().slot()),
                drawAcknowledged(kind, core.failures().failedAmong(members, membership)));
        long sequence = core.agreements().last(communicator) + 1;
        open.put(new Call(communicator, sequence), new Open(kind, mine.acknowledged(), members));
        core.enter(communicator, mine, nowNs, out);
        if (kind == Kind.IAGREE) {
            rank.then(this::goOn);
        }
    }

    /** Returns the flag that a slot contributes: all ones but its own bit. */
    static int flagOf(int slot) {
        return ~(1 << slot);
    }

    private SlotSet drawAcknowledged(Kind kind, SlotSet known) {
        if (kind == Kind.SHRINK || kind == Kind.COMMIT || random.chance(30)) {
            return SlotSet.ALL;
        }
        SlotSet acknowledged = SlotSet.EMPTY;
        for (int slot : known.toArray()) {
            acknowledged = random.chance(60) ? acknowledged.with(slot) : acknowledged;
        }
        return acknowledged;
    }

    /**
     * Takes a decision if it is that of an open call on this duplicate or on what it was shrunk to. Returns whether it
     * is.
     */
    boolean take(long ofCommunicator, long sequence, Decision decision) {
        Open call = open.remove(new Call(ofCommunicator, sequence));
        if (call == null) {
            return false;
        }
        check(call, ofCommunicator, sequence, decision);
        if (rank.core().membership().epoch() > membership.epoch()) {
            rank.simulation().cover(ReplaceEvents.DECIDED_LATER);
        }
        if (decision.isOnly(Kind.SHRINK)) {
            build(ShrinkOutcome.of(world.ids(), communicator, sequence, members, decision.failed()));
        } else if (call.kind() != Kind.IAGREE || waitsForTheLast) {
            goOn();
        }
        return true;
    }

    /**
     * Checks what a decision promises to its caller: the kind of the call, and the acknowledgements. The decisions of
     * all live callers are compared at the end.
     */
    private void check(Open call, long ofCommunicator, long sequence, Decision decision) {
        if (!decision.isOnly(call.kind())) {
            throw new Violation(
                    "calls are numbered in order: " + this + " called " + call.kind() + " and got " + decision);
        }
        if (!call.acknowledged().containsAll(decision.failed()) && !decision.failureUnacknowledged()) {
            throw new Violation("acknowledgement is exact: " + this + " acknowledged " + call.acknowledged()
                    + ", and no error comes with " + decision);
        }
        SlotSet counted = SlotSet.EMPTY;
        for (int slot : call.members().toArray()) {
            counted = (decision.flag(call.kind()) & 1 << slot) == 0 ? counted.with(slot) : counted;
        }
        world.sideDecisions()
                .add(new SideDecisions.Return(rank, membership, ofCommunicator, sequence, call.members(), counted));
    }

    private void build(ShrinkOutcome shrunk) {
        asides.freed(communicator);
        long old = communicator;
        communicator = shrunk.id();
        members = shrunk.members();
        later("builds aside", (nowNs, out) -> {
            rank.core().freed(old, nowNs, out);
            register(nowNs, out);
        });
    }

    @Override
    public String toString() {
        return rank + " beside its program on " + Long.toHexString(communicator) + " of epoch " + membership.epoch()
                + ", with " + open + " open, at call " + nextCall + " of " + calls;
    }
}
