package org.ulfmj.check.survivor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.ulfmj.agree.Effects;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.check.detector.Member;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.RingDetector;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * One process of a world of survivors: the shipped core, driven as a runtime drives it. The program is in the subclass.
 *
 * <p>Most effects that the core asks for are carried out after the step, unless the process dies in the step.
 */
public abstract class CoreRank implements Member, Effects, Protocol<ProcessId, ControlMessage> {
    private final Simulation simulation;
    private final VirtualNetwork<ProcessId, ControlMessage> network;
    private final ProcessId id;
    private final SimProcess<ProcessId, ControlMessage> process;
    private final SeededRandom random;
    private final List<Runnable> afterStep = new ArrayList<>();
    private final List<ProcessId> drained = new ArrayList<>();
    private final List<ProcessId> silent = new ArrayList<>();
    private LateObituaries late;

    /** @param name what the seed of this process's random numbers is derived from */
    protected CoreRank(
            Simulation simulation,
            VirtualNetwork<ProcessId, ControlMessage> network,
            ProcessId id,
            SimProcess<ProcessId, ControlMessage> process,
            Object name) {
        this.simulation = simulation;
        this.network = network;
        this.id = id;
        this.process = process;
        this.random = simulation.random("program " + name);
        process.afterStep(this::runAfterStep);
    }

    public abstract SurvivorCore core();

    public final Simulation simulation() {
        return simulation;
    }

    /** Returns the random numbers of the program. */
    protected final SeededRandom random() {
        return random;
    }

    /** Returns the outbox of a step, through which a subclass may watch the messages. */
    protected Outbox<ProcessId, ControlMessage> watched(Outbox<ProcessId, ControlMessage> out) {
        return out;
    }

    /** From now on obituaries whose evidence of the death is certain may wait at this process before they are sent. */
    public final void putOffObituaries() {
        late = new LateObituaries(this);
    }

    /** Sends a message to the network, or lets it wait if it is a late obituary. */
    protected final void send(ProcessId to, ControlMessage message, Outbox<ProcessId, ControlMessage> out) {
        if (late == null) {
            out.send(to, message);
        } else {
            late.send(to, message, out);
        }
    }

    public final RingDetector ring() {
        return core().ring();
    }

    @Override
    public final ProcessId id() {
        return id;
    }

    @Override
    public final SimProcess<ProcessId, ControlMessage> process() {
        return process;
    }

    @Override
    public final FailureSet failures() {
        return core().failures();
    }

    // Events from outside.

    @Override
    public void learnOfEnd(Member ended) {
        if (ended.hasLeft()) {
            input("departed", ended.id(), (nowNs, out) -> core().onDeparted(ended.id(), nowNs, watched(out)));
        } else {
            Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, id, "ended");
            input("told", ended.id(), (nowNs, out) -> core().onEvidence(ended.id(), evidence, nowNs, watched(out)));
        }
    }

    @Override
    public void suspect(ProcessId other) {
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, id, "suspected");
        input("suspects", other, (nowNs, out) -> core().onEvidence(other, evidence, nowNs, watched(out)));
    }

    /** Runs a step of this process that is about another one. */
    protected final void input(String verb, ProcessId about, SimProcess.Step<ProcessId, ControlMessage> step) {
        process.input(verb, network.nodeOf(about), null, step);
    }

    @Override
    public void onMessage(ProcessId from, ControlMessage message, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        core().onMessage(from, message, nowNs, watched(out));
    }

    @Override
    public final void onTick(long nowNs, Outbox<ProcessId, ControlMessage> out) {
        core().onTick(nowNs, watched(out));
        markSilent(nowNs, out);
    }

    /**
     * Marks the processes failed whose silence the detector has reported. In a real job a rank may only complain to the
     * launcher, but no process judges silences here.
     */
    private void markSilent(long nowNs, Outbox<ProcessId, ControlMessage> out) {
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, id, "silent");
        for (ProcessId process : List.copyOf(silent)) {
            core().onEvidence(process, evidence, nowNs, watched(out));
        }
        silent.clear();
    }

    @Override
    public final long nextDeadlineNs() {
        return core().nextDeadlineNs();
    }

    // The effects that the core asks for.

    @Override
    public void silent(ProcessId process) {
        silent.add(process);
    }

    /**
     * A silent process was marked failed at once, so the detector never hears it again: throws an exception then. Does
     * nothing if this rank is leaving, as a rank that leaves marks no process.
     */
    @Override
    public void heard(ProcessId process) {
        if (!core().isLeaving()) {
            throw new IllegalStateException("process " + process + " was marked for its silence, and is heard");
        }
    }

    @Override
    public void drain(ProcessId dead) {
        afterStep(() -> {
            long delayNs = random.chance(50) ? 0 : random.between(0, Pace.LONGEST_DRAIN_NS);
            beforeReadOut(dead);
            simulation.at(simulation.nowNs() + delayNs, () -> readOut(dead));
        });
    }

    /** Called once the delay has been drawn after which this dead process's messages are read. */
    protected void beforeReadOut(ProcessId dead) {}

    /**
     * Reads the messages of a dead process. Processes whose messages are read at one moment are marked together, as in
     * one poll.
     */
    private void readOut(ProcessId dead) {
        network.readOut(network.nodeOf(dead), process.node());
        drained.add(dead);
        if (drained.size() == 1) {
            simulation.at(
                    simulation.nowNs(), () -> process.input("drained", EventLog.NO_PROCESS, null, this::markDrained));
        }
    }

    private void markDrained(long nowNs, Outbox<ProcessId, ControlMessage> out) {
        List<ProcessId> together = List.copyOf(drained);
        drained.clear();
        core().onDrained(together, nowNs, watched(out));
    }

    @Override
    public void failed(ProcessId failed, Evidence evidence) {
        afterStep(() -> {
            log("marks", network.nodeOf(failed), evidence.kind());
            network.marked(process.node(), network.nodeOf(failed));
        });
    }

    @Override
    public void departed(ProcessId departed) {
        afterStep(() -> log("departs", network.nodeOf(departed), null));
    }

    /** Throws an exception: no rank here revokes. A subclass whose program revokes overrides this method. */
    @Override
    public void revoked(long communicator) {
        throw new IllegalStateException("a revocation that no rank called for");
    }

    @Override
    public void fenced(String reason) {
        afterStep(() -> {
            log("fences", EventLog.NO_PROCESS, reason);
            process.end(SimProcess.End.FENCED);
        });
    }

    @Override
    public Collection<ProcessId> peersWithSession() {
        return List.of();
    }

    /** Does an action at the end of the step, if the process survives the step. */
    protected final void afterStep(Runnable effect) {
        afterStep.add(effect);
    }

    private void runAfterStep() {
        List<Runnable> pending = List.copyOf(afterStep);
        afterStep.clear();
        for (Runnable effect : pending) {
            if (process.isRunning()) {
                effect.run();
            }
        }
    }

    /**
     * Ends the process, which has left: at once if its messages may be lost, else once {@link VirtualNetwork#leave}
     * returns true for it.
     */
    protected final void exit(boolean mayLose) {
        if (mayLose || network.leave(process.node())) {
            process.end(SimProcess.End.LEFT);
        } else if (process.isRunning()) {
            simulation.faultAt(simulation.nowNs() + Pace.LONGEST_DELAY_NS / 10, () -> exit(mayLose));
        }
    }

    protected final void log(String verb, int other, Object detail) {
        simulation.log().add(simulation.nowNs(), process.node(), verb, other, detail);
    }

    @Override
    public String toString() {
        return process.toString();
    }
}
