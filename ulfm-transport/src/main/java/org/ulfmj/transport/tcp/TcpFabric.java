package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.ByteTrap;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.Purpose;
import org.ulfmj.transport.auth.Strangers;
import org.ulfmj.transport.lifeline.Lifelines;
import org.ulfmj.transport.record.Protection;
import org.ulfmj.transport.seat.ChannelWatch;
import org.ulfmj.transport.seat.SeatSelector;
import org.ulfmj.transport.session.LinkHello;
import org.ulfmj.transport.session.LinkIdentity;

/**
 * The fabric of a rank that is a process, over TCP. A pair of ranks has one connection for both lanes, opened when the
 * first frame is sent. Control frames overtake data that is not written yet. The memory for reading is bounded; the
 * memory for writing holds the frames that a peer has not acknowledged.
 *
 * <p>A poll without the seat reads only the links that the rank {@linkplain #attend attends to} or drains, by direct
 * non-blocking reads, which a thread that sleeps in the selector does not hold up. It accepts callers only while a link
 * has lost its connection. Other accepts, other links, lifelines and timers need the seat.
 *
 * <p>To use it: construct it; tell the others its {@link #port}; call {@link #connect} with the start table; then use
 * it as a {@link Fabric}.
 */
public final class TcpFabric implements Fabric, Lifelines.Links {
    /** The value of {@code ulfm.link.buffer} where it is not set. */
    public static final long DEFAULT_LINK_BUFFER_BYTES = 64L << 20;

    private static final long DRAIN_LIMIT_NS = 30_000_000;
    private static final long LINGER_NS = 1_000_000;
    /**
     * The length of the pieces of a long message to another host, or to a rank to which no connection was opened yet.
     */
    private static final int PIECE_BYTES = 128 * 1024;
    /**
     * The length of the pieces of a long message to a rank of this host, which may read such a piece straight into the
     * memory of its receive ({@link DirectPlacement}).
     */
    private static final int WITHIN_HOST_PIECE_BYTES = Frame.MAX_PAYLOAD_BYTES;

    private final LinkIdentity self;
    private final LongSupplier clock;
    private final Handshake handshake;
    private final SeatSelector seat = new SeatSelector();
    private final TcpListener listener;
    private final Lifelines lifelines;
    private final LinkTable links;
    private final AttendedLinks attended = new AttendedLinks();
    private final List<TcpConnection> blocked = new ArrayList<>();
    private final ArrayDeque<TcpConnection> ended = new ArrayDeque<>();
    private final ArrayDeque<TcpLink> drains = new ArrayDeque<>();
    private final ArrayDeque<LinkEvent.Posted> events = new ArrayDeque<>();

    private final Frame incoming = new Frame();
    private final ByteBuffer waste = ByteBuffer.allocateDirect(4096);
    /** The sink of the poll that is going on. */
    private FrameSink sink;

    private int delivered;
    /** How often a poll stopped reading a connection from which more bytes may have arrived already. */
    private int unfinishedTurns;
    /** The number of links that have lost their connection and are to get another one. */
    private int recovering;
    /** The earliest time at which a timer of a link may be due. */
    private long earliestNs = Long.MAX_VALUE;

    /** A fault for tests: the trap that ends this process at a byte of the frames that it writes; null for none. */
    private ByteTrap trap;

    /** Faults of the links, for tests; null for none. */
    private LinkFaults faults;

    /** The memory of the frames that links keep. */
    private LinkMemory memory = new LinkMemory(DEFAULT_LINK_BUFFER_BYTES);

    private RecordUse records = RecordUse.of(Protection.AUTO);

    private boolean isClosed;

    /**
     * @param self identity of this rank; the nonce is drawn once per process
     * @param optionsHash hash of the options that all processes of a job share
     * @param bindHost name or address to listen at
     * @param clock nanoseconds, the same as the engine's
     * @throws IOException if no port can be opened at {@code bindHost}
     */
    public TcpFabric(
            LinkIdentity self, JobSecret secret, Timing timing, long optionsHash, String bindHost, LongSupplier clock)
            throws IOException {
        this(self, secret, timing, optionsHash, TcpListener.bind(bindHost), clock);
    }

    /** The fabric of a process that had bound its port before it had a name, and has one now. */
    public TcpFabric(
            LinkIdentity self, JobSecret secret, Timing timing, long optionsHash, NameWait port, LongSupplier clock)
            throws IOException {
        this(self, secret, timing, optionsHash, port.release(), clock);
    }

    private TcpFabric(
            LinkIdentity self,
            JobSecret secret,
            Timing timing,
            long optionsHash,
            ServerSocketChannel port,
            LongSupplier clock)
            throws IOException {
        this.self = self;
        this.clock = clock;
        this.handshake = new Handshake(secret, Purpose.LINK, optionsHash);
        this.listener = new TcpListener(this, handshake, port, timing.linkRtoNs());
        this.lifelines = new Lifelines(seat, self, new Handshake(secret, Purpose.LIFELINE, optionsHash), timing, clock);
        this.links = new LinkTable(this, self, timing);
    }

    /** The TCP port that peers dial. */
    public int port() {
        return listener.port();
    }

    /**
     * Sets the trap that ends this process at a byte of the frames that it writes. To be called before the first frame.
     */
    public void trap(ByteTrap newTrap) {
        trap = newTrap;
    }

    /** Sets faults of the links, whose times are counted from {@link #connect} on. */
    public void injectFaults(LinkFaults plan) {
        faults = plan;
    }

    /**
     * Sets faults of the links, whose times are counted from now on. A fault that changes what arrives, like a delay,
     * acts on connections that are opened later; a blackhole and a reset also act on those that exist.
     */
    public void injectFaultsNow(LinkFaults plan) {
        faults = plan;
        beginFaults();
    }

    /** Sets the listener that is told the number of each rule once, when a fault of the rule first happens. */
    public void tellFaults(IntConsumer listener) {
        if (faults != null) {
            faults.tell(listener);
        }
    }

    private void tellFaults(MemberRecord member) {
        if (faults != null) {
            faults.know(member);
        }
    }

    void beginFaults() {
        if (faults != null) {
            faults.begin(clock.getAsLong());
        }
    }

    LinkTable links() {
        return links;
    }

    /** The faults of the links; null for none. */
    LinkFaults faults() {
        return faults;
    }

    /** Resets all connections to members, as a faulty network does; for tests. */
    void resetConnections() {
        links.resetConnections(clock.getAsLong());
    }

    /** The link to the peer, for tests; null if there is none. */
    TcpLink linkTo(ProcessId peer) {
        return links.find(peer);
    }

    /**
     * Sets how many bytes of data frames all links together may keep ({@code ulfm.link.buffer}). A link that keeps none
     * may hold one frame beyond that. To be called before {@link #connect}.
     */
    public void linkBuffer(long bytes) {
        memory = new LinkMemory(bytes);
    }

    LinkMemory linkMemory() {
        return memory;
    }

    /**
     * Sets whether a lost connection is followed by a new one ({@code ulfm.link.retry}). To be called before
     * {@link #connect}.
     */
    public void resumeLinks(boolean areResumed) {
        links.resume(areResumed);
    }

    /**
     * Sets which connections carry encrypted records ({@code ulfm.net.protect}). To be called before the first
     * connection.
     */
    public void protect(Protection protection) {
        useRecords(RecordUse.of(protection));
    }

    void useRecords(RecordUse use) {
        records = use;
    }

    RecordUse records() {
        return records;
    }

    ByteTrap trap() {
        return trap;
    }

    /**
     * Sets whether frames of processes are read that were not admitted and whose slot has no member (G10): this rank
     * waits to be let into a world of which it does not know all members. Else they wait in the sockets until their
     * sender is admitted.
     */
    public void takeStrangers(boolean areTaken) {
        links.takeStrangers(areTaken);
    }

    /**
     * Tells this fabric the identities of the other ranks, from the start table; the record of this rank is skipped. To
     * be called before the first frame.
     */
    public void connect(List<MemberRecord> table) {
        links.connect(table);
        beginFaults();
        for (MemberRecord member : table) {
            if (member.id().slot() != self.id().slot()) {
                tellFaults(member);
                lifelines.know(LinkTable.identityOf(member), member.socketPath());
            }
        }
    }

    /** Listens for lifelines at a path in the job directory, at most 107 bytes long. */
    public void listenForLifelines(Path socket) throws IOException {
        lifelines.listen(socket);
    }

    /**
     * Begins to open lifelines to neighbours on this host. The rank with the lower slot of a pair dials; the call of
     * the other rank does nothing. If the process of one of the two ends, the other is told by
     * {@link FrameSink#onLifelineLost}, unless it sends no frames to that process any more, as after a goodbye. To be
     * called after {@link #connect}.
     */
    public void openLifelines(Collection<ProcessId> neighbours) {
        lifelines.open(neighbours);
    }

    /** Whether a lifeline to the peer stands. */
    public boolean hasLifeline(ProcessId peer) {
        return lifelines.has(peer);
    }

    /**
     * Lets the rank's one selector watch a non-blocking channel of another part of the rank. A channel that becomes
     * ready ends a {@link #sleep}, and {@code onReady} is called in {@link #pollWithSeat}.
     *
     * @param operations bits of {@link SelectionKey}
     */
    public ChannelWatch watch(SelectableChannel channel, int operations, Runnable onReady) throws IOException {
        return seat.watch(channel, operations, onReady);
    }

    // ---- Fabric

    @Override
    public boolean offer(ProcessId to, LaneKind lane, Frame frame) {
        if (frame.payloadBytes() > Frame.MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "payload of " + frame.payloadBytes() + " bytes, at most " + Frame.MAX_PAYLOAD_BYTES);
        }
        TcpLink link = links.find(to);
        if (link == null || isClosed) {
            return true;
        }
        boolean isTaken = link.offer(lane, frame, clock.getAsLong());
        if (!isTaken) {
            attended.attend(link); // the acknowledgements of the peer make room
        }
        return isTaken;
    }

    @Override
    public int pieceBytes(ProcessId to) {
        TcpLink link = links.find(to);
        return link != null && link.queue().isWithinHost() ? WITHIN_HOST_PIECE_BYTES : PIECE_BYTES;
    }

    @Override
    public boolean borrowsFor(ProcessId to) {
        TcpLink link = links.find(to);
        return link != null && link.queue().borrows();
    }

    @Override
    public void giveBack(ProcessId to) {
        TcpLink link = links.find(to);
        if (link != null) {
            link.queue().giveBack();
        }
    }

    /**
     * Whether the peer has acknowledged all frames that were offered on this lane; false if the peer is not a member or
     * frames to it were thrown away.
     */
    public boolean hasDelivered(ProcessId to, LaneKind lane) {
        TcpLink link = links.find(to);
        return link != null && link.queue().hasDelivered(lane);
    }

    /**
     * Whether {@link #poll} may find something to do. A fabric with several media skips the poll of TCP if not: reading
     * the clock alone costs more than looking into a lane.
     */
    public boolean hasDirectWork() {
        return recovering > 0
                || !attended.isEmpty()
                || !blocked.isEmpty()
                || !ended.isEmpty()
                || !drains.isEmpty()
                || !events.isEmpty();
    }

    @Override
    public int poll(FrameSink target) {
        begin(target);
        try {
            long nowNs = clock.getAsLong();
            int before = workDone();
            attended.read(this, nowNs);
            if (recovering > 0) {
                listener.acceptDirectly(nowNs);
            }
            int told = finish(nowNs);
            return workDone() - before + told;
        } finally {
            sink = null;
        }
    }

    @Override
    public int pollWithSeat(FrameSink target) {
        begin(target);
        try {
            if (isClosed) {
                return 0;
            }
            long nowNs = clock.getAsLong();
            int before = workDone();
            seat.poll(nowNs);
            listener.acceptCallers(nowNs);
            if (nextDeadlineNs() - nowNs <= 0) {
                tick(nowNs);
            }
            // finish and tellLost may deliver frames too, so the work is counted after them.
            int told = finish(nowNs) + lifelines.tellLost(this, target);
            return workDone() - before + told;
        } finally {
            sink = null;
        }
    }

    private void begin(FrameSink target) {
        if (sink != null) {
            throw new IllegalStateException("a poll inside a poll of rank " + self.id());
        }
        sink = target;
    }

    /**
     * Does the work that every poll has after its reads: blocked writes, ends of connections, drains, events. Returns
     * how many drains and events it has reported to the sink.
     */
    private int finish(long nowNs) {
        int done = 0;
        for (int i = blocked.size() - 1; i >= 0; i--) {
            if (i < blocked.size()) {
                blocked.get(i).flush();
            }
        }
        for (TcpConnection connection = ended.poll(); connection != null; connection = ended.poll()) {
            connection.endLater(nowNs);
        }
        for (int left = drains.size(); left > 0; left--) {
            TcpLink link = drains.poll();
            if (link.continueDrain(nowNs)) {
                sink.onDrained(link.peer());
                done++;
            } else {
                drains.add(link);
            }
        }
        for (LinkEvent.Posted posted = events.poll(); posted != null; posted = events.poll()) {
            posted.event().tell(sink, posted.peer());
            done++;
        }
        return done;
    }

    private void tick(long nowNs) {
        earliestNs = Long.MAX_VALUE;
        links.onTick(nowNs);
        if (faults != null) {
            faults.onTick(links, nowNs);
        }
        listener.strangers().onTick(nowNs);
        lifelines.onTick(nowNs);
    }

    @Override
    public void sleep(long untilNs) {
        if (seat.isOpen()) {
            seat.sleep(untilNs, clock.getAsLong());
        }
    }

    @Override
    public void wake() {
        seat.wake();
    }

    @Override
    public long nextDeadlineNs() {
        if (!events.isEmpty() || !ended.isEmpty()) {
            return clock.getAsLong();
        }
        long deadline =
                Math.min(earliestNs, Math.min(listener.strangers().nextDeadlineNs(), lifelines.nextDeadlineNs()));
        deadline = Math.min(deadline, listener.nextDeadlineNs());
        if (faults != null) {
            deadline = Math.min(deadline, faults.nextDeadlineNs());
        }
        if (!drains.isEmpty()) {
            for (TcpLink link : drains) {
                deadline = Math.min(deadline, link.drainUntilNs());
            }
        }
        return deadline;
    }

    @Override
    public void attend(ProcessId peer) {
        TcpLink link = links.find(peer);
        if (link != null) {
            attended.attend(link);
        }
    }

    @Override
    public void drain(ProcessId peer) {
        TcpLink link = links.find(peer);
        if (link != null) {
            link.drain(clock.getAsLong() + DRAIN_LIMIT_NS);
            drains.add(link);
            seat.nudge();
        } else {
            post(LinkEvent.DRAINED, peer);
        }
    }

    @Override
    public void abandon(ProcessId peer) {
        links.abandon(peer, clock.getAsLong());
    }

    @Override
    public void admit(MemberRecord member) {
        ProcessId former = links.processIn(member.id().slot());
        if (isClosed || !links.admit(member, clock.getAsLong())) {
            return;
        }
        if (former != null) {
            lifelines.forget(former);
        }
        tellFaults(member);
        lifelines.know(LinkTable.identityOf(member), member.socketPath());
    }

    @Override
    public void depart(ProcessId peer) {
        TcpLink link = links.find(peer);
        if (link != null) {
            long nowNs = clock.getAsLong();
            link.session().depart(nowNs);
            link.settle(nowNs);
        }
    }

    @Override
    public boolean isHandedOver(ProcessId peer) {
        TcpLink link = links.find(peer);
        return link == null || link.session().isHandedOver();
    }

    @Override
    public Iterable<ProcessId> connected() {
        return links.connected();
    }

    @Override
    public void leave() {
        links.leave(clock.getAsLong());
        seat.nudge();
    }

    @Override
    public boolean hasLeft() {
        if (links.areDone()) {
            listener.close();
        }
        return links.haveLeft();
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        listener.close();
        lifelines.close();
        links.close();
        seat.close();
    }

    // ---- for links and connections

    /** Gives a connection to the link of the proven process that opened it; closes it if there is to be no answer. */
    void onHello(TcpConnection connection, LinkHello hello, long nowNs) {
        boolean isSwallowed =
                faults != null && faults.swallowsCall(hello.from().id().slot());
        TcpLink link = isSwallowed ? null : links.calledBy(hello.from(), nowNs);
        if (link == null) {
            connection.close();
            return;
        }
        connection.belongTo(link);
        link.onHello(connection, hello, nowNs);
    }

    /** Dials a new connection; null if that failed at once. */
    TcpConnection dial(TcpLink link, InetSocketAddress address) {
        int slot = link.peer().slot();
        if (faults != null && faults.refusesDialTo(slot)) {
            return null;
        }
        try {
            TcpConnection connection = TcpConnection.dial(this, link, handshake, address);
            if (faults != null && faults.swallowsDialTo(slot)) {
                connection.sever();
            }
            return connection;
        } catch (IOException e) {
            return null;
        }
    }

    void deliver(TcpLink link, LaneKind lane, Frame frame) {
        delivered++;
        if (link.isHeard()) {
            sink.onFrame(link.peer(), lane, frame);
        }
    }

    /**
     * Notes that a poll has stopped reading a connection while more bytes may be waiting in the channel. So this poll
     * has work to report, even if it has handed over no frame: a deadline counts only once everything that had arrived
     * was read.
     */
    void onInputLeft() {
        unfinishedTurns++;
    }

    private int workDone() {
        return delivered + unfinishedTurns;
    }

    /** As {@link FrameSink#placeOf}. */
    Payload placeOf(TcpLink link, Frame chunk) {
        return link.isHeard() ? sink.placeOf(link.peer(), chunk) : null;
    }

    void post(LinkEvent event, ProcessId peer) {
        events.add(new LinkEvent.Posted(event, peer));
        seat.nudge();
    }

    /** Lets a poll, the running one or the next, report the end of a connection to its session. */
    void endLater(TcpConnection connection) {
        ended.add(connection);
        seat.nudge();
    }

    /** Lets the next poll flush the connection, and makes sure that a poll comes soon. */
    void flushSoon(TcpConnection connection, long nowNs) {
        onFlushed(connection, false);
        onDeadline(nowNs + LINGER_NS);
    }

    void onRecovering(boolean begins) {
        recovering += begins ? 1 : -1;
    }

    void onFlushed(TcpConnection connection, boolean isAllWritten) {
        if (!isAllWritten) {
            if (!blocked.contains(connection)) {
                blocked.add(connection);
            }
        } else if (!blocked.isEmpty()) {
            blocked.remove(connection);
        }
    }

    void onDeadline(long deadlineNs) {
        if (deadlineNs < earliestNs) {
            earliestNs = deadlineNs;
            seat.onDeadline(deadlineNs);
        }
    }

    @Override
    public void readBefore(ProcessId peer) {
        TcpLink link = links.find(peer);
        if (link != null) {
            link.readAll(clock.getAsLong());
        }
    }

    @Override
    public boolean isGone(ProcessId peer) {
        TcpLink link = links.find(peer);
        return link == null || link.session().isClosedToFrames();
    }

    long nowNs() {
        return clock.getAsLong();
    }

    /** The rank's one selector. */
    public SeatSelector seat() {
        return seat;
    }

    Strangers strangers() {
        return listener.strangers();
    }

    /** The number of frames that were received so far, from all peers. */
    int delivered() {
        return delivered;
    }

    Frame incoming() {
        return incoming;
    }

    ByteBuffer wasteBuffer() {
        return waste.clear();
    }
}
