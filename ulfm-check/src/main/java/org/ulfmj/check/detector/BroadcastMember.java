package org.ulfmj.check.detector;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.ReliableBroadcast;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * A simulated process that only spreads events, here called rumours. It learns of a death when {@link FaultInjection}
 * tells it.
 */
final class BroadcastMember implements Member, Protocol<ProcessId, Rumour> {
    private final Simulation world;
    private final ProcessId id;
    private final SimProcess<ProcessId, Rumour> process;
    private final FailureSet failures = new FailureSet();
    private final ReliableBroadcast<Rumour> broadcast;
    private final SortedSet<Integer> heard = new TreeSet<>();
    private final SortedMap<Integer, SortedSet<ProcessId>> told = new TreeMap<>();

    BroadcastMember(Simulation world, ProcessId id, Membership members, SimProcess<ProcessId, Rumour> process) {
        this.world = world;
        this.id = id;
        this.process = process;
        this.broadcast = new ReliableBroadcast<>(id, members, failures);
        process.start(this, (nowNs, out) -> {});
    }

    /** Begins to spread a rumour. */
    void begin(Rumour rumour) {
        process.input("begins", EventLog.NO_PROCESS, rumour, (nowNs, out) -> hear(rumour, out));
    }

    SortedSet<Integer> heard() {
        return heard;
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
        return failures;
    }

    @Override
    public void learnOfEnd(Member ended) {
        process.input("told", ended.id().slot(), null, (nowNs, out) -> {
            failures.markFailed(ended.id(), new Evidence(Evidence.Kind.CERTAIN, id, "ended"), nowNs);
            long before = told.values().stream().mapToLong(SortedSet::size).sum();
            broadcast.onGone(ended.id(), counting(out));
            if (told.values().stream().mapToLong(SortedSet::size).sum() > before) {
                world.cover(BroadcastScenario.REPLAY);
            }
        });
    }

    @Override
    public void suspect(ProcessId other) {
        throw new IllegalStateException("no suspicions are planned here");
    }

    @Override
    public void onMessage(ProcessId from, Rumour rumour, long nowNs, Outbox<ProcessId, Rumour> out) {
        if (!failures.hasFailed(from)) {
            hear(rumour, out);
        }
    }

    @Override
    public void onTick(long nowNs, Outbox<ProcessId, Rumour> out) {
        throw new IllegalStateException("nothing was asked for");
    }

    @Override
    public long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }

    private void hear(Rumour rumour, Outbox<ProcessId, Rumour> out) {
        if (broadcast.spread(rumour, counting(out))) {
            heard.add(rumour.number());
        }
    }

    /** Returns an outbox that fails the run when this process sends a rumour to the same process a second time. */
    private Outbox<ProcessId, Rumour> counting(Outbox<ProcessId, Rumour> out) {
        return (to, rumour) -> {
            if (!told.computeIfAbsent(rumour.number(), number -> new TreeSet<>())
                    .add(to)) {
                throw new Violation("a rumour is told once: " + id + " tells " + to + " again of " + rumour);
            }
            out.send(to, rumour);
        };
    }
}
