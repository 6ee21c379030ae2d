package org.ulfmj.check.grow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.Effects;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.change.GrowTerms;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * A process under one name: the shipped core of that name, and the program once the core is in a world. A seat only
 * sends to processes whose contact it knows. While it waits, it takes messages also of processes that were not
 * introduced to it, and from then on knows these.
 */
public final class GrowSeat implements Effects {
    private record Early(int node, Letter letter) {}

    private final GrowProcess process;
    private final GrowWorld world;
    private final ProcessId name;
    private final Map<ProcessId, Contact> known = new TreeMap<>();
    private final List<Early> strangers = new ArrayList<>();
    private final List<ProcessId> silent = new ArrayList<>();
    private SurvivorCore core;
    private Membership membership;
    private long communicator = GrowWorld.FIRST_WORLD;
    private Admission admission;
    private int nextAct;
    private Kind waitsIn;
    private boolean isOdd;
    private boolean finished;
    private long agreementsBefore;
    private long looksNs = Long.MAX_VALUE;

    /** @param membership null for a process that waits */
    GrowSeat(GrowProcess process, ProcessId name, Membership membership) {
        this.process = process;
        this.world = process.world();
        this.name = name;
        this.membership = membership;
    }

    void take(SurvivorCore shipped) {
        core = shipped;
    }

    void learn(Contact one) {
        known.put(one.process(), one);
    }

    void start(long nowNs, Outbox<Integer, Letter> out) {
        core.start(nowNs, to(out));
        if (membership != null) {
            core.register(communicator, membership.slots(), world.shape(), nowNs, to(out));
            process.then(this::goOn);
        }
    }

    public ProcessId name() {
        return name;
    }

    public SurvivorCore core() {
        return core;
    }

    /** The world that the process is in; null while it waits. */
    public Membership membership() {
        return membership;
    }

    /** The last world that the process returned into or was welcomed into; null if there was none. */
    public Admission admission() {
        return admission;
    }

    public long communicator() {
        return communicator;
    }

    public boolean hasFinished() {
        return finished;
    }

    public String waitsFor() {
        return waitsIn == null ? "its next call" : waitsIn + ": " + core;
    }

    /** Whether a process with this nonce is marked failed in this seat. */
    boolean holdsForFailed(long nonce) {
        for (Contact contact : known.values()) {
            if (contact.nonce() == nonce && core.failures().hasFailed(contact.process())) {
                return true;
            }
        }
        return false;
    }

    /** The contact of a member of the world that the process is in. */
    public Contact contactOf(int slot) {
        return admission == null
                ? known.get(membership.process(slot))
                : admission.members().get(slot);
    }

    Outbox<ProcessId, ControlMessage> to(Outbox<Integer, Letter> out) {
        return (to, message) -> {
            Contact contact = known.get(to);
            if (contact == null) {
                throw new Violation("no process talks to strangers: " + process + " says " + message + " to " + to
                        + ", to which it was not introduced");
            }
            out.send(GrowWorld.nodeOf(contact), new Letter(name, process.nonce(), to, contact.nonce(), message));
        };
    }

    // Events from outside.

    void onLetter(int node, Letter letter, long nowNs, Outbox<Integer, Letter> out) {
        Contact sender = known.get(letter.from());
        if (sender == null && membership == null) {
            sender = new Contact(letter.from(), letter.fromNonce(), new byte[] {(byte) node});
            learn(sender);
        }
        if (sender == null) {
            strangers.add(new Early(node, letter));
        } else if (sender.nonce() == letter.fromNonce()) { // G10: else the link is refused
            core.onMessage(letter.from(), letter.message(), nowNs, to(out));
        }
    }

    void onTick(long nowNs, Outbox<Integer, Letter> out) {
        core.onTick(nowNs, to(out));
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, name, "silent");
        for (ProcessId each : List.copyOf(silent)) {
            if (isJudgedGone(each)) {
                silent.remove(each);
                core.onEvidence(each, evidence, nowNs, to(out));
            }
        }
        looksNs = silent.isEmpty() ? Long.MAX_VALUE : nowNs + Pace.TIMING.detectorTimeoutNs();
    }

    /**
     * J2: whether a silent process counts as failed: it has ended, or it is paused and so would not answer the
     * launcher.
     */
    private boolean isJudgedGone(ProcessId about) {
        GrowProcess process = world.of(known.get(about));
        return !process.isRunning() || process.process().isPaused();
    }

    long nextDeadlineNs() {
        return Math.min(core.nextDeadlineNs(), looksNs);
    }

    /** G10: the process with this nonce has answered that it is not the process of this name. */
    void onNotMe(ProcessId other, long itsNonce, long nowNs, Outbox<Integer, Letter> out) {
        core.onNotMe(other, itsNonce, nowNs, to(out));
    }

    void learnOfEnd(GrowProcess gone, long nowNs, Outbox<Integer, Letter> out) {
        core.onEnd(gone.nonce(), gone.evidence(name), nowNs, to(out));
    }

    // The effects that the core asks for.

    @Override
    public void silent(ProcessId other) {
        silent.add(other);
    }

    @Override
    public void heard(ProcessId other) {
        silent.remove(other);
    }

    @Override
    public void drain(ProcessId dead) {
        process.then(() -> {
            long delayNs = process.random().chance(50) ? 0 : process.random().between(0, Pace.LONGEST_DRAIN_NS);
            input(delayNs, "drained", (nowNs, out) -> core.onDrained(dead, nowNs, to(out)));
        });
    }

    @Override
    public void failed(ProcessId failed, Evidence evidence) {
        silent.remove(failed);
        Contact contact = known.get(failed);
        if (contact != null && world.of(contact).isRunning()) {
            world.log().suspectedWrongly();
        }
        process.then(() -> process.log("marks " + failed, evidence.kind()));
    }

    @Override
    public void departed(ProcessId departed) {
        silent.remove(departed);
        process.then(() -> process.log("departs", departed));
    }

    @Override
    public void revoked(long ofCommunicator) {
        throw new Violation("a revocation that no process called for");
    }

    @Override
    public void fenced(String reason) {
        process.then(() -> {
            process.log("fences", reason);
            process.process().end(SimProcess.End.FENCED);
        });
    }

    @Override
    public void goneOnWithout(String why) {
        process.then(() -> {
            process.log("goes away", why);
            process.process().end(SimProcess.End.LEFT);
        });
    }

    @Override
    public Collection<ProcessId> peersWithSession() {
        return List.of();
    }

    @Override
    public Contact contact(ProcessId about) {
        return known.get(about);
    }

    @Override
    public CommunicatorIds ids() {
        return world.ids();
    }

    /**
     * The core asks for the placement also in the middle of the step in which a member enters a world, before any
     * newcomer is welcomed. So this is where the log notes which call makes the world.
     */
    @Override
    public Placement placement(Admission of) {
        if (of.world() != 0 && membership != null) {
            world.log().makes(of.world(), nextAct);
        }
        return Placement.ONE_HOST;
    }

    @Override
    public void introduce(Contact contact) {
        Contact before = known.put(contact.process(), contact);
        if (before != null && before.nonce() == contact.nonce()) {
            return;
        }
        List<Early> early = new ArrayList<>();
        strangers.removeIf(one -> one.letter().from().equals(contact.process()) && early.add(one));
        process.then(() -> {
            for (Early one : early) {
                input(0, "reads", (nowNs, out) -> onLetter(one.node(), one.letter(), nowNs, out));
            }
        });
    }

    private void input(long delayNs, String verb, SimProcess.Step<Integer, Letter> step) {
        process.simulation().at(process.simulation().nowNs() + delayNs, () -> process.process()
                .input(verb, EventLog.NO_PROCESS, name, (nowNs, out) -> {
                    if (!core.isFenced()) {
                        step.run(nowNs, out);
                    }
                }));
    }

    @Override
    public void changeEnded(long ofCommunicator, ChangeOutcome outcome) {
        process.then(() -> onReturn(ofCommunicator, outcome));
    }

    private void onReturn(long ofCommunicator, ChangeOutcome outcome) {
        process.log("returns", outcome);
        long agreements = core.agreements().last(communicator) - agreementsBefore;
        boolean isGrow = waitsIn == Kind.GROW;
        waitsIn = null;
        if (outcome instanceof ChangeOutcome.Admitted admitted) {
            enter(admitted.admission(), true, agreements);
            nextAct++;
            build(ofCommunicator);
        } else if (outcome instanceof ChangeOutcome.Unchanged && isGrow) {
            process.simulation().cover(GrowEvents.UNCHANGED);
            if (core.waiting(Integer.MAX_VALUE) > 0) {
                process.simulation().cover(GrowEvents.BEYOND_THE_MOST);
            }
            world.log().add(new GrowLog.Unchanged(process, ofCommunicator, nextAct, agreements));
            nextAct++;
            goOn();
        } else if (outcome instanceof ChangeOutcome.Mixed mixed
                && world.program().isMixed()) {
            process.simulation().cover(GrowEvents.MIXED);
            if (mixed.decision().isOfOneKind()) {
                throw new Violation("mixed calls have two kinds: " + mixed);
            }
            stop();
        } else {
            throw new Violation("no call of " + process + " ends with " + outcome);
        }
    }

    @Override
    public void welcomed(Admission told) {
        process.then(() -> {
            process.log("welcomed", told);
            nextAct = world.log().actOf(told.world());
            enter(told, false, 0);
            process.isPlaced();
            nextAct++;
            build(null);
        });
    }

    private void enter(Admission entered, boolean isSurvivor, long agreements) {
        world.log().add(new GrowLog.Entry(process, isSurvivor, communicator, entered, agreements, nextAct));
        admission = entered;
        membership = entered.membership();
        communicator = entered.world();
        process.launcher().committed(process, entered);
    }

    /** Builds the communicator of the new world, at once or a little later, and then perhaps frees the former one. */
    private void build(Long former) {
        long buildNs = process.random().chance(50)
                ? 0
                : process.random().between(0, 3 * world.pace().unitNs());
        boolean frees = former != null && process.random().chance(70);
        input(buildNs, "builds", (nowNs, out) -> {
            core.register(communicator, membership.slots(), world.shape(), nowNs, to(out));
            if (frees) {
                core.freed(former, nowNs, to(out));
            }
            process.then(this::goOn);
        });
    }

    @Override
    public void decided(long ofCommunicator, long sequence, Decision decision) {
        process.then(() -> onDecided(decision));
    }

    private void onDecided(Decision decision) {
        process.log("decides", decision);
        waitsIn = null;
        if (core.isLeaving()) {
            finished = true;
            if (process.isJoiner()) {
                process.simulation().cover(GrowEvents.FINALIZED);
            }
            process.leaves();
        } else if (decision.isOfOneKind() && !isOdd) {
            nextAct++;
            goOn();
        } else if (world.program().isMixed()) {
            stop();
        } else {
            throw new Violation("all members make the same calls, and " + process + " decides " + decision);
        }
    }

    private void stop() {
        nextAct = world.program().acts().size();
        goOn();
    }

    // The steps of the program.

    private void goOn() {
        if (nextAct >= world.program().acts().size()) {
            finished = true;
            return;
        }
        GrowProgram.Act act = world.program().acts().get(nextAct);
        Kind kind = act.kindOf(name.slot());
        long atNs = process.simulation().nowNs() + world.pace().drawThoughtNs(process.random());
        long callsNs = Math.max(process.process().callsFromNs(), atNs);
        process.simulation()
                .at(callsNs, () -> process.process().input("calls", EventLog.NO_PROCESS, kind, (nowNs, out) -> {
                    if (!core.isFenced()) {
                        isOdd = kind != act.kind();
                        call(kind, nowNs, to(out));
                    }
                }));
    }

    private void call(Kind kind, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        waitsIn = kind;
        agreementsBefore = core.agreements().last(communicator);
        if (kind == Kind.GROW) {
            core.grow(communicator, new GrowTerms(world.program().most()), nowNs, out);
        } else if (kind == Kind.REPLACE) {
            core.replace(communicator, world.terms(), nowNs, out);
        } else {
            core.enter(communicator, new Contribution(kind, ~(1 << name.slot() % 31), SlotSet.ALL), nowNs, out);
        }
    }
}
