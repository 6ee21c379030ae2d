package org.ulfmj.check.rendezvous.elected;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.check.rendezvous.elastic.Admission;
import org.ulfmj.check.rendezvous.elastic.Applicant;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.transport.MemberRecord;

/**
 * A simulated process that joins without a slot. It finds the coordinator in etcd, and dials anew when another one has
 * the office.
 */
final class Newcomer extends Applicant<Line> {
    /** The node to which this process is connected; {@link Line#NONE} if it is not connected. */
    private int target = Line.NONE;

    private long lookNs = Long.MIN_VALUE;
    private boolean didRunUnderAnother;
    /**
     * G4: the nonces of members of worlds that this process was in, noted when {@link #waiting} is called. A process
     * among them does not count as waiting.
     */
    private final SortedSet<Long> wereMembers = new TreeSet<>();

    private int firstTarget = Line.NONE;
    /** The time until which a process that has finalized waits for a coordinator to say goodbye to. */
    private long goodbyeUntilNs = Long.MAX_VALUE;

    Newcomer(int hostOrder, int localIndex, SimProcess<Integer, Line> process) {
        super(hostOrder, localIndex, process, null);
    }

    @Override
    protected int coordinator() {
        return target;
    }

    @Override
    protected Line packet(int ofConnection, RendezvousMessage message) {
        return Line.said(ofConnection, message);
    }

    @Override
    protected Line welcome(Admission admission) {
        return Line.admitted(admission);
    }

    void init() {
        process().start(this, this::onTick);
    }

    /** The connection to a coordinator breaks, because that coordinator has ended. */
    void loseLine(int coordinator) {
        process().input("loses its line to", coordinator, null, (nowNs, out) -> {
            target = target == coordinator ? Line.NONE : target;
        });
    }

    @Override
    public void onMessage(Integer from, Line line, long nowNs, Outbox<Integer, Line> out) {
        if (line.kind() == Line.Kind.SEEN) {
            if (line.address() != Line.NONE && line.address() != target) {
                target = line.address();
                firstTarget = firstTarget == Line.NONE ? target : firstTarget;
                connect(nowNs, out);
            }
        } else if (line.kind() == Line.Kind.ADMITTED) {
            hear(null, line.welcome(), nowNs, out);
        } else if (from == target && line.number() == connection()) {
            if (line.kind() == Line.Kind.CLOSED) {
                target = Line.NONE;
            } else {
                hear(line.message(), null, nowNs, out);
            }
        }
        didRunUnderAnother |= isRunning() && target != Line.NONE && target != firstTarget;
    }

    @Override
    public void onTick(long nowNs, Outbox<Integer, Line> out) {
        super.onTick(nowNs, out);
        if (hasFinalized() && goodbyeUntilNs == Long.MAX_VALUE) {
            goodbyeUntilNs = nowNs + 2 * Times.TTL_NS;
        }
        if (nowNs >= lookNs) {
            lookNs = nowNs + Times.POLL_NS;
            out.send(Etcd.NODE, Line.looks());
        }
    }

    @Override
    public long nextDeadlineNs() {
        boolean isToBegin = hasFinalized() && goodbyeUntilNs == Long.MAX_VALUE;
        long untilNs = isToBegin ? process().clockNs() : goodbyeUntilNs;
        return Math.min(Math.min(lookNs, untilNs), super.nextDeadlineNs());
    }

    @Override
    protected boolean isPatienceOver() {
        return process().clockNs() >= goodbyeUntilNs;
    }

    @Override
    protected SortedMap<ProcessId, Joiner> waiting() {
        for (MemberRecord member : table()) {
            wereMembers.add(member.nonce());
        }
        SortedMap<ProcessId, Joiner> waiting = new TreeMap<>(super.waiting());
        waiting.values().removeIf(joiner -> wereMembers.contains(joiner.nonce()));
        return waiting;
    }

    /** The node to which this process is connected; {@link Line#NONE} if it is not connected. */
    int target() {
        return target;
    }

    /** Whether the process has run under another coordinator than the first one that it dialed. */
    boolean didRunUnderAnother() {
        return didRunUnderAnother;
    }
}
