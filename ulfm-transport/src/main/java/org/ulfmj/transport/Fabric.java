package org.ulfmj.transport;

import org.ulfmj.protocol.ProcessId;

/**
 * All of one rank's connections, regardless of the medium. Frames of one lane arrive in order, whole, and at most once;
 * after a peer's end a suffix may be missing.
 *
 * <p>Threads: everything but {@link #sleep} and {@link #wake} is called under the rank's engine lock. {@link #sleep} is
 * called without it by the one thread that holds the seat; {@link #pollWithSeat} by that thread with the lock.
 */
public interface Fabric extends AutoCloseable {
    /**
     * A {@linkplain #pieceBytes piece} short enough that both sides copy at once, and long enough that its frame costs
     * little.
     */
    int PIECE_BYTES = 32 * 1024;

    /**
     * Sends a frame, or returns false if the lane has no room now. Never waits. A frame to a peer that was abandoned,
     * has departed or was not {@linkplain #admit admitted} is dropped with true: the detector is the one who knows.
     */
    boolean offer(ProcessId to, LaneKind lane, Frame frame);

    /** How much of a large message a frame to this peer should carry. */
    default int pieceBytes(ProcessId to) {
        return PIECE_BYTES;
    }

    /**
     * Whether the medium still sends from payloads to this peer that it has {@linkplain Frame#isBorrowable borrowed}.
     */
    default boolean borrowsFor(ProcessId to) {
        return false;
    }

    /**
     * What the medium has borrowed for this peer belongs to its owner again when this returns: what has not arrived yet
     * is copied.
     */
    default void giveBack(ProcessId to) {}

    /** Hands over frames that can be read without the seat, control lanes first; returns how many things it did. */
    int poll(FrameSink sink);

    /** As {@link #poll}, and everything the seat can see: accepts, lifelines, all links, timers of links. */
    int pollWithSeat(FrameSink sink);

    /** Sleeps until input may be there, {@link #wake} was called, or the time came ({@link System#nanoTime}). */
    void sleep(long untilNs);

    /** Ends a {@link #sleep}, also one that is about to begin. Any thread. */
    void wake();

    /** When {@link #pollWithSeat} is needed for timers even without input; {@link Long#MAX_VALUE} if never. */
    long nextDeadlineNs();

    /** The caller is about to wait for this peer: {@link #poll} reads its link directly for a while. */
    void attend(ProcessId peer);

    /**
     * A control frame to this peer will probably be needed in haste: makes ready what can be made before. Optional, in
     * an idle moment.
     */
    default void prepare(ProcessId peer) {}

    /**
     * The peer is dead on certain evidence: hand over what had arrived from it, waiting at most 30 ms for what is still
     * on its way, then call {@link FrameSink#onDrained} from a later poll.
     */
    void drain(ProcessId peer);

    /** The peer is marked failed: nothing of it is handed over any more; it is told so and cut off. */
    void abandon(ProcessId peer);

    /**
     * The process may be talked to from now on, in both directions. An earlier process of its slot is over for good: it
     * is abandoned now if it was not before, so any process that wants what has arrived from it drains it first.
     *
     * <p>Until then a process that proves that it is of this job may connect, and what it sends waits in its lane or
     * link, in order, bounded by the room there: it is handed over from the next poll on. A process that was abandoned
     * before it was admitted stays so. A process that is known already, or older than the one known in its slot,
     * changes nothing; so any process that may be addressed next can be admitted early, and twice. May be called inside
     * a poll.
     *
     * @param member as the process described itself; of the medium's own slot it is passed over
     */
    void admit(MemberRecord member);

    /** The peer has said goodbye: it is not dialed any more. */
    void depart(ProcessId peer);

    /**
     * Whether everything offered to the peer so far has reached it (lane record committed, link frame acknowledged).
     */
    boolean isHandedOver(ProcessId peer);

    /** Peers with an open lane or connection. */
    Iterable<ProcessId> connected();

    /** Memory that ranks of our host share; null where this medium has none. */
    default HostMemory hostMemory() {
        return null;
    }

    /** Starts to end every connection in order: what is pending is written, then half-closed, then read to its end. */
    void leave();

    /** Whether {@link #leave} is done. */
    boolean hasLeft();

    /** Cuts everything at once. */
    @Override
    void close();
}
