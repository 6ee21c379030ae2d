package org.ulfmj.transport.local;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MarkedProcesses;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.ShortPath;

/**
 * The fabric of one rank that is a thread. Every peer's frames lie in memory that this rank can read at once. So a poll
 * with the seat reads no more than one without it, there are no timers, and a frame counts as handed over once it is
 * committed.
 */
public final class LocalFabric implements Fabric {
    private static final int DATA_FRAMES_A_POLL = 32;

    private final LocalHub hub;
    private final ProcessId self;
    private final LocalInboundLanes inbound = new LocalInboundLanes();
    private final Doorbell doorbell = new Doorbell();
    /**
     * Peers by slot. Null as long as the slot has its first process and this rank has not looked for its state yet. A
     * slot that did not exist in the first world gets a peer once its process is admitted, or taken as a stranger.
     */
    private LocalPeer[] peers;

    private final MarkedProcesses tombstones = new MarkedProcesses();
    /** Lanes from processes that were not admitted yet. */
    private final List<LocalPair> uninvited = new ArrayList<>(0);

    private final ArrayDeque<ProcessId> drains = new ArrayDeque<>();
    private final LocalHostMemory hostMemory;
    private int firstPair;
    /** Whether frames of a process that was not admitted are read and answered like those of a member. */
    private volatile boolean areStrangersTaken;

    private volatile boolean killed;

    LocalFabric(LocalHub hub, ProcessId self, int ranks) {
        this.hub = hub;
        this.self = self;
        this.peers = new LocalPeer[Math.max(ranks, self.slot() + 1)];
        this.hostMemory = new LocalHostMemory(hub, this, doorbell);
    }

    ProcessId id() {
        return self;
    }

    Doorbell doorbell() {
        return doorbell;
    }

    void kill() {
        killed = true;
        inbound.clear();
        hub.forgetSegmentsOf(self);
        doorbell.wake();
    }

    /** The state of a peer; null if this rank does not know the process, or knows another process of its slot. */
    LocalPeer find(ProcessId id) {
        if (id.slot() >= peers.length) {
            return null;
        }
        LocalPeer peer = peers[id.slot()];
        if (peer == null && !hub.isOfFirstWorld(id) && id.slot() != self.slot()) {
            return null;
        }
        if (peer == null) {
            ProcessId known = id.slot() == self.slot() ? self : ProcessId.of(id.slot());
            if (!known.equals(id)) {
                return null;
            }
            peer = new LocalPeer(hub.fabric(known));
            peers[id.slot()] = peer;
        }
        return peer.id.equals(id) ? peer : null;
    }

    @Override
    public boolean offer(ProcessId to, LaneKind lane, Frame frame) {
        if (frame.payloadBytes() > Frame.MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "payload of " + frame.payloadBytes() + " bytes, at most " + Frame.MAX_PAYLOAD_BYTES);
        }
        LocalPeer peer = receiver(to);
        if (peer == null) {
            return true;
        }
        if (lane == LaneKind.CONTROL && peer.room.killed) {
            // The frame is dropped: the killed rank would not read it, and a control lane has no bound, so many frames
            // could pile up before this rank learns of the death.
            return true;
        }
        if (peer.uncalled != null) {
            hub.greet(self, peer.uncalled);
            peer.uncalled = null;
        }
        if (!pairTo(peer).outbound(lane).offer(frame)) {
            return false;
        }
        peer.room.doorbell.knock();
        return true;
    }

    /** The state of a peer to which frames go; null if none go to the process, or not any more. */
    private LocalPeer receiver(ProcessId id) {
        LocalPeer peer = killed ? null : find(id);
        return peer == null || peer.isCutOff ? null : peer;
    }

    /** Whether data frames to the process are dropped. */
    boolean isCutOff(ProcessId id) {
        return receiver(id) == null;
    }

    private LocalPair pairTo(LocalPeer peer) {
        if (peer.outbound == null) {
            peer.outbound = new LocalPair(self);
            peer.room.inbound.announce(peer.outbound);
        }
        return peer.outbound;
    }

    /**
     * Takes over the pairs of lanes that senders have announced. The pair of a member is read from now on; the pair of
     * a process that was not admitted is kept for later, or read too if such processes are taken; the pair of a process
     * that was drained, abandoned or replaced is closed.
     */
    private void takeIn() {
        for (LocalPair pair = inbound.pollAnnounced(); pair != null; pair = inbound.pollAnnounced()) {
            LocalPeer sender = find(pair.from);
            if (sender == null && areStrangersTaken && !tombstones.cover(pair.from)) {
                sender = new LocalPeer(hub.fabric(pair.from));
                put(sender);
            }
            if (sender != null && !sender.isSilenced) {
                inbound.add(pair);
            } else if (sender == null && !tombstones.cover(pair.from)) {
                uninvited.add(pair);
            } else {
                pair.close();
            }
        }
    }

    @Override
    public int poll(FrameSink sink) {
        if (killed) {
            return 0;
        }
        if (inbound.hasNews()) {
            takeIn();
        }
        LocalPair[] pairs = inbound.current();
        int done = 0;
        for (LocalPair pair : pairs) {
            done += read(pair, LaneKind.CONTROL, Integer.MAX_VALUE, sink);
        }
        // Data lanes are read beginning with another pair at each poll, so that a busy sender does not starve another.
        firstPair = firstPair + 1 < pairs.length ? firstPair + 1 : 0;
        for (int i = 0; i < pairs.length; i++) {
            int at = firstPair + i < pairs.length ? firstPair + i : firstPair + i - pairs.length;
            if (!pairs[at].isHeld) {
                done += read(pairs[at], LaneKind.DATA, DATA_FRAMES_A_POLL, sink);
            }
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
        // The handler of a frame may abandon the sender or kill this rank. Then no further frame is handed over.
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

    /**
     * Finishes all drains. The records that a dead peer had committed all lie in its lanes already, so a drain needs
     * neither time nor another poll.
     */
    private int finishDrains(FrameSink sink) {
        int done = 0;
        takeIn();
        for (ProcessId peer = drains.poll(); peer != null; peer = drains.poll()) {
            LocalPair pair = pairFrom(peer);
            if (pair != null) {
                done += read(pair, LaneKind.CONTROL, Integer.MAX_VALUE, sink);
                done += read(pair, LaneKind.DATA, LocalLane.MAX_RECORDS, sink);
                pair.close();
            }
            LocalPeer dead = find(peer);
            if (dead != null) {
                dead.isSilenced = true;
            }
            sink.onDrained(peer);
            done++;
        }
        return done;
    }

    @Override
    public ShortPath shortPath(ProcessId peer) {
        return find(peer) == null ? null : new LocalShortPath(this, peer);
    }

    /** The pairs of lanes that this rank reads; another array object once one is added or removed. */
    LocalPair[] pairs() {
        return inbound.current();
    }

    /** Whether this rank still reads these lanes, by polls or by the short path. */
    boolean reads(LocalPair pair) {
        return !killed && !pair.isClosed();
    }

    LocalPair pairFrom(ProcessId peer) {
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
        // Nothing to do: a poll needs no seat to read the lanes.
    }

    @Override
    public void drain(ProcessId peer) {
        drains.add(peer);
        doorbell.wake();
    }

    @Override
    public void abandon(ProcessId id) {
        tombstones.add(id);
        LocalPeer peer = find(id);
        if (peer == null) {
            dropUninvited();
            return;
        }
        if (peer.isAbandoned) {
            return;
        }
        peer.isAbandoned = true;
        peer.isSilenced = true;
        LocalPair pair = pairFrom(id);
        if (pair != null) {
            pair.close();
            inbound.remove(pair);
        }
        if (!killed && !peer.room.killed && !peer.isCutOff && peer.uncalled == null) {
            pairTo(peer).control.offerExclusion();
            peer.room.doorbell.knock();
        }
        peer.isCutOff = true;
        peer.outbound = null;
    }

    private void put(LocalPeer peer) {
        int slot = peer.id.slot();
        if (slot >= peers.length) {
            peers = Arrays.copyOf(peers, slot + 1);
        }
        peers[slot] = peer;
    }

    /**
     * Sets whether frames of processes are read that were not admitted, as {@code TcpFabric.takeStrangers} does: this
     * rank waits to be let into a world of which it does not know all members.
     */
    public void takeStrangers(boolean areTaken) {
        areStrangersTaken = areTaken;
    }

    private void dropUninvited() {
        for (int i = uninvited.size() - 1; i >= 0; i--) {
            if (tombstones.cover(uninvited.get(i).from)) {
                uninvited.remove(i).close();
            }
        }
    }

    @Override
    public void admit(MemberRecord member) {
        ProcessId id = member.id();
        if (id.slot() == self.slot() || tombstones.cover(id) || killed) {
            return;
        }
        boolean isOfFirstWorld = hub.isOfFirstWorld(id);
        LocalPeer known = id.slot() < peers.length ? peers[id.slot()] : null;
        if (isOfFirstWorld && id.incarnation() == 0 || known != null && known.id.incarnation() >= id.incarnation()) {
            return;
        }
        LocalPeer admitted = new LocalPeer(hub.fabric(id));
        takeIn();
        if (isOfFirstWorld || known != null) {
            abandon(known == null ? ProcessId.of(id.slot()) : known.id);
        }
        tombstones.addBefore(id);
        put(admitted);
        if (!isOfFirstWorld) {
            admitted.uncalled = member;
        }
        for (int i = 0; i < uninvited.size(); i++) {
            if (uninvited.get(i).from.equals(id)) {
                inbound.add(uninvited.remove(i));
                break;
            }
        }
        dropUninvited();
    }

    @Override
    public void depart(ProcessId id) {
        LocalPeer peer = find(id);
        if (peer != null) {
            peer.isCutOff = true;
        }
    }

    @Override
    public boolean isHandedOver(ProcessId peer) {
        return true;
    }

    @Override
    public Iterable<ProcessId> connected() {
        List<ProcessId> all = new ArrayList<>();
        for (LocalPeer peer : peers) {
            if (peer != null && !peer.isCutOff && (peer.outbound != null || pairFrom(peer.id) != null)) {
                all.add(peer.id);
            }
        }
        return all;
    }

    @Override
    public void leave() {
        // Nothing to do: the lanes outlive this rank, and its committed records will be read.
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
