package org.ulfmj.transport.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MarkedProcesses;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.ShortPath;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.shm.ShmFiles;
import org.ulfmj.transport.shm.ShmMedium;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * The fabric of a rank that shares its host with other ranks. Frames to ranks of the host go through lanes in shared
 * memory, all other frames over TCP. If no file can be made for a lane, its frames go over TCP until there is room
 * again, and one warning says so.
 *
 * <p>A poll needs no seat to read the lanes. A thread sleeps in the rank's one selector, once the {@link ShmMedium} has
 * confirmed that no frame has come meanwhile. Should a ring of the bell be lost, a sleep still ends after 1 ms, the
 * next after 2 ms, and so on up to 50 ms.
 *
 * <p>To use it: construct it over a {@link TcpFabric}, which it owns from then on; call {@link #connect} with the start
 * table; then use it as a {@link Fabric}. Threads: as {@link Fabric} says.
 */
public final class ProcessFabric implements Fabric {
    private static final long MIN_SLEEP_NS = 1_000_000;
    private static final long MAX_SLEEP_NS = 50_000_000;
    /**
     * How soon to look again whether there is room for frames that wait: a process that makes room does not announce
     * it.
     */
    private static final long ROOM_NS = 1_000_000;

    /**
     * A rank whose next sleep may last this long has slept several times without input. Before such a sleep it unlinks
     * the files of dead processes.
     */
    private static final long IDLE_SLEEP_NS = 8_000_000;

    private final ProcessId self;
    private final TcpFabric tcp;
    private final ShmMedium shm;
    private final LongSupplier clock;
    private final MarkedProcesses tombstones = new MarkedProcesses();
    private final Told told = new Told();

    private volatile long sleepBoundNs = MIN_SLEEP_NS;
    private volatile boolean isClosed;

    /**
     * @param self identity of this rank, as the TCP fabric has it; the nonce names the mailbox of this rank
     * @param ranks how many ranks the job may have, with this one
     * @param clock nanoseconds, the same as the engine's
     * @param warnings takes the sentence that says why TCP is used where shared memory should be; once at most
     * @throws IOException if the mailbox or the bell cannot be made; then {@code tcp} is to be used alone
     */
    public ProcessFabric(
            LinkIdentity self, int ranks, TcpFabric tcp, ShmFiles files, LongSupplier clock, Consumer<String> warnings)
            throws IOException {
        this.self = self.id();
        this.tcp = tcp;
        this.clock = clock;
        this.shm = new ShmMedium(self, ranks, tcp.seat(), files, new OverTcp(tcp, warnings), clock);
    }

    /** Tells the lanes about frames that go over TCP instead. */
    private record OverTcp(TcpFabric tcp, Consumer<String> warnings) implements ShmMedium.Detour {
        @Override
        public boolean hasDelivered(ProcessId to, LaneKind kind) {
            return tcp.hasDelivered(to, kind);
        }

        @Override
        public void onTaken(String why) {
            warnings.accept(why);
        }
    }

    /**
     * Announces that other processes may set up their shared memory only after this rank has learned of them: until
     * then frames to them go by TCP. To be called before {@link #connect}.
     */
    public void expectLatecomers() {
        shm.expectLatecomers();
    }

    /** Takes over the identities of the other ranks, from the start table. To be called before the first frame. */
    public void connect(List<MemberRecord> table) {
        shm.connect(table);
        tcp.connect(table);
    }

    /** Whether a rank is on this host, in the same pid namespace; true for this rank itself. */
    public boolean reaches(ProcessId id) {
        return shm.reaches(id);
    }

    @Override
    public HostMemory hostMemory() {
        return shm.hostMemory();
    }

    // ---- sending

    @Override
    public boolean offer(ProcessId to, LaneKind kind, Frame frame) {
        ShmMedium.Outcome outcome = shm.offer(to, kind, frame);
        if (outcome == ShmMedium.Outcome.TAKEN) {
            return true;
        }
        if (outcome == ShmMedium.Outcome.NO_LANE) {
            return tcp.offer(to, kind, frame);
        }
        if (outcome == ShmMedium.Outcome.AWAITS_DETOUR) {
            tcp.attend(to); // the wait ends with acknowledgements on the link
        }
        return false;
    }

    @Override
    public ShortPath shortPath(ProcessId peer) {
        return shm.shortPath(peer);
    }

    @Override
    public int pieceBytes(ProcessId to) {
        return shm.hasLaneTo(to) ? PIECE_BYTES : tcp.pieceBytes(to);
    }

    @Override
    public boolean borrowsFor(ProcessId to) {
        return tcp.borrowsFor(to);
    }

    @Override
    public void giveBack(ProcessId to) {
        tcp.giveBack(to);
    }

    @Override
    public void prepare(ProcessId id) {
        shm.prepare(id);
    }

    // ---- receiving

    @Override
    public int poll(FrameSink sink) {
        told.begin(sink);
        try {
            int done = pollLanes(sink);
            if (tcp.hasDirectWork()) {
                done += tcp.poll(told);
            }
            return done;
        } finally {
            told.end();
        }
    }

    @Override
    public int pollWithSeat(FrameSink sink) {
        told.begin(sink);
        try {
            int done = pollLanes(sink);
            return done + tcp.pollWithSeat(told);
        } finally {
            told.end();
        }
    }

    private int pollLanes(FrameSink sink) {
        int done = shm.poll(sink);
        if (done > 0 && sleepBoundNs != MIN_SLEEP_NS) {
            sleepBoundNs = MIN_SLEEP_NS;
        }
        return done;
    }

    /**
     * Passes frames and events of TCP on to the sink of the running poll. Before the end of a drain is passed on, both
     * lanes from the peer are read; before the end of a lifeline, the control lane.
     */
    private final class Told implements FrameSink {
        private FrameSink sink;

        void begin(FrameSink target) {
            if (sink != null) {
                throw new IllegalStateException("a poll inside a poll of rank " + self);
            }
            sink = target;
        }

        void end() {
            sink = null;
        }

        @Override
        public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
            if (shm.onHeardByTcp(from)) {
                tcp.attend(from);
            }
            sink.onFrame(from, lane, frame);
        }

        @Override
        public Payload placeOf(ProcessId from, Frame chunk) {
            return sink.placeOf(from, chunk);
        }

        /**
         * All frames of the peer that came by TCP were handed over. Now the records that it had committed are read,
         * which all lie in its lanes already.
         */
        @Override
        public void onDrained(ProcessId id) {
            shm.readOut(id, sink);
            sink.onDrained(id);
        }

        /**
         * Reads the control lane first, as a goodbye of the peer may still be in it. If nothing is sent to the peer any
         * more, as after a goodbye, the end of the lifeline is not passed on.
         */
        @Override
        public void onLifelineLost(ProcessId id) {
            boolean isCutOff = shm.readControl(id, sink);
            if (!isCutOff) {
                sink.onLifelineLost(id);
            }
        }

        @Override
        public void onLinkBroken(ProcessId peer) {
            sink.onLinkBroken(peer);
        }

        @Override
        public void onLinkRestored(ProcessId peer) {
            sink.onLinkRestored(peer);
        }

        @Override
        public void onExcluded(ProcessId by) {
            sink.onExcluded(by);
        }

        @Override
        public void onNotMe(ProcessId peer) {
            sink.onNotMe(peer);
        }
    }

    // ---- sleeping

    @Override
    public void sleep(long untilNs) {
        if (sleepBoundNs >= IDLE_SLEEP_NS) {
            shm.tidyUp();
        }
        shm.beginSleep();
        try {
            if (shm.maySleep()) {
                long boundNs = sleepBoundNs;
                long beginNs = clock.getAsLong();
                long latestNs = beginNs + boundNs;
                long endNs = latestNs - untilNs < 0 ? latestNs : untilNs;
                tcp.sleep(endNs);
                // An early end of the sleep may come from the bell, rung for a message that no poll reads, as one in a
                // host segment.
                boolean isEarly = 2 * (clock.getAsLong() - beginNs) < endNs - beginNs;
                sleepBoundNs = isEarly ? MIN_SLEEP_NS : Math.min(2 * boundNs, MAX_SLEEP_NS);
            }
        } finally {
            shm.endSleep();
        }
    }

    @Override
    public void wake() {
        tcp.wake();
    }

    @Override
    public long nextDeadlineNs() {
        long deadlineNs = tcp.nextDeadlineNs();
        if (!shm.hasWaiting()) {
            return deadlineNs;
        }
        long roomNs = clock.getAsLong() + ROOM_NS;
        return deadlineNs == Long.MAX_VALUE || roomNs - deadlineNs < 0 ? roomNs : deadlineNs;
    }

    @Override
    public void attend(ProcessId id) {
        if (shm.usesTcp(id)) {
            tcp.attend(id);
        }
    }

    // ---- the end of a peer

    @Override
    public void drain(ProcessId id) {
        shm.onDead(id);
        tcp.drain(id);
    }

    @Override
    public void abandon(ProcessId id) {
        tombstones.add(id);
        shm.abandon(id);
        tcp.abandon(id);
    }

    @Override
    public void admit(MemberRecord member) {
        ProcessId id = member.id();
        if (id.slot() == self.slot() || tombstones.cover(id) || isClosed) {
            return;
        }
        tombstones.addBefore(id);
        ProcessId former = shm.formerOf(id);
        if (former != null) {
            abandon(former);
            shm.remove(former);
        }
        shm.admit(member);
        tcp.admit(member);
    }

    @Override
    public void depart(ProcessId id) {
        shm.depart(id);
        tcp.depart(id);
    }

    @Override
    public boolean isHandedOver(ProcessId id) {
        return shm.isHandedOver(id) && tcp.isHandedOver(id);
    }

    @Override
    public Iterable<ProcessId> connected() {
        List<ProcessId> all = new ArrayList<>();
        for (ProcessId peer : tcp.connected()) {
            all.add(peer);
        }
        shm.addConnected(all);
        all.sort(null);
        return all;
    }

    // ---- the end of this rank

    @Override
    public void leave() {
        tcp.leave();
    }

    @Override
    public boolean hasLeft() {
        return tcp.hasLeft() && !shm.hasWaiting();
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            shm.close();
            tcp.close();
        }
    }
}
