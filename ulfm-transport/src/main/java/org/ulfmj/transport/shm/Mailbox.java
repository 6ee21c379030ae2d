package org.ulfmj.transport.shm;

import java.nio.ByteBuffer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.LaneKind;

/**
 * What one rank shows all others of its host: whether it sleeps, where its bell is, and, written by the others, which
 * lanes to it exist.
 *
 * <pre>
 *     0  sleep count: odd while it sleeps     8  port of its bell
 *    64  eight counts: how often it took lent memory back
 *   128  announcements so far                 (counted up by senders)
 *   256  for each slot two rooms, for even and odd incarnations:
 *          incarnation of whom it belongs to, file of its control lane, file of its data lane; 0 is none
 * </pre>
 *
 * A sender writes only its own words room. They are hints: what they name is opened only if it is a file that this very
 * sender made, so a process that was stopped, excluded and woken can spoil nothing here.
 *
 * <p>A successor takes a room over by emptying it before it writes its incarnation, and names files only then: so a
 * reader who finds one incarnation before and after a name knows whose it is. There are two rooms because a process
 * that was stopped for long may look for what the dead had announced when its successor has announced something too.
 */
final class Mailbox {
    private static final LaneKind[] KINDS = LaneKind.values();
    private static final int SLEEP_AT = 0;
    private static final int PORT_AT = 8;
    private static final int TAKEN_BACK_AT = 64;
    private static final int TAKEN_BACK_COUNTS = 8;
    private static final int ANNOUNCEMENTS_AT = 128;
    private static final int LANES_AT = 256;
    private static final int ROOMS = 2;
    private static final int INCARNATION = 0;
    private static final int FILES = 8;
    private static final int ROOM_BYTES = 24;
    private static final int BYTES_A_SLOT = ROOMS * ROOM_BYTES;
    private static final int MAX_PORT = 0xffff;

    private final ByteBuffer memory;
    private final int slots;

    Mailbox(ByteBuffer memory) {
        this.memory = memory;
        this.slots = (memory.capacity() - LANES_AT) / BYTES_A_SLOT;
    }

    /** Memory for this many ranks. */
    static int bytesFor(int ranks) {
        return LANES_AT + ranks * BYTES_A_SLOT;
    }

    // Of the owner.

    /** To be followed by a full fence, and by a look whether there is input. */
    void beginSleep() {
        LaneLayout.wordRelease(memory, SLEEP_AT, LaneLayout.wordOpaque(memory, SLEEP_AT) | 1);
    }

    void endSleep() {
        LaneLayout.wordRelease(memory, SLEEP_AT, (LaneLayout.wordOpaque(memory, SLEEP_AT) | 1) + 1);
    }

    void setBellPort(int port) {
        LaneLayout.wordRelease(memory, PORT_AT, port);
    }

    /** The owner's alone, under its lock; to be followed by a full fence. */
    void takeBack(long number) {
        int at = countAt(number);
        LaneLayout.wordRelease(memory, at, LaneLayout.wordOpaque(memory, at) + 1);
    }

    /** Changes when the owner takes lent memory back. Of the owner and of the others. */
    long takenBack(long number) {
        return LaneLayout.wordAcquire(memory, countAt(number));
    }

    /** Changes with every announcement. */
    long announcements() {
        return LaneLayout.wordAcquire(memory, ANNOUNCEMENTS_AT);
    }

    /** The file in which the lane begins; 0 if the process has announced none. */
    long lane(ProcessId from, LaneKind kind) {
        if (from.slot() >= slots) {
            return 0;
        }
        int room = roomAt(from);
        boolean wasIts = LaneLayout.wordAcquire(memory, room + INCARNATION) == from.incarnation();
        long fileId = LaneLayout.wordAcquire(memory, fileAt(room, kind));
        boolean isIts = LaneLayout.wordAcquire(memory, room + INCARNATION) == from.incarnation();
        return wasIts && isIts ? fileId : 0;
    }

    // Of the others.

    /** A number for this sleep, 0 if the owner is awake. After a full fence behind what was committed. */
    long sleep() {
        long count = LaneLayout.wordOpaque(memory, SLEEP_AT);
        return (count & 1) == 0 ? 0 : count;
    }

    /** Some port, no matter what the memory holds: ringing in vain harms no process. */
    int bellPort() {
        return (int) LaneLayout.wordAcquire(memory, PORT_AT) & MAX_PORT;
    }

    /** Whether a rank of this slot has room in it. */
    boolean hasRoomFor(int slot) {
        return slot < slots;
    }

    /** A process that a later one of its slot has come after, stopped and woken, leaves that one's names alone. */
    void announce(ProcessId from, LaneKind kind, long fileId) {
        int room = roomAt(from);
        long now = LaneLayout.wordAcquire(memory, room + INCARNATION);
        if (now > from.incarnation()) {
            return;
        }
        if (now != from.incarnation()) {
            for (LaneKind each : KINDS) {
                LaneLayout.wordRelease(memory, fileAt(room, each), 0);
            }
            LaneLayout.wordRelease(memory, room + INCARNATION, from.incarnation());
        }
        LaneLayout.wordRelease(memory, fileAt(room, kind), fileId);
        LaneLayout.countUp(memory, ANNOUNCEMENTS_AT);
    }

    /** Several, so that one that is taken back seldom spoils what is copied of another. */
    private static int countAt(long number) {
        return TAKEN_BACK_AT + (int) (number & TAKEN_BACK_COUNTS - 1) * Long.BYTES;
    }

    private static int roomAt(ProcessId process) {
        return LANES_AT + process.slot() * BYTES_A_SLOT + process.incarnation() % ROOMS * ROOM_BYTES;
    }

    private static int fileAt(int room, LaneKind kind) {
        return room + FILES + kind.ordinal() * Long.BYTES;
    }
}
