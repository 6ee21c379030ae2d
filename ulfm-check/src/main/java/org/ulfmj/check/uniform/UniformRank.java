package org.ulfmj.check.uniform;

import java.util.List;
import org.ulfmj.agree.ShrinkOutcome;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.survivor.CoreRank;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SimProcess;

/** One rank whose program agrees uniformly, on communicators that it sometimes shrinks. */
final class UniformRank extends CoreRank {
    private static final long WORLD = 0x3081;

    private final UniformWorld world;
    private final Membership membership;
    private final SurvivorCore core;
    private final List<UniformRank> ranks;

    private long communicator = WORLD;
    private SlotRuns members;
    private long sequence;
    private int nextCall;
    private boolean waits;
    private int open;

    /** @param ranks all ranks of the world, to see which of them run */
    UniformRank(
            UniformWorld world,
            int slot,
            Membership membership,
            SimProcess<ProcessId, ControlMessage> process,
            List<UniformRank> ranks) {
        super(world.simulation(), world.network(), ProcessId.of(slot), process, slot);
        this.world = world;
        this.membership = membership;
        this.members = membership.slots();
        this.ranks = ranks;
        this.core = new SurvivorCore(id(), membership, Pace.TIMING, world.needsMajority(), this, process.clockNs());
    }

    void start() {
        process().start(this, (nowNs, out) -> {
            core.start(nowNs, out);
            core.register(WORLD, members, nowNs, out);
        });
        goOn();
    }

    @Override
    public SurvivorCore core() {
        return core;
    }

    boolean hasFinished() {
        return nextCall == world.calls().size() && !waits && open == 0;
    }

    /** Describes what the rank waits for, for the message of a violation. */
    String waitsFor() {
        return waits ? core.agreements().describe(communicator, sequence) : open + " calls that it began";
    }

    /**
     * Whether the rank waits in this call, and the first of the call's two agreements is decided here but the call has
     * not returned.
     */
    boolean isBetweenTheHalvesOf(long ofCommunicator, long call) {
        return waits
                && communicator == ofCommunicator
                && sequence == call
                && core.agreements().storedDecision(communicator, sequence) != null;
    }

    @Override
    public void failed(ProcessId failed, Evidence evidence) {
        if (ranks.get(failed.slot()).isRunning()) {
            world.returns().suspectedWrongly();
        }
        super.failed(failed, evidence);
    }

    /** Throws an exception, as no process leaves in these programs. */
    @Override
    public void departed(ProcessId departed) {
        throw new IllegalStateException(departed + " has departed, and no rank calls Finalize");
    }

    @Override
    public void decided(long ofCommunicator, long call, Decision decision) {
        afterStep(() -> onDecided(call, decision));
    }

    private void onDecided(long call, Decision decision) {
        log("returns", EventLog.NO_PROCESS, decision);
        if (decision.isOnly(Kind.AGREE_UNIFORM)) {
            Decision second = core.agreements().storedDecision(communicator, call + 1);
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
        long buildNs = random().between(0, 3 * world.pace().unitNs());
        simulation()
                .at(
                        simulation().nowNs() + buildNs,
                        () -> input("builds", id(), (nowNs, out) -> {
                            communicator = shrunk.id();
                            members = shrunk.members();
                            core.register(communicator, members, nowNs, out);
                            afterStep(this::goOn);
                        }));
    }

    @Override
    public void fenced(String reason) {
        afterStep(() -> {
            if (reason.contains("ulfm.ft.quorum")) {
                simulation().cover(UniformScenario.NO_QUORUM);
            }
        });
        super.fenced(reason);
    }

    /** Schedules the next call of the program after a drawn time of thought; does nothing if no call is left. */
    private void goOn() {
        if (nextCall == world.calls().size()) {
            return;
        }
        Kind kind = world.calls().get(nextCall++);
        waits = true;
        sequence = 0;
        simulation().at(simulation().nowNs() + world.pace().drawThoughtNs(random()), () -> process()
                .input("calls", EventLog.NO_PROCESS, kind, (nowNs, out) -> call(kind, nowNs, out)));
    }

    private void call(Kind kind, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        SlotSet acknowledged = kind == Kind.SHRINK || random().chance(50)
                ? SlotSet.ALL
                : core.failures().failedAmong(members, membership);
        // The call's number is read before the call is entered, as the call may be decided within this very step.
        sequence = core.agreements().last(communicator) + 1;
        Contribution mine = new Contribution(kind, ~(1 << id().slot()), acknowledged);
        if (kind == Kind.IAGREE) {
            open++;
            waits = false;
            afterStep(this::goOn);
        }
        core.enter(communicator, mine, nowNs, out);
    }
}
