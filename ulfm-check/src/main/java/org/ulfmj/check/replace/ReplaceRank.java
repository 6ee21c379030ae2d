package org.ulfmj.check.replace;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.survivor.CoreRank;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * One simulated process, of incarnation 0 or a newcomer, and its program.
 *
 * <p>A process can only send to processes that it was introduced to. Messages from other processes wait until it is
 * introduced to their senders.
 */
public final class ReplaceRank extends CoreRank {
    /** The id of COMM_WORLD in epoch 0. */
    static final long FIRST_WORLD = 0x3081;

    /** A message that waits until this process is introduced to its sender. */
    private record Early(ProcessId from, ControlMessage message) {}

    private final ReplaceWorld world;
    private final Contact contact;
    private final Map<ProcessId, Contact> known = new TreeMap<>();
    private final List<Early> strangers = new ArrayList<>();
    private final SortedMap<String, Decision> decisions = new TreeMap<>();

    private final SurvivorCore core;
    private final Asides asides;
    private Launcher launcher;
    private Membership membership;
    private long communicator;
    private Admission admission;
    private int nextAct;
    private Kind waitsIn;
    private boolean comesBack;
    private boolean isOdd;
    private boolean finished;
    private boolean saidGoodbye;
    private boolean believesMembers = true;
    private final List<Early> welcomes = new ArrayList<>();
    private long calledNs;
    private long agreementsBefore;

    /**
     * @param gathered the world, made by roll call, in which the process begins; null for a member of the first world,
     *     and for a newcomer
     */
    ReplaceRank(
            ReplaceWorld world, Contact contact, Admission gathered, SimProcess<ProcessId, ControlMessage> process) {
        super(world.simulation(), world.network(), contact.process(), process, contact.process());
        this.world = world;
        this.contact = contact;
        this.asides = new Asides(this, world);
        if (isNewcomer() && gathered == null) {
            this.core = SurvivorCore.newcomer(
                    id(), contact.nonce(), Pace.TIMING, world.needsMajority(), this, process.clockNs());
        } else {
            this.admission = gathered;
            this.membership = gathered == null
                    ? world.first()
                    : gathered.membership()
                            .on(world.placement(gathered.members().values()));
            this.core = new SurvivorCore(id(), membership, Pace.TIMING, world.needsMajority(), this, process.clockNs());
        }
        if (world.keepsHouse()) {
            core.keepHouseAt(1);
        }
        if (world.putsOffObituaries()) {
            putOffObituaries();
        }
    }

    /** Starts a process of the first world, or a fresh process of a world made by roll call. */
    public void start(Launcher newLauncher, Collection<Contact> members) {
        launcher = newLauncher;
        communicator = admission == null ? FIRST_WORLD : admission.world();
        nextAct = admission == null ? 0 : world.program().firstActIn(admission.epoch());
        members.forEach(this::learn);
        process().start(this, (nowNs, out) -> {
            core.start(nowNs, watched(out));
            core.register(communicator, membership.slots(), world.shape(), nowNs, watched(out));
            asides.worldBegins(communicator, membership);
        });
        goOn();
    }

    /** Starts a newcomer. It has joined, knows the members that the launcher knew, and waits to be admitted. */
    public void join(Launcher newLauncher, Collection<Contact> members) {
        launcher = newLauncher;
        members.forEach(this::learn);
        learn(contact);
        process().start(this, (nowNs, out) -> core.start(nowNs, watched(out)));
    }

    private void learn(Contact one) {
        known.put(one.process(), one);
    }

    @Override
    public SurvivorCore core() {
        return core;
    }

    public Asides asides() {
        return asides;
    }

    public Contact contact() {
        return contact;
    }

    /** Returns the world that the process is in; null for a newcomer that was not told of one yet. */
    public Membership membership() {
        return membership;
    }

    /**
     * Returns the last world that the process returned into, was told of, or was started in after a roll call; null if
     * there is none.
     */
    public Admission admission() {
        return admission;
    }

    /** Whether the launcher has started the process in the place of an earlier one. */
    public boolean isNewcomer() {
        return id().incarnation() > 0;
    }

    /** Whether the process was told of no world yet. */
    public boolean isPending() {
        return membership == null;
    }

    public boolean hasFinished() {
        return finished && asides.areDone();
    }

    /** Whether the process waits in a replace. */
    public boolean isReplacing() {
        return waitsIn == Kind.REPLACE;
    }

    /**
     * Returns the decisions that the calls of the process have returned, of its program and besides it, without those
     * of replaces, by communicator and number.
     */
    public SortedMap<String, Decision> decisions() {
        return decisions;
    }

    /** The time at which the process made the last collective call of its program. */
    public long calledNs() {
        return calledNs;
    }

    /**
     * How many agreements the process had entered on the communicator when it made the last collective call of its
     * program.
     */
    long agreementsBefore() {
        return agreementsBefore;
    }

    public long communicator() {
        return communicator;
    }

    public String waitsFor() {
        return isPending()
                ? "its welcome"
                : finished ? asides.waitsFor() : waitsIn == null ? "its next call" : waitsIn + ": " + core;
    }

    @Override
    public boolean isWatching() {
        return process().isRunning() && !core.isLeaving() && !isPending();
    }

    @Override
    public boolean hasLeft() {
        return saidGoodbye;
    }

    // Events from outside.

    /** Takes the news of the launcher that a newcomer waits to be admitted. */
    void hearsOf(Contact newcomer) {
        input("pending", newcomer.process(), (nowNs, out) -> core.pending(newcomer, nowNs, watched(out)));
    }

    /** Takes the news of the launcher that it will start no process in a slot any more. */
    void hearsOfNoMore(int slot, String why) {
        input("no more", ProcessId.of(slot), (nowNs, out) -> core.noMore(slot, why, nowNs, watched(out)));
    }

    /** Tells the process that the launcher has died. */
    void losesTheLauncher(String why) {
        input("orphaned", id(), (nowNs, out) -> core.noMore(why, nowNs, watched(out)));
    }

    /**
     * The launcher asks this process, by roll call, whether it runs in a world. If the answer is that it waits, the
     * process takes no welcome of a member until the launcher allows that again.
     */
    void isAskedWhetherItRuns(Consumer<Boolean> answer) {
        process().input("is asked", EventLog.NO_PROCESS, null, (nowNs, out) -> {
            believesMembers = !isPending();
            boolean runs = believesMembers;
            afterStep(() -> answer.accept(runs));
        });
    }

    /**
     * The launcher knows that a member runs, or has made this process one, so this process may take the welcomes of
     * members again, also those that it kept.
     */
    public void mayBeAdmitted() {
        process().input("may be admitted", EventLog.NO_PROCESS, null, (nowNs, out) -> {
            believesMembers = true;
            for (Early one : List.copyOf(welcomes)) {
                take(one.from(), one.message(), nowNs, out);
            }
            welcomes.clear();
        });
    }

    /**
     * The launcher tells this waiting process that it is a member of a gathered world, which the core takes as a
     * welcome. Welcomes by members of the earlier world, which were kept, are handled after that.
     */
    void isGathered(Admission gathered) {
        process().input("gathered", EventLog.NO_PROCESS, gathered, (nowNs, out) -> {
            if (!welcomes.isEmpty()) {
                simulation().cover(ReplaceEvents.KEPT);
            }
            core.onMessage(
                    id(), new ControlMessage.Welcome(gathered, SlotSet.EMPTY, new TreeSet<>()), nowNs, watched(out));
        });
        mayBeAdmitted();
    }

    /** The launcher sends the process away. The process ends if it still waits to be admitted. */
    public void isSentAway(String why) {
        process().input("sent away", EventLog.NO_PROCESS, why, (nowNs, out) -> {
            if (isPending()) {
                afterStep(() -> goesAway(why));
            }
        });
    }

    /**
     * The launcher goes by a different world than the one that this process is in. This process is fenced, unless it is
     * already leaving.
     */
    public void isExcluded() {
        if (!core.isLeaving()) {
            process().endWhenAwake(SimProcess.End.FENCED);
        }
    }

    @Override
    public void onMessage(ProcessId from, ControlMessage message, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (!known.containsKey(from)) {
            strangers.add(new Early(from, message));
            return;
        }
        take(from, message, nowNs, out);
    }

    private void take(ProcessId from, ControlMessage message, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (message instanceof ControlMessage.Welcome && !believesMembers) {
            welcomes.add(new Early(from, message));
            return;
        }
        Admission before = admission;
        core.onMessage(from, message, nowNs, watched(out));
        if (message instanceof ControlMessage.Welcome welcome
                && before != null
                && welcome.admission().epoch() == before.epoch()
                && !welcome.admission().equals(before)
                && !core.failures().hasFailed(from)) {
            simulation().cover(ReplaceEvents.TOLD_TWICE);
            if (!core.isFenced() && !core.isLeaving()) {
                throw new Violation("a process that is told otherwise ends: " + this + " is in " + before
                        + ", was told " + welcome + " by " + from + ", and runs on");
            }
        }
    }

    // The effects that the core asks for.

    @Override
    public void failed(ProcessId failed, Evidence evidence) {
        ReplaceRank other = world.of(failed);
        if (other != null && other.isRunning()) {
            world.worlds().suspectedWrongly();
            afterStep(() -> launcher.isTold(other));
        }
        super.failed(failed, evidence);
    }

    @Override
    public Contact contact(ProcessId about) {
        return known.get(about);
    }

    @Override
    public Placement placement(Admission of) {
        return world.placement(of.members().values());
    }

    @Override
    public CommunicatorIds ids() {
        return world.ids();
    }

    @Override
    public void introduce(Contact newcomer) {
        if (known.put(newcomer.process(), newcomer) != null) {
            return;
        }
        List<Early> early = new ArrayList<>();
        strangers.removeIf(one -> one.from().equals(newcomer.process()) && early.add(one));
        if (!early.isEmpty()) {
            afterStep(() -> simulation().at(simulation().nowNs(), () -> takeEarly(early)));
        }
    }

    private void takeEarly(List<Early> early) {
        for (Early one : early) {
            input("reads", one.from(), (nowNs, out) -> take(one.from(), one.message(), nowNs, out));
        }
    }

    @Override
    public void changeEnded(long ofCommunicator, ChangeOutcome outcome) {
        afterStep(() -> onReplaced(ofCommunicator, outcome));
    }

    private void onReplaced(long ofCommunicator, ChangeOutcome outcome) {
        log("replaced", process().node(), outcome);
        waitsIn = null;
        if (outcome instanceof ChangeOutcome.Admitted admitted) {
            enter(admitted.admission(), true);
            nextAct++;
            build(ofCommunicator);
        } else if (outcome instanceof ChangeOutcome.Incomplete notReplaced) {
            simulation().cover(ReplaceEvents.NOT_REPLACED);
            world.outcomes().add(this, notReplaced);
            nextAct = world.program().acts().size();
            afterFailure();
        } else {
            simulation().cover(ReplaceEvents.MIXED);
            nextAct = world.program().acts().size();
            goOn();
        }
    }

    /**
     * After a replace that failed, this process shrinks its communicator, as a program would that goes on with fewer
     * processes.
     */
    private void afterFailure() {
        later("calls", Kind.SHRINK, (nowNs, out) -> enterAgreement(Kind.SHRINK, nowNs, out));
    }

    @Override
    public void welcomed(Admission told) {
        afterStep(() -> {
            log("welcomed", process().node(), told);
            enter(told, false);
            nextAct = world.program().firstActIn(told.epoch());
            build(null);
        });
    }

    @Override
    public void goneOnWithout(String why) {
        afterStep(() -> goesAway(why));
    }

    private void goesAway(String why) {
        log("goes away", process().node(), why);
        simulation().cover(ReplaceEvents.WENT_AWAY);
        process().end(SimProcess.End.LEFT);
    }

    private void enter(Admission entered, boolean isSurvivor) {
        long agreements = isSurvivor ? core.agreements().last(communicator) - agreementsBefore : 0;
        asides.worldEnds(communicator);
        admission = entered;
        membership = entered.membership().on(placement(entered));
        if (!placement(entered).isOneHost()) {
            simulation().cover(ReplaceEvents.SEVERAL_HOSTS);
        }
        communicator = entered.world();
        world.worlds().add(this, isSurvivor, entered, agreements);
        launcher.onCommitted(this, entered);
    }

    /**
     * Builds the communicator of the new world now or a little later, and then perhaps frees the former one.
     *
     * @param former the communicator of the world before; null at a newcomer
     */
    private void build(Long former) {
        long buildNs =
                random().chance(50) ? 0 : random().between(0, 3 * world.pace().unitNs());
        boolean frees = former != null && random().chance(70);
        simulation().at(simulation().nowNs() + buildNs, () -> process()
                .input("builds", EventLog.NO_PROCESS, Long.toHexString(communicator), (nowNs, out) -> {
                    core.register(communicator, membership.slots(), world.shape(), nowNs, watched(out));
                    asides.worldBegins(communicator, membership);
                    if (frees) {
                        core.freed(former, nowNs, watched(out));
                    }
                    afterStep(this::goOn);
                }));
    }

    @Override
    public void decided(long ofCommunicator, long sequence, Decision decision) {
        afterStep(() -> onDecided(ofCommunicator, sequence, decision));
    }

    private void onDecided(long ofCommunicator, long sequence, Decision decision) {
        log("decides", process().node(), decision);
        decisions.put(Long.toHexString(ofCommunicator) + " " + sequence, decision);
        if (ofCommunicator != communicator && asides.take(ofCommunicator, sequence, decision)) {
            return;
        }
        waitsIn = null;
        if (core.isLeaving()) {
            finished = true;
            if (isNewcomer()) {
                simulation().cover(ReplaceEvents.LEFT);
            }
            leave();
        } else if (comesBack) {
            comesBack = false;
            later("calls", Kind.REPLACE, this::replace);
        } else if (decision.isOfOneKind()
                && !isOdd
                && nextAct < world.program().acts().size()) {
            nextAct++;
            goOn();
        } else {
            nextAct = world.program().acts().size();
            goOn();
        }
    }

    // The steps of the program.

    private void goOn() {
        if (nextAct >= world.program().acts().size()) {
            finished = true;
            return;
        }
        ReplaceProgram.Act act = world.program().acts().get(nextAct);
        asides.drawRevocation();
        later("calls", act.kindOf(id().slot()), (nowNs, out) -> call(act, nowNs, out));
    }

    private void later(String verb, Kind kind, SimProcess.Step<ProcessId, ControlMessage> step) {
        long atNs = simulation().nowNs() + world.pace().drawThoughtNs(random());
        simulation().at(Math.max(process().callsFromNs(), atNs), () -> process()
                .input(verb, EventLog.NO_PROCESS, kind, step));
    }

    private void call(ReplaceProgram.Act act, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        Kind kind = act.kindOf(id().slot());
        if (kind == Kind.FINALIZE && !asides.areDone()) {
            asides.whenDone(this::goOn); // all requests are complete when a program leaves
        } else if (kind == Kind.REPLACE) {
            replace(nowNs, out);
        } else {
            comesBack = act.comesBack(id().slot());
            isOdd = kind != act.kind();
            enterAgreement(kind, nowNs, out);
        }
    }

    private void replace(long nowNs, Outbox<ProcessId, ControlMessage> out) {
        isOdd = false;
        begins(Kind.REPLACE);
        core.replace(communicator, world.terms(), nowNs, watched(out));
    }

    private void enterAgreement(Kind kind, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        begins(kind);
        core.enter(communicator, new Contribution(kind, ~(1 << id().slot()), SlotSet.ALL), nowNs, watched(out));
    }

    private void begins(Kind kind) {
        waitsIn = kind;
        calledNs = simulation().nowNs();
        agreementsBefore = core.agreements().last(communicator);
    }

    // Calls beside the program.

    public SeededRandom draws() {
        return random();
    }

    public void then(Runnable next) {
        afterStep(next);
    }

    public void input(String verb, Object detail, SimProcess.Step<ProcessId, ControlMessage> step) {
        process().input(verb, EventLog.NO_PROCESS, detail, (nowNs, out) -> {
            if (!core.isFenced()) {
                step.run(nowNs, watched(out));
            }
        });
    }

    @Override
    public void revoked(long ofCommunicator) {
        if (!asides.revoked().add(ofCommunicator)) {
            throw new Violation("an event is told once: " + this + " of " + Long.toHexString(ofCommunicator));
        }
    }

    @Override
    public void forgotten(long ofCommunicator) {
        asides.forgets(ofCommunicator);
    }

    private void leave() {
        saidGoodbye = true;
        long lingersNs = random().between(0, 3 * world.pace().unitNs());
        simulation().faultAt(simulation().nowNs() + lingersNs, () -> exit(false));
    }

    @Override
    protected Outbox<ProcessId, ControlMessage> watched(Outbox<ProcessId, ControlMessage> out) {
        return (to, message) -> {
            if (!known.containsKey(to)) {
                throw new Violation("no process talks to strangers: " + this + " says " + message + " to " + to
                        + ", to which it was not introduced");
            }
            for (ReplaceWorld.Said watch : world.watches()) {
                watch.sends(this, to, message);
            }
            send(to, message, out);
        };
    }

    @Override
    public String toString() {
        return "process " + id() + (isRunning() ? "" : " (" + process().end() + ")");
    }
}
