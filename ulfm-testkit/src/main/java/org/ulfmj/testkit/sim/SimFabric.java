package org.ulfmj.testkit.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.LaneKind;

/**
 * The fabric of one simulated rank. Each lane is first in, first out; when a frame arrives, and whether it does after its
 * sender's death, is the seed's choice.
 */
final class SimFabric implements Fabric {
    private static final long DRAIN_NS = 30_000_000;

    private final SimJob job;
    private final SimRank rank;
    private final ProcessId self;
    private final SimHostMemory hostMemory;
    /** By slot of the receiver and kind of lane; null until the first frame. */
    private final SimLane[][] outbound;

    private final long[] sent;
    /** By slot: abandoned or departed, frames to it are thrown away. */
    private final boolean[] cutOff;

    private final boolean[] abandoned;
    /** By slot: nothing of it is handed over any more. */
    private final boolean[] deaf;

    private final ArrayDeque<SimRecord> arrived = new ArrayDeque<>();
    private final ArrayDeque<SimLane> arrivedOn = new ArrayDeque<>();
    private final ArrayDeque<ProcessId> drained = new ArrayDeque<>();
    private boolean awaitsHandOver;
    private boolean killed;

    SimFabric(SimJob job, SimRank rank, int ranks) {
        this.job = job;
        this.rank = rank;
        this.self = ProcessId.of(rank.slot());
        this.hostMemory = new SimHostMemory(job, rank);
        this.outbound = new SimLane[LaneKind.values().length][ranks];
        this.sent = new long[ranks];
        this.cutOff = new boolean[ranks];
        this.abandoned = new boolean[ranks];
        this.deaf = new boolean[ranks];
    }

    SimRank rank() {
        return rank;
    }

    @Override
    public boolean offer(ProcessId to, LaneKind kind, Frame frame) {
        if (frame.payloadBytes > Frame.MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "payload of " + frame.payloadBytes + " bytes, at most " + Frame.MAX_PAYLOAD_BYTES);
        }
        if (killed || !isKnown(to) || cutOff[to.slot()]) {
            return true;
        }
        SimLane lane = lane(kind, to.slot());
        if (!lane.hasRoom(frame)) {
            lane.refused = true;
            return false;
        }
        rank.onOffer();
        if (killed) {
            return true;
        }
        SimRecord record = lane.newRecord();
        record.fill(frame);
        send(lane, record);
        return true;
    }

    private void send(SimLane lane, SimRecord record) {
        record.number = sent[lane.to.self.slot()]++;
        job.agenda().at(lane.send(record, job.nowNs() + job.delayNs()), lane);
    }

    private boolean isKnown(ProcessId peer) {
        return peer.slot() < cutOff.length && peer.incarnation() == 0;
    }

    private SimLane lane(LaneKind kind, int slot) {
        SimLane[] lanes = outbound[kind.ordinal()];
        if (lanes[slot] == null) {
            int room =
                    kind == LaneKind.CONTROL ? Integer.MAX_VALUE : job.profile().laneRecords();
            lanes[slot] = new SimLane(this, job.rank(slot).fabric(), kind, room);
        }
        return lanes[slot];
    }

    /** The lane from a peer to this rank, or null. */
    private SimLane from(ProcessId peer, LaneKind kind) {
        return job.rank(peer.slot()).fabric().outbound[kind.ordinal()][self.slot()];
    }

    /** Something of this lane, which ends here, arrives now. */
    void onArrival(SimLane lane) {
        if (lane.isEmpty()) {
            return;
        }
        if (job.faults().isHeldUp(lane) || rank.isPaused(lane)) {
            return;
        }
        SimRecord record = lane.arrive();
        boolean isTaken = !killed && !deaf[lane.from.self.slot()];
        job.onFrame(lane, record, isTaken);
        if (isTaken) {
            arrived.addLast(record);
            arrivedOn.addLast(lane);
            rank.poll();
        } else {
            lane.release(record);
        }
        lane.from.onRoom(lane);
    }

    /** Something of this lane, which begins here, has arrived. */
    private void onRoom(SimLane lane) {
        if (lane.refused || awaitsHandOver && lane.isEmpty()) {
            lane.refused = false;
            rank.pollSoon();
        }
    }

    @Override
    public int poll(FrameSink sink) {
        int done = 0;
        while (!killed && !arrived.isEmpty()) {
            SimRecord record = arrived.pollFirst();
            SimLane lane = arrivedOn.pollFirst();
            if (!deaf[lane.from.self.slot()]) {
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
    public int pollWithSeat(FrameSink sink) {
        return poll(sink);
    }

    @Override
    public void sleep(long untilNs) {
        throw new IllegalStateException("nobody sleeps in simulated time");
    }

    @Override
    public void wake() {
        // Who posts an event to a rank has it polled.
    }

    @Override
    public long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public HostMemory hostMemory() {
        return hostMemory;
    }

    @Override
    public void attend(ProcessId peer) {
        // Every poll reads everything.
    }

    /** What a dead peer has under way and what is not lost arrives within the time that a drain may take, or never. */
    @Override
    public void drain(ProcessId peer) {
        if (!isKnown(peer)) {
            return;
        }
        SimLane control = from(peer, LaneKind.CONTROL);
        SimLane data = from(peer, LaneKind.DATA);
        long lastNs = Math.max(control == null ? 0 : control.lastArrivalNs(), data == null ? 0 : data.lastArrivalNs());
        boolean atOnce = job.launcher().chance().percent(50);
        if (atOnce) {
            takeAll(control);
            takeAll(data);
        }
        long endNs = atOnce ? 0 : Math.min(lastNs, job.nowNs() + DRAIN_NS);
        job.agenda().at(Math.max(job.nowNs(), endNs) + 1, new DrainEnd(peer));
    }

    private void takeAll(SimLane lane) {
        while (lane != null && !lane.isEmpty() && !job.faults().isCut(lane)) {
            SimRecord record = lane.arrive();
            job.onFrame(lane, record, true);
            arrived.addLast(record);
            arrivedOn.addLast(lane);
        }
    }

    private final class DrainEnd implements Event {
        private final ProcessId peer;

        DrainEnd(ProcessId peer) {
            this.peer = peer;
        }

        @Override
        public void happen() {
            if (!rank.isPaused(this)) {
                deaf[peer.slot()] = true;
                drained.add(peer);
                rank.poll();
            }
        }
    }

    @Override
    public void abandon(ProcessId peer) {
        if (!isKnown(peer) || abandoned[peer.slot()]) {
            return;
        }
        abandoned[peer.slot()] = true;
        deaf[peer.slot()] = true;
        if (!killed && !cutOff[peer.slot()]) {
            SimLane lane = lane(LaneKind.CONTROL, peer.slot());
            SimRecord word = lane.newRecord();
            word.beExclusion();
            send(lane, word);
        }
        cutOff[peer.slot()] = true;
    }

    @Override
    public void depart(ProcessId peer) {
        if (isKnown(peer)) {
            cutOff[peer.slot()] = true;
        }
    }

    @Override
    public boolean isHandedOver(ProcessId peer) {
        for (SimLane[] lanes : outbound) {
            SimLane lane = lanes[peer.slot()];
            if (lane != null && !lane.isEmpty()) {
                awaitsHandOver = true;
                return false;
            }
        }
        return true;
    }

    @Override
    public Iterable<ProcessId> connected() {
        List<ProcessId> peers = new ArrayList<>();
        for (int slot = 0; slot < cutOff.length; slot++) {
            if (!cutOff[slot] && slot != self.slot() && isConnected(slot)) {
                peers.add(ProcessId.of(slot));
            }
        }
        return peers;
    }

    private boolean isConnected(int slot) {
        for (LaneKind kind : LaneKind.values()) {
            if (outbound[kind.ordinal()][slot] != null || from(ProcessId.of(slot), kind) != null) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void leave() {
        // What was sent has arrived already: Finalize waits for that.
    }

    @Override
    public boolean hasLeft() {
        return true;
    }

    @Override
    public void close() {
        killed = true;
    }

    /** The rank is dead: what it has under way arrives in part. A frame that arrives proves that control frames sent before do. */
    void kill(Chance chance, Profile.Arrival arrival) {
        killed = true;
        for (int slot = 0; slot < sent.length && arrival != Profile.Arrival.ALL; slot++) {
            SimLane control = outbound[LaneKind.CONTROL.ordinal()][slot];
            SimLane data = outbound[LaneKind.DATA.ordinal()][slot];
            long first = Math.min(
                    control == null ? sent[slot] : control.firstNumber(sent[slot]),
                    data == null ? sent[slot] : data.firstNumber(sent[slot]));
            if (first == sent[slot]) {
                continue;
            }
            long lostControl = arrival == Profile.Arrival.NONE ? first : chance.between(first, sent[slot]);
            long lostData = arrival == Profile.Arrival.NONE ? first : chance.between(first, lostControl);
            if (control != null) {
                control.lose(lostControl);
            }
            if (data != null) {
                data.lose(lostData);
            }
        }
    }
}
