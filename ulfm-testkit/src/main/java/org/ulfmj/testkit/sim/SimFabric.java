package org.ulfmj.testkit.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.ShortPath;

/**
 * The fabric of one simulated rank. Each lane is first in, first out. The seed chooses when a frame arrives, and
 * whether it arrives after the death of its sender.
 */
final class SimFabric implements Fabric {
    private static final long DRAIN_NS = 30_000_000;

    private final SimJob job;
    private final SimRank rank;
    private final ProcessId self;
    private final SimHostMemory hostMemory;
    /** By slot, the peer with the highest incarnation that this rank knows. */
    private final SimPeer[] peers;
    /** Processes that this rank marked failed before it knew them. */
    private final Set<ProcessId> unwelcome = new TreeSet<>();

    private final ArrayDeque<SimRecord> arrived = new ArrayDeque<>();
    private final ArrayDeque<SimLane> arrivedOn = new ArrayDeque<>();
    private final ArrayDeque<ProcessId> drained = new ArrayDeque<>();
    /**
     * The process whose data frames polls do not hand over, because a receive waits for them by the short path; null if
     * there is none.
     */
    private ProcessId held;

    private boolean awaitsHandOver;
    private boolean killed;
    /** Whether this rank waits to be let into a world of which it does not know all members. */
    private boolean areStrangersTaken;

    SimFabric(SimJob job, SimRank rank, int slots) {
        this.job = job;
        this.rank = rank;
        this.self = rank.id();
        this.hostMemory = new SimHostMemory(job, rank);
        this.peers = new SimPeer[slots];
        peers[self.slot()] = new SimPeer(self);
    }

    SimRank rank() {
        return rank;
    }

    @Override
    public boolean offer(ProcessId to, LaneKind kind, Frame frame) {
        if (frame.payloadBytes() > Frame.MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "payload of " + frame.payloadBytes() + " bytes, at most " + Frame.MAX_PAYLOAD_BYTES);
        }
        if (isCutOff(to)) {
            return true;
        }
        SimPeer peer = peer(to);
        if (peer.uncalled != null) {
            call(peer);
            return false;
        }
        SimLane lane = lane(kind, peer);
        if (!lane.hasRoom(frame)) {
            lane.refused = true;
            return false;
        }
        rank.onOffer(FrameLayout.totalBytes(frame));
        if (killed) {
            return true;
        }
        SimRecord record = lane.newRecord();
        record.fill(frame);
        send(peer, lane, record);
        return true;
    }

    /** Whether frames to the process are dropped. */
    boolean isCutOff(ProcessId id) {
        SimPeer peer = peer(id);
        return killed || peer == null || peer.cutOff;
    }

    /**
     * Calls a process that joined without a slot by the name of the peer, as the first frame of a connection does. The
     * call may get lost if this rank dies.
     */
    private void call(SimPeer peer) {
        if (peer.isCalled) {
            return;
        }
        peer.isCalled = true;
        rank.onOffer(0);
        if (killed) {
            return;
        }
        boolean isSure = job.survivesSender();
        job.at(job.nowNs() + job.delayNs(), () -> {
            if (isSure || !killed) {
                job.greet(rank, peer.uncalled);
            }
        });
    }

    /** The process that was called by this name has answered that the name is its own: frames go to it from now on. */
    void answered(ProcessId process) {
        SimPeer peer = peer(process);
        if (!killed && peer != null) {
            peer.uncalled = null;
            rank.pollSoon();
        }
    }

    /** Sets whether frames of processes are read that were not admitted. */
    void takeStrangers(boolean areTaken) {
        areStrangersTaken = areTaken;
    }

    private void send(SimPeer peer, SimLane lane, SimRecord record) {
        record.number = peer.sent++;
        job.at(lane.send(record, job.nowNs() + job.delayNs()), lane);
    }

    /** Returns the peer of a process; null if the process is not known, or if another one has taken its slot. */
    private SimPeer peer(ProcessId process) {
        SimPeer known = process.slot() < peers.length ? peers[process.slot()] : null;
        return known != null && known.id.equals(process) ? known : null;
    }

    private SimLane lane(LaneKind kind, SimPeer peer) {
        SimLane lane = peer.lane(kind);
        if (lane == null) {
            int room =
                    kind == LaneKind.CONTROL ? Integer.MAX_VALUE : job.profile().laneRecords();
            lane = new SimLane(this, job.process(peer.id).fabric(), kind, room);
            peer.open(lane);
        }
        return lane;
    }

    /** Returns the lane from a process to this rank; null if there is none. */
    private SimLane from(ProcessId process, LaneKind kind) {
        SimRank sender = job.process(process);
        SimPeer me = sender == null ? null : sender.fabric().peer(self);
        return me == null ? null : me.lane(kind);
    }

    @Override
    public void admit(MemberRecord member) {
        ProcessId process = member.id();
        SimPeer known = peers[process.slot()];
        if (process.equals(self) || known != null && known.id.incarnation() >= process.incarnation()) {
            return;
        }
        if (known != null) {
            abandon(known.id);
        }
        peers[process.slot()] = new SimPeer(process);
        if (process.slot() >= job.founders()) {
            peers[process.slot()].uncalled = member;
        }
        if (unwelcome.remove(process)) {
            abandon(process);
        }
        for (LaneKind kind : LaneKind.values()) {
            SimLane lane = from(process, kind);
            for (int held = lane == null ? 0 : lane.takeHeld(); held > 0; held--) {
                job.at(job.nowNs() + 1, lane);
            }
        }
    }

    /**
     * Whether this rank has not been told yet of a process that has taken a slot. Frames of such a process wait, unless
     * this rank takes those of strangers.
     */
    private boolean isStranger(ProcessId process) {
        SimPeer known = peers[process.slot()];
        return known == null || known.id.incarnation() < process.incarnation();
    }

    /** Whether this rank throws away the frames of a process. */
    private boolean isDeafTo(ProcessId process) {
        SimPeer known = peer(process);
        return known == null || known.deaf;
    }

    /**
     * Called when the next frame of a lane to this rank is due. The rank takes the frame or throws it away. The frame
     * stays under way while the link is cut, the rank is paused, or the sender is a stranger whose frames wait.
     */
    void onArrival(SimLane lane) {
        if (lane.isEmpty()) {
            return;
        }
        if (job.faults().isHeldUp(lane) || rank.isPaused(lane)) {
            return;
        }
        if (!killed && isStranger(lane.from.self)) {
            if (!areStrangersTaken || unwelcome.contains(lane.from.self)) {
                lane.hold();
                return;
            }
            peers[lane.from.self.slot()] = new SimPeer(lane.from.self);
        }
        SimRecord record = lane.arrive();
        boolean isTaken = !killed && !isDeafTo(lane.from.self);
        job.onFrame(lane, record, isTaken);
        if (isTaken) {
            arrived.addLast(record);
            arrivedOn.addLast(lane);
            rank.onInput();
        } else {
            lane.release(record);
        }
        lane.from.onRoom(lane);
    }

    /** Called when a frame of a lane from this rank has arrived, so that the lane has room. */
    private void onRoom(SimLane lane) {
        if (lane.refused || awaitsHandOver && lane.isEmpty()) {
            lane.refused = false;
            rank.pollSoon();
        }
    }

    @Override
    public int poll(FrameSink sink) {
        int done = 0;
        for (int left = arrived.size(); !killed && left > 0; left--) {
            SimRecord record = arrived.pollFirst();
            SimLane lane = arrivedOn.pollFirst();
            if (isHeld(lane)) {
                arrived.addLast(record);
                arrivedOn.addLast(lane);
                continue;
            }
            if (!isDeafTo(lane.from.self)) {
                done++;
                if (record.exclusion) {
                    sink.onExcluded(lane.from.self);
                } else {
                    sink.onFrame(lane.from.self, lane.kind, record.frame);
                }
            }
            lane.release(record);
        }
        while (!killed && !drained.isEmpty()) {
            done++;
            sink.onDrained(drained.pollFirst());
        }
        return done;
    }

    @Override
    public ShortPath shortPath(ProcessId peer) {
        return new SimShortPath(this, peer);
    }

    /** Sets the process whose data frames polls do not hand over; null for none. */
    void hold(ProcessId process) {
        held = process;
    }

    private boolean isHeld(SimLane lane) {
        return lane.kind == LaneKind.DATA && lane.from.self.equals(held) && !drained.contains(held);
    }

    /**
     * The first record on the lane of a process that has arrived and was not handed over; null if there is none, or if
     * this rank throws away the frames of the process.
     */
    SimRecord firstArrived(ProcessId process, LaneKind kind) {
        if (killed || isDeafTo(process)) {
            return null;
        }
        Iterator<SimRecord> records = arrived.iterator();
        for (SimLane lane : arrivedOn) {
            SimRecord record = records.next();
            if (lane.kind == kind && lane.from.self.equals(process)) {
                return record;
            }
        }
        return null;
    }

    /** Takes out a record that has arrived, so that no poll hands it over. */
    void take(SimRecord taken) {
        Iterator<SimLane> lanes = arrivedOn.iterator();
        for (Iterator<SimRecord> records = arrived.iterator(); records.hasNext(); ) {
            SimLane lane = lanes.next();
            if (records.next() == taken) {
                records.remove();
                lanes.remove();
                lane.release(taken);
                return;
            }
        }
    }

    @Override
    public int pollWithSeat(FrameSink sink) {
        return poll(sink);
    }

    @Override
    public void sleep(long untilNs) {
        throw new IllegalStateException("no rank sleeps in simulated time");
    }

    @Override
    public void wake() {
        // A rank need not be woken: the thread that posts an event to a rank lets that rank poll.
    }

    @Override
    public long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }

    /** Whether a process is known, and this rank still sends to it: it was not abandoned and has not said goodbye. */
    boolean listensTo(ProcessId process) {
        SimPeer known = peer(process);
        return known != null && !known.cutOff;
    }

    @Override
    public SimHostMemory hostMemory() {
        return hostMemory;
    }

    @Override
    public void attend(ProcessId peer) {
        // Nothing to do for one peer: every poll looks at the frames of all peers.
    }

    /**
     * Lets the frames that a dead peer has under way arrive. Chance decides whether they arrive at once, unless the
     * link is cut, or each at its time; a frame that arrives after the end of the drain is thrown away.
     */
    @Override
    public void drain(ProcessId peer) {
        SimLane control = from(peer, LaneKind.CONTROL);
        SimLane data = from(peer, LaneKind.DATA);
        long lastNs = Math.max(control == null ? 0 : control.lastArrivalNs(), data == null ? 0 : data.lastArrivalNs());
        boolean atOnce = job.launcher().chance().chance(50);
        if (atOnce) {
            takeAll(control);
            takeAll(data);
        }
        long endNs = atOnce ? 0 : Math.min(lastNs, job.nowNs() + DRAIN_NS);
        job.at(Math.max(job.nowNs(), endNs) + 1, new DrainEnd(peer));
    }

    private void takeAll(SimLane lane) {
        while (lane != null && !lane.isEmpty() && !job.faults().isCut(lane)) {
            SimRecord record = lane.arrive();
            job.onFrame(lane, record, true);
            arrived.addLast(record);
            arrivedOn.addLast(lane);
        }
    }

    private final class DrainEnd implements Runnable {
        private final ProcessId process;

        DrainEnd(ProcessId process) {
            this.process = process;
        }

        @Override
        public void run() {
            if (!rank.isPaused(this)) {
                SimPeer known = peer(process);
                if (known != null) {
                    known.deaf = true;
                }
                drained.add(process);
                rank.poll();
            }
        }
    }

    @Override
    public void abandon(ProcessId process) {
        SimPeer peer = peer(process);
        if (peer == null) {
            if (process.slot() < peers.length && isStranger(process)) {
                unwelcome.add(process);
            }
            return;
        }
        if (peer.abandoned) {
            return;
        }
        peer.abandoned = true;
        peer.deaf = true;
        if (!killed && !peer.cutOff && peer.uncalled == null) {
            SimLane lane = lane(LaneKind.CONTROL, peer);
            SimRecord word = lane.newRecord();
            word.beExclusion();
            send(peer, lane, word);
        }
        peer.cutOff = true;
    }

    @Override
    public void depart(ProcessId process) {
        SimPeer peer = peer(process);
        if (peer != null) {
            peer.cutOff = true;
        }
    }

    @Override
    public boolean isHandedOver(ProcessId process) {
        SimPeer peer = peer(process);
        if (peer == null || peer.isHandedOver()) {
            return true;
        }
        awaitsHandOver = true;
        return false;
    }

    @Override
    public Iterable<ProcessId> connected() {
        List<ProcessId> connected = new ArrayList<>();
        for (SimPeer peer : peers) {
            if (peer != null && !peer.cutOff && !peer.id.equals(self) && isConnected(peer)) {
                connected.add(peer.id);
            }
        }
        return connected;
    }

    private boolean isConnected(SimPeer peer) {
        for (LaneKind kind : LaneKind.values()) {
            if (peer.lane(kind) != null || from(peer.id, kind) != null) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void leave() {
        // Nothing to do when the rank leaves: no connection has to be ended.
    }

    @Override
    public boolean hasLeft() {
        return true;
    }

    @Override
    public void close() {
        killed = true;
    }

    /**
     * Ends the rank as dead. {@code arrival} says whether all, none or some of its frames under way still arrive. If a
     * frame to a peer arrives, the control frames that were sent to that peer before it arrive too.
     */
    void kill(SeededRandom chance, SimProfile.Arrival arrival) {
        killed = true;
        for (SimPeer peer : peers) {
            if (peer != null && arrival != SimProfile.Arrival.ALL) {
                peer.lose(chance, arrival);
            }
        }
    }
}
