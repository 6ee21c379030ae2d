package org.ulfmj.sim.uniform;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.ulfmj.agree.Contribution;
import org.ulfmj.agree.ControlMessage;
import org.ulfmj.agree.Decision;
import org.ulfmj.agree.Effects;
import org.ulfmj.agree.Kind;
import org.ulfmj.agree.ShrinkOutcome;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.RingDetector;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.detector.Member;
import org.ulfmj.sim.detector.Pace;

/** One rank: the shipped survivor core, and a program that agrees uniformly, on communicators that it shrinks now and then. */
final class UniformRank implements Member, Effects, Protocol<ProcessId, ControlMessage> {
    private static final long WORLD = 0x3081;
    private static final long LONGEST_DRAIN_NS = 30_000_000;

    private final UniformWorld world;
    private final Simulation simulation;
    private final ProcessId id;
    private final Membership membership;
    private final SimProcess<ProcessId, ControlMessage> process;
    private final SurvivorCore core;
    private final SeededRandom random;
    private final List<UniformRank> ranks;
    private final List<Runnable> afterStep = new ArrayList<>();

    private long communicator = WORLD;
    private SlotRuns members;
    private long sequence;
    private int nextCall;
    private boolean waits;
    private int open;

    /** @param ranks all of the world, to see who runs */
    UniformRank(
            UniformWorld world,
            int slot,
            Membership membership,
            SimProcess<ProcessId, ControlMessage> process,
            List<UniformRank> ranks) {
        this.world = world;
        this.simulation = world.simulation();
        this.id = ProcessId.of(slot);
        this.membership = membership;
        this.members = membership.slots();
        this.process = process;
        this.ranks = ranks;
        this.random = simulation.random("program " + slot);
        this.core = new SurvivorCore(id, membership, Pace.TIMING, world.needsMajority(), this, process.clockNs());
        process.afterStep(this::afterStep);
    }

    void start() {
        process.start(this, (nowNs, out) -> {
            core.start(nowNs, out);
            core.register(WORLD, members, nowNs, out);
        });
        goOn();
    }

    boolean hasFinished() {
        return nextCall == world.calls().size() && !waits && open == 0;
    }

    RingDetector ring() {
        return core.ring();
    }

    /** What the rank waits for, in words. */
    String waitsFor() {
        return waits ? core.describe(communicator, sequence) : open + " calls that it began";
    }

    /** Whether the first half of a call is decided here, and the call not over. */
    boolean isBetweenTheHalvesOf(long ofCommunicator, long call) {
        return waits
                && communicator == ofCommunicator
                && sequence == call
                && core.storedDecision(communicator, sequence) != null;
    }

    @Override
    public ProcessId id() {
        return id;
    }

    @Override
    public SimProcess<?, ?> process() {
        return process;
    }

    @Override
    public FailureSet failures() {
        return core.failures();
    }

    @Override
    public void learnOfEnd(Member ended) {
        Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, id, "ended");
        input("told", ended.id(), (nowNs, out) -> core.onEvidence(ended.id(), evidence, nowNs, out));
    }

    @Override
    public void suspect(ProcessId other) {
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, id, "suspected");
        input("suspects", other, (nowNs, out) -> core.onEvidence(other, evidence, nowNs, out));
    }

    private void input(String verb, ProcessId about, SimProcess.Step<ProcessId, ControlMessage> step) {
        process.input(verb, about.slot(), null, step);
    }

    @Override
    public void onMessage(ProcessId from, ControlMessage message, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        core.onMessage(from, message, nowNs, out);
    }

    @Override
    public void onTick(long nowNs, Outbox<ProcessId, ControlMessage> out) {
        core.onTick(nowNs, out);
    }

    @Override
    public long nextDeadlineNs() {
        return core.nextDeadlineNs();
    }

    @Override
    public void drain(ProcessId dead) {
        afterStep.add(() -> {
            long delayNs = random.chance(50) ? 0 : random.between(0, LONGEST_DRAIN_NS);
            simulation.at(
                    simulation.nowNs() + delayNs,
                    () -> input("drained", dead, (nowNs, out) -> core.onDrained(dead, nowNs, out)));
        });
    }

    @Override
    public void failed(ProcessId failed, Evidence evidence) {
        if (ranks.get(failed.slot()).isRunning()) {
            world.returns().suspectedWrongly();
        }
        afterStep.add(() -> log("marks", failed.slot(), evidence.kind()));
    }

    /** Nobody leaves in these programs. */
    @Override
    public void departed(ProcessId departed) {
        throw new IllegalStateException(departed + " has departed, and no rank calls Finalize");
    }

    /** Nobody revokes in these programs. */
    @Override
    public void revoked(long revokedCommunicator) {
        throw new IllegalStateException("a revocation that nobody called for");
    }

    @Override
    public void decided(long ofCommunicator, long call, Decision decision) {
        afterStep.add(() -> onDecided(call, decision));
    }

    private void onDecided(long call, Decision decision) {
        log("returns", EventLog.NOBODY, decision.flags() + " failed " + decision.failed());
        if (decision.isOnly(Kind.AGREE_UNIFORM)) {
            Decision second = core.storedDecision(communicator, call + 1);
            SlotSet listed =
                    second == null ? decision.failed() : decision.failed().union(second.failed());
            SlotSet known = core.failures().failedAmong(members, membership);
            world.returns().add(new Returns.Return(communicator, call, this, decision, listed, known));
        } else if (decision.isOnly(Kind.IAGREE)) {
            open--;
            return;
        }
        waits = false;
        if (!decision.isOnly(Kind.SHRINK)) {
            goOn();
            return;
        }
        ShrinkOutcome shrunk = ShrinkOutcome.of(world.ids(), communicator, call, members, decision.failed());
        long buildNs = random.between(0, 3 * world.pace().unitNs());
        simulation.at(
                simulation.nowNs() + buildNs,
                () -> input("builds", id, (nowNs, out) -> {
                    communicator = shrunk.id();
                    members = shrunk.members();
                    core.register(communicator, members, nowNs, out);
                    afterStep.add(this::goOn);
                }));
    }

    @Override
    public void fenced(String reason) {
        afterStep.add(() -> {
            log("fences", EventLog.NOBODY, reason);
            if (reason.contains("ulfm.ft.quorum")) {
                simulation.cover(UniformScenario.NO_QUORUM);
            }
            process.end(SimProcess.End.FENCED);
        });
    }

    @Override
    public Collection<ProcessId> peersWithSession() {
        return List.of();
    }

    private void afterStep() {
        List<Runnable> pending = List.copyOf(afterStep);
        afterStep.clear();
        for (Runnable effect : pending) {
            if (process.isRunning()) {
                effect.run();
            }
        }
    }

    /** The program goes on: its next call comes after some thought. */
    private void goOn() {
        if (nextCall == world.calls().size()) {
            return;
        }
        Kind kind = world.calls().get(nextCall++);
        waits = true;
        sequence = 0;
        simulation.at(
                simulation.nowNs() + world.pace().drawThoughtNs(random),
                () -> process.input("calls", EventLog.NOBODY, kind, (nowNs, out) -> call(kind, nowNs, out)));
    }

    private void call(Kind kind, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        SlotSet acknowledged = kind == Kind.SHRINK || random.chance(50)
                ? SlotSet.ALL
                : core.failures().failedAmong(members, membership);
        // The call may be decided, as a step of this very step, before its number is known here.
        sequence = core.lastAgreement(communicator) + 1;
        Contribution mine = new Contribution(kind, ~(1 << id.slot()), acknowledged);
        if (kind == Kind.IAGREE) {
            open++;
            waits = false;
            afterStep.add(this::goOn);
        }
        core.enter(communicator, mine, nowNs, out);
    }

    private void log(String verb, int other, Object detail) {
        simulation.log().add(simulation.nowNs(), id.slot(), verb, other, detail);
    }

    @Override
    public String toString() {
        return process.toString();
    }
}
