package org.ulfmj.transport;

import org.ulfmj.protocol.ProcessId;

/**
 * All connections of one rank, over any medium. Frames of one lane arrive in order, whole, and at most once. After a
 * peer's end the last frames of a lane may be missing.
 *
 * <p>Threads: everything but {@link #sleep} and {@link #wake} is called under the rank's engine lock. {@link #sleep} is
 * called without it by the one thread that holds the seat; {@link #pollWithSeat} by that thread with the lock.
 */
public interface Fabric extends AutoCloseable {
    /**
     * A length of {@linkplain #pieceBytes pieces} that is short enough for sender and receiver to copy at the same
     * time, and long enough that the cost of a frame per piece is small.
     */
    int PIECE_BYTES = 32 * 1024;

    /**
     * Sends a frame. Returns false if the lane has no room now; then the frame was not sent. Never waits. A frame to a
     * peer that was abandoned, has departed or was not {@linkplain #admit admitted} is dropped, and the answer is true:
     * failures are reported by the detector, not by this method.
     */
    boolean offer(ProcessId to, LaneKind lane, Frame frame);

    /**
     * The short path to and from a peer; null if there is none. It stays valid, but carries no messages any more, after
     * the end of the peer or once its lanes are closed.
     */
    default ShortPath shortPath(ProcessId peer) {
        return null;
    }

    /** How many bytes of a large message one frame to this peer should carry. */
    default int pieceBytes(ProcessId to) {
        return PIECE_BYTES;
    }

    /**
     * Whether the medium still reads payloads that it has {@linkplain Frame#isBorrowable borrowed} for frames to this
     * peer.
     */
    default boolean borrowsFor(ProcessId to) {
        return false;
    }

    /**
     * Ends the borrowing of payloads for this peer. When this method returns, the program may change their memory
     * again: the medium has copied the bytes that have not arrived yet.
     */
    default void giveBack(ProcessId to) {}

    /**
     * Reads frames that can be read without the seat, and hands them over to the sink. Returns how many frames and
     * events were handed over, or more: parts of frames may be counted too, and connections with bytes left to read.
     */
    int poll(FrameSink sink);

    /**
     * As {@link #poll}, and also handles everything that needs the seat: new connections, lifelines, all links, timers
     * of links.
     */
    int pollWithSeat(FrameSink sink);

    /**
     * Sleeps until input may have come, {@link #wake} was called, or the given time of {@link System#nanoTime} is
     * reached. A sleep may end earlier.
     */
    void sleep(long untilNs);

    /** Ends a {@link #sleep}, also one that is about to begin. Any thread. */
    void wake();

    /**
     * The time at which {@link #pollWithSeat} is needed for timers even without input; {@link Long#MAX_VALUE} if there
     * is none.
     */
    long nextDeadlineNs();

    /**
     * Lets {@link #poll} read the link to this peer directly for a while. For a caller that is about to wait for the
     * peer.
     */
    void attend(ProcessId peer);

    /**
     * Prepares the way for control frames to this peer, so that the first one goes out quickly. Optional, to be called
     * in an idle moment.
     */
    default void prepare(ProcessId peer) {}

    /**
     * Begins to drain a peer that is dead on certain evidence. Later polls hand over the frames that had arrived from
     * the peer, and for at most 30 ms those still on their way; then a poll calls {@link FrameSink#onDrained}.
     */
    void drain(ProcessId peer);

    /**
     * Ends all traffic with a peer that is marked failed. No frame of the peer is handed over any more. A peer that can
     * be reached, and is not known to be dead or departed, is told that it is marked failed. Its connections are ended.
     */
    void abandon(ProcessId peer);

    /**
     * Allows frames to and from a process from now on. An earlier process of the same slot has certainly ended, and is
     * abandoned now if it was not before. A caller that still needs the frames of the earlier process drains it first.
     *
     * <p>A process that was not admitted yet may already connect, if it proves that it belongs to this job. Its frames
     * wait in its lane or link, in order, as far as there is room, and are handed over from the next poll after the
     * admission on. A process that was abandoned before stays abandoned. Admitting a process that is known already, or
     * that is older than the known process of its slot, changes nothing; so a process can be admitted early, and twice.
     * May be called inside a poll.
     *
     * @param member the process as it described itself; a member with this rank's own slot is ignored
     */
    void admit(MemberRecord member);

    /** Ends all sending to a peer that has said goodbye. The peer is not dialed any more. */
    void depart(ProcessId peer);

    /**
     * Whether all frames offered to the peer so far have reached it. In a lane a frame has reached the peer once its
     * record is committed; on a link, once it is acknowledged. True also for a peer that is reported unreachable, or to
     * which no frames go any more, so that it is waited for no longer.
     */
    boolean isHandedOver(ProcessId peer);

    /** Peers with an open lane or connection. */
    Iterable<ProcessId> connected();

    /** The memory that the ranks of this host share; null if this medium has none. */
    default HostMemory hostMemory() {
        return null;
    }

    /**
     * Starts to end every connection in order: pending frames are written, then the connection is half-closed, then it
     * is read to its end.
     */
    void leave();

    /** Whether {@link #leave} is done. */
    boolean hasLeft();

    /** Closes all connections at once, without a goodbye. */
    @Override
    void close();
}
