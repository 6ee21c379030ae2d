package org.ulfmj.check.survivor;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.ShrinkOutcome;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SimProcess;

/** One rank of a world with agreements, revoke, shrink and Finalize, and its program. */
public final class SurvivorRank extends CoreRank {
    /** The id of COMM_WORLD. */
    public static final long WORLD = 0x3081;

    private final SurvivorWorld world;
    private final Membership membership;
    private final SurvivorCore core;
    private final MessageWitness witness;

    private final SortedSet<Long> awaited = new TreeSet<>();
    private final SortedMap<Long, Decision> returned = new TreeMap<>();
    private final SortedMap<Long, SlotRuns> registered = new TreeMap<>();
    private final SortedSet<Long> revoked = new TreeSet<>();
    private final SortedSet<Long> everRegistered = new TreeSet<>();
    private Long toldAfterFree;
    private long communicator = WORLD;
    private SlotSet failedBeforeCall = SlotSet.EMPTY;
    private int nextAct;
    private int callsLeft;

    /**
     * The number of the call that must return before the rank makes its next one. It has a meaning only while
     * {@link #whenReturned} is not null, which is the action at that return.
     */
    private long waitsFor;

    private Runnable whenReturned;
    private boolean finished;
    private boolean saidGoodbye;

    public SurvivorRank(
            SurvivorWorld world, int slot, Membership membership, SimProcess<ProcessId, ControlMessage> process) {
        super(world.simulation(), world.network(), ProcessId.of(slot), process, slot);
        this.world = world;
        this.membership = membership;
        this.witness = new MessageWitness(simulation());
        this.core = new SurvivorCore(id(), membership, Pace.TIMING, this, process.clockNs());
        core.keepHouseAt(1); // housekeeping begins as soon as one communicator was freed
    }

    public void start() {
        process().start(this, (nowNs, out) -> {
            core.start(nowNs, watched(out));
            core.register(WORLD, membership.slots(), world.shape(), nowNs, watched(out));
            registered.put(WORLD, membership.slots());
            everRegistered.add(WORLD);
        });
        goOn();
    }

    @Override
    public SurvivorCore core() {
        return core;
    }

    /** Returns the communicators that exist at the rank, with their members. */
    public SortedMap<Long, SlotRuns> registered() {
        return registered;
    }

    /** Returns the communicators of which the rank was told that they are revoked. */
    public SortedSet<Long> revoked() {
        return revoked;
    }

    /**
     * Returns a communicator of whose revocation the rank was told while it did not have the communicator; null in
     * every correct schedule.
     */
    public Long toldAfterFree() {
        return toldAfterFree;
    }

    /** Returns the communicator that the rank has made last; COMM_WORLD before the first one. */
    public long newestCommunicator() {
        return communicator;
    }

    /** Whether a communicator exists at the rank, or has existed. */
    public boolean hasOrHad(long ofCommunicator) {
        return everRegistered.contains(ofCommunicator);
    }

    public Membership membership() {
        return membership;
    }

    /** Numbers of the calls that have not returned, all on {@link #openCommunicator}. */
    public SortedSet<Long> openCalls() {
        return awaited;
    }

    public long openCommunicator() {
        return communicatorOf(nextAct);
    }

    public boolean hasFinished() {
        return finished;
    }

    /** Whether the launcher has this rank's goodbye. */
    public boolean saidGoodbye() {
        return saidGoodbye;
    }

    public ProcessId idOf(int slot) {
        return membership.process(slot);
    }

    /** Describes what the rank waits for, for the message of a violation. */
    public String waitsFor() {
        if (awaited.isEmpty()) {
            return "its next call";
        }
        return core.agreements().describe(communicatorOf(nextAct), awaited.first());
    }

    /** Notes that another rank has said goodbye; the news came over the connection to that rank. */
    public void hearsGoodbye(ProcessId leaver) {
        input("hears the goodbye of", leaver, (nowNs, out) -> core.onDeparted(leaver, nowNs, watched(out)));
    }

    @Override
    public boolean isWatching() {
        return process().isRunning() && !core.isLeaving();
    }

    @Override
    public boolean hasLeft() {
        return saidGoodbye;
    }

    @Override
    public void onMessage(ProcessId from, ControlMessage message, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        core.onMessage(from, message, nowNs, watched(from, message, out));
    }

    @Override
    protected void beforeReadOut(ProcessId dead) {
        if (random().chance(50)) {
            world.network().hurry(dead.slot(), id().slot());
        }
    }

    @Override
    public void revoked(long revokedCommunicator) {
        if (!registered.containsKey(revokedCommunicator)) {
            toldAfterFree = revokedCommunicator;
        }
        afterStep(() -> {
            log("revoked", EventLog.NO_PROCESS, Long.toHexString(revokedCommunicator));
            revoked.add(revokedCommunicator);
        });
    }

    @Override
    public void decided(long ofCommunicator, long sequence, Decision decision) {
        afterStep(() -> {
            log("decides", EventLog.NO_PROCESS, decision);
            world.journal().decided(ofCommunicator, sequence, id().slot(), decision);
            if (Journal.isFarewell(decision)) {
                leave();
            }
            returned.put(sequence, decision);
            if (!decision.isOfOneKind()) {
                simulation().cover(SurvivorEvents.MIXED_KINDS);
            }
            if (awaited.first() < sequence) {
                simulation().cover(SurvivorEvents.OUT_OF_ORDER);
            }
            awaited.remove(sequence);
            if (whenReturned != null && waitsFor == sequence) {
                Runnable next = whenReturned;
                whenReturned = null;
                simulation().at(simulation().nowNs(), next);
            } else if (awaited.isEmpty() && callsLeft == 0) {
                actDone(decision);
            }
        });
    }

    @Override
    public Collection<ProcessId> peersWithSession() {
        return world.talksToAll() ? world.others(id()) : List.of();
    }

    private long communicatorOf(int act) {
        return act < world.program().acts().size()
                        && world.program().acts().get(act).kind() == Kind.FINALIZE
                ? WORLD
                : communicator;
    }

    /**
     * Schedules the next collective step of the program after a drawn time of thought, and perhaps a revocation. Notes
     * that the program has finished if no step is left.
     */
    private void goOn() {
        if (nextAct == world.program().acts().size()) {
            finished = true;
            return;
        }
        SurvivorProgram.Act act = world.program().acts().get(nextAct);
        long thoughtNs = world.pace().drawThoughtNs(random());
        if (process().callsFromNs() > simulation().nowNs() + thoughtNs) {
            simulation().cover(SurvivorEvents.SLOW);
        }
        if (random().chance(act.revokePercent())) {
            long target = communicator;
            simulation().at(simulation().nowNs() + 2 * thoughtNs, () -> revoke(target));
        }
        simulation().at(Math.max(process().callsFromNs(), simulation().nowNs() + thoughtNs), () -> process()
                .input("calls", EventLog.NO_PROCESS, act.kind(), (nowNs, out) -> call(act, nowNs, out)));
    }

    private void call(SurvivorProgram.Act act, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        long target = communicatorOf(nextAct);
        Kind kind = act.oddOne() != id().slot() ? act.kind() : act.kind() == Kind.AGREE ? Kind.SHRINK : Kind.AGREE;
        returned.clear();
        callsLeft = act.calls();
        callNext(target, kind, nowNs, out);
    }

    /**
     * Makes the calls of a step one after the other. Each next call is made at once, after some thought, or when one of
     * the open calls, drawn at random, has returned.
     */
    private void callNext(long target, Kind kind, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        while (callsLeft > 0 && !core.isFenced()) {
            callsLeft--;
            enter(target, kind, nowNs, out);
            if (callsLeft > 0 && random().chance(60)) {
                Runnable next = () -> process()
                        .input(
                                "calls",
                                EventLog.NO_PROCESS,
                                kind,
                                (laterNs, later) -> callNext(target, kind, laterNs, later));
                if (random().chance(50)) {
                    waitsFor = awaited.stream()
                            .skip(random().below(awaited.size()))
                            .findFirst()
                            .orElseThrow();
                    whenReturned = next;
                } else {
                    simulation().at(simulation().nowNs() + world.pace().drawThoughtNs(random()), next);
                }
                return;
            }
        }
    }

    private void enter(long target, Kind kind, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        SlotSet failedBefore = core.failures().failedAmong(registered.get(target), membership);
        failedBeforeCall = failedBefore;
        Contribution mine = new Contribution(kind, Journal.flagOf(id().slot()), drawAcknowledged(kind, failedBefore));
        long sequence = core.enter(target, mine, nowNs, watched(out));
        world.journal()
                .entered(target, sequence, registered.get(target), id().slot(), new Journal.Entry(mine, failedBefore));
        awaited.add(sequence);
    }

    private SlotSet drawAcknowledged(Kind kind, SlotSet known) {
        if (kind != Kind.AGREE && kind != Kind.IAGREE) {
            return SlotSet.ALL;
        }
        SlotSet acknowledged = SlotSet.EMPTY;
        int percent = random().chance(50) ? 100 : 50;
        for (int slot : known.toArray()) {
            if (random().chance(percent)) {
                acknowledged = acknowledged.with(slot);
            }
        }
        return acknowledged;
    }

    private void actDone(Decision decision) {
        boolean shrinks = decision.isOnly(Kind.SHRINK);
        nextAct++;
        if (core.isLeaving()) {
            finished = true;
        } else if (shrinks) {
            ShrinkOutcome shrunk = ShrinkOutcome.of(
                    world.ids(), communicator, returned.lastKey(), registered.get(communicator), decision.failed());
            world.journal()
                    .shrunk(new Journal.Shrunk(
                            world.journal().of(communicator, returned.lastKey()),
                            id().slot(),
                            shrunk.id(),
                            shrunk.members(),
                            failedBeforeCall));
            long buildNs = random().between(0, 3 * world.pace().unitNs());
            simulation().at(simulation().nowNs() + buildNs, () -> process()
                    .input("builds", EventLog.NO_PROCESS, shrunk.members(), (nowNs, out) -> build(shrunk, nowNs, out)));
        } else {
            goOn();
        }
    }

    private void build(ShrinkOutcome shrunk, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (random().chance(2)) {
            // The rank cannot build the communicator, as for want of memory. The others must not wait for this rank,
            // whose program ends with an exception.
            simulation().cover(SurvivorEvents.ABORTED);
            world.journal().revokeCalled(shrunk.id(), id().slot());
            core.aborted(shrunk.id(), shrunk.members(), nowNs, watched(out));
            simulation()
                    .faultAt(
                            simulation().nowNs()
                                    + random().between(0, 10 * world.pace().unitNs()),
                            process()::crash);
            return;
        }
        if (core.isRevoked(shrunk.id())) {
            simulation().cover(SurvivorEvents.EARLY_REVOCATION);
        }
        registered.put(shrunk.id(), shrunk.members());
        everRegistered.add(shrunk.id());
        core.register(shrunk.id(), shrunk.members(), world.shape(), nowNs, watched(out));
        if (communicator != WORLD && random().chance(50)) {
            core.freed(communicator, nowNs, watched(out));
            registered.remove(communicator);
        }
        communicator = shrunk.id();
        afterStep(this::goOn);
    }

    private void revoke(long target) {
        process().input("revokes", EventLog.NO_PROCESS, Long.toHexString(target), (nowNs, out) -> {
            if (registered.containsKey(target)) {
                world.journal().revokeCalled(target, id().slot());
                core.revoke(target, nowNs, watched(out));
            }
        });
    }

    /**
     * Notes that Finalize is decided: the launcher has the goodbye, and after a drawn time the process ends. Unless its
     * messages may be lost, it ends only once they are handed over or given up.
     */
    private void leave() {
        saidGoodbye = true;
        simulation().cover(SurvivorEvents.LEFT);
        long lingersNs = random().chance(20)
                ? random().between(0, 2 * Pace.TIMING.detectorTimeoutNs())
                : random().between(0, 3 * world.pace().unitNs());
        simulation().faultAt(simulation().nowNs() + lingersNs, () -> exit(world.exitsMayLose()));
    }

    @Override
    protected Outbox<ProcessId, ControlMessage> watched(Outbox<ProcessId, ControlMessage> out) {
        return watched(null, null, out);
    }

    /** Begins a step, whose messages are watched. */
    private Outbox<ProcessId, ControlMessage> watched(
            ProcessId from, ControlMessage taken, Outbox<ProcessId, ControlMessage> out) {
        List<Watch> watches = world.watches();
        for (int i = 0; i < watches.size(); i++) {
            watches.get(i).stepBegins(this, from, taken);
        }
        Outbox<ProcessId, ControlMessage> seen = witness.over(out);
        return (to, message) -> {
            for (int i = 0; i < watches.size(); i++) {
                watches.get(i).sends(this, to, message);
            }
            send(to, message, seen);
        };
    }
}
