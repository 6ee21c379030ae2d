package org.ulfmj.transport.shm;

import java.nio.ByteBuffer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.LaneKind;

/**
 * Memory that one rank, the owner, shows to all other ranks of its host: whether the owner sleeps, the port of its
 * bell, and, written by the others, which lanes to the owner exist.
 *
 * <pre>
 *     0  sleep count: odd while the owner sleeps     8  port of its bell
 *    64  eight counts: how often the owner took lent memory back
 *   128  announcements so far                 (counted up by senders)
 *   256  for each slot two rooms, for even and odd incarnations:
 *          incarnation of the sender that uses the room, file of its control lane, file of its data lane; 0 is none
 * </pre>
 *
 * A sender writes only into the room of its slot and incarnation, and counts up the announcements. The file ids there
 * are hints: a file is opened only if this very sender made it. So a process that was stopped, marked failed and then
 * continued can do no harm in a mailbox.
 *
 * <p>A later process of a slot takes a room over: it empties the room, then writes its incarnation, and only then
 * writes file ids. So a reader that finds the same incarnation before and after a file id knows which process the id
 * belongs to. There are two rooms because an owner that was stopped for long may still look for the lanes of a dead
 * process after the dead process's successor has announced lanes too.
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

    /** The length of a mailbox for this many ranks. */
    static int bytesFor(int ranks) {
        return LANES_AT + ranks * BYTES_A_SLOT;
    }

    // Methods for the owner.

    /** Announces the sleep of the owner. The caller then executes a full fence, and looks for input once more. */
    void beginSleep() {
        LaneLayout.wordRelease(memory, SLEEP_AT, LaneLayout.wordOpaque(memory, SLEEP_AT) | 1);
    }

    void endSleep() {
        LaneLayout.wordRelease(memory, SLEEP_AT, (LaneLayout.wordOpaque(memory, SLEEP_AT) | 1) + 1);
    }

    void setBellPort(int port) {
        LaneLayout.wordRelease(memory, PORT_AT, port);
    }

    /**
     * Counts that the owner takes back the lent memory with this number. Only for the owner, under its engine lock. The
     * caller then executes a full fence.
     */
    void takeBack(long number) {
        int at = countAt(number);
        LaneLayout.wordRelease(memory, at, LaneLayout.wordOpaque(memory, at) + 1);
    }

    /**
     * A count that changes when the owner takes back the lent memory with this number, or with another number that
     * shares the count. For the owner and for other ranks.
     */
    long takenBack(long number) {
        return LaneLayout.wordAcquire(memory, countAt(number));
    }

    /** A count that changes with every announcement of a lane. */
    long announcements() {
        return LaneLayout.wordAcquire(memory, ANNOUNCEMENTS_AT);
    }

    /**
     * The id of the file in which the lane from a process begins; 0 if the process has announced no lane of this kind,
     * or if its room is not there or is used by another process.
     */
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

    // Methods for the other ranks.

    /**
     * The number of the owner's present sleep; 0 if the owner is awake. To be called after a full fence behind the
     * committed record.
     */
    long sleep() {
        long count = LaneLayout.wordOpaque(memory, SLEEP_AT);
        return (count & 1) == 0 ? 0 : count;
    }

    /**
     * The port of the owner's bell. The result is a valid port also if the memory holds another number: a ring at a
     * wrong port does no harm.
     */
    int bellPort() {
        return (int) LaneLayout.wordAcquire(memory, PORT_AT) & MAX_PORT;
    }

    /** Whether the mailbox has room for lanes from a rank of this slot. */
    boolean hasRoomFor(int slot) {
        return slot < slots;
    }

    /**
     * Announces the file of a lane to the owner. Does nothing if a later process uses the room already: the caller was
     * then stopped for long, and has been replaced.
     */
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

    /**
     * The place of the count for lent memory with this number; several numbers share a count. With several counts,
     * taking back one piece of lent memory seldom makes the copy of another piece invalid.
     */
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
