package org.ulfmj.transport.local;

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
 * The fabric of one rank that is a thread. Every peer's frames lie in memory that this rank can read at once, so the seat
 * sees no more than anybody, there are no timers, and an offered frame is handed over by being committed.
 */
public final class LocalFabric implements Fabric {
    private static final int DATA_FRAMES_A_POLL = 32;

    private final LocalHub hub;
    private final ProcessId self;
    private final InboundLanes inbound = new InboundLanes();
    private final Doorbell doorbell = new Doorbell();
    /** By slot of the receiver; null until the first frame. */
    private final LocalPair[] outbound;
    /** By slot: abandoned or departed, frames to it are thrown away. */
    private final boolean[] cutOff;

    private final boolean[] abandoned;
    private final ArrayDeque<ProcessId> drains = new ArrayDeque<>();
    private final LocalHostMemory hostMemory;
    private int firstPair;
    private volatile boolean killed;

    LocalFabric(LocalHub hub, int slot, int ranks) {
        this.hub = hub;
        this.self = ProcessId.of(slot);
        this.outbound = new LocalPair[ranks];
        this.cutOff = new boolean[ranks];
        this.abandoned = new boolean[ranks];
        this.hostMemory = new LocalHostMemory(hub, self, ranks, doorbell);
    }

    void kill() {
        killed = true;
        inbound.clear();
        doorbell.wake();
    }

    @Override
    public boolean offer(ProcessId to, LaneKind lane, Frame frame) {
        if (frame.payloadBytes > Frame.MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "payload of " + frame.payloadBytes + " bytes, at most " + Frame.MAX_PAYLOAD_BYTES);
        }
        if (killed || !isKnown(to) || cutOff[to.slot()]) {
            return true;
        }
        LocalFabric receiver = hub.fabric(to.slot());
        if (lane == LaneKind.CONTROL && receiver.killed) {
            return true; // nobody will read it, no bound holds it, and until its death is known here there may be many
        }
        if (!pairTo(to.slot()).outbound(lane).offer(frame)) {
            return false;
        }
        receiver.doorbell.knock();
        return true;
    }

    private boolean isKnown(ProcessId peer) {
        return peer.slot() < outbound.length && peer.incarnation() == 0;
    }

    private LocalPair pairTo(int slot) {
        LocalPair pair = outbound[slot];
        if (pair == null) {
            pair = new LocalPair(self);
            outbound[slot] = pair;
            hub.fabric(slot).inbound.add(pair);
        }
        return pair;
    }

    @Override
    public int poll(FrameSink sink) {
        if (killed) {
            return 0;
        }
        LocalPair[] pairs = inbound.current();
        int done = 0;
        for (LocalPair pair : pairs) {
            done += read(pair, LaneKind.CONTROL, Integer.MAX_VALUE, sink);
        }
        // Data starts at another pair each time, so that a chatty low slot does not starve a high one.
        firstPair = firstPair + 1 < pairs.length ? firstPair + 1 : 0;
        for (int i = 0; i < pairs.length; i++) {
            int at = firstPair + i < pairs.length ? firstPair + i : firstPair + i - pairs.length;
            done += read(pairs[at], LaneKind.DATA, DATA_FRAMES_A_POLL, sink);
        }
        if (!drains.isEmpty()) {
            done += finishDrains(sink);
        }
        if (done > 0) {
            doorbell.stir();
        }
        return done;
    }

    private int read(LocalPair pair, LaneKind kind, int limit, FrameSink sink) {
        int count = 0;
        // A frame may make its reader abandon the sender, or be killed: nothing more is handed over then.
        while (count < limit && !pair.isClosed() && !killed) {
            LocalRecord record = pair.next(kind);
            if (record == null) {
                break;
            }
            count++;
            if (record.exclusion) {
                sink.onExcluded(pair.from);
            } else {
                sink.onFrame(pair.from, kind, record.frame);
            }
            pair.release(kind, record);
        }
        return count;
    }

    /** What a dead peer had committed is all there already, so a drain needs neither time nor another poll. */
    private int finishDrains(FrameSink sink) {
        int done = 0;
        for (ProcessId peer = drains.poll(); peer != null; peer = drains.poll()) {
            LocalPair pair = pairFrom(peer);
            if (pair != null) {
                done += read(pair, LaneKind.CONTROL, Integer.MAX_VALUE, sink);
                done += read(pair, LaneKind.DATA, LocalLane.MAX_RECORDS, sink);
                pair.close();
            }
            sink.onDrained(peer);
            done++;
        }
        return done;
    }

    private LocalPair pairFrom(ProcessId peer) {
        for (LocalPair pair : inbound.current()) {
            if (pair.from.equals(peer)) {
                return pair;
            }
        }
        return null;
    }

    @Override
    public int pollWithSeat(FrameSink sink) {
        return poll(sink);
    }

    @Override
    public void sleep(long untilNs) {
        doorbell.sleep(untilNs, inbound);
    }

    @Override
    public void wake() {
        doorbell.wake();
    }

    @Override
    public long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public HostMemory hostMemory() {
        return hostMemory;
    }

    /** Wakes this rank if it sleeps. Any thread. */
    void knock() {
        doorbell.knock();
    }

    @Override
    public void attend(ProcessId peer) {
        // Every poll reads every lane.
    }

    @Override
    public void drain(ProcessId peer) {
        drains.add(peer);
        doorbell.wake();
    }

    @Override
    public void abandon(ProcessId peer) {
        if (!isKnown(peer) || abandoned[peer.slot()]) {
            return;
        }
        abandoned[peer.slot()] = true;
        LocalPair pair = pairFrom(peer);
        if (pair != null) {
            pair.close();
            inbound.remove(pair);
        }
        LocalFabric excluded = hub.fabric(peer.slot());
        if (!killed && !excluded.killed && !cutOff[peer.slot()]) {
            pairTo(peer.slot()).control.offerExclusion();
            excluded.doorbell.knock();
        }
        cutOff[peer.slot()] = true;
        outbound[peer.slot()] = null;
    }

    @Override
    public void depart(ProcessId peer) {
        if (isKnown(peer)) {
            cutOff[peer.slot()] = true;
        }
    }

    @Override
    public boolean isHandedOver(ProcessId peer) {
        return true;
    }

    @Override
    public Iterable<ProcessId> connected() {
        List<ProcessId> peers = new ArrayList<>();
        for (int slot = 0; slot < outbound.length; slot++) {
            ProcessId peer = ProcessId.of(slot);
            if (!cutOff[slot] && (outbound[slot] != null || pairFrom(peer) != null)) {
                peers.add(peer);
            }
        }
        return peers;
    }

    @Override
    public void leave() {
        // Lanes live in memory that outlives this rank: what was committed will be read.
    }

    @Override
    public boolean hasLeft() {
        return true;
    }

    @Override
    public void close() {
        kill();
    }
}
