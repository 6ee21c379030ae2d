package org.ulfmj.transport.shm;

import java.nio.ByteBuffer;
import org.ulfmj.transport.LaneKind;

/**
 * What one rank shows all others of its host: whether it sleeps, where its bell is, and, written by the others, which
 * lanes to it exist.
 *
 * <pre>
 *     0  sleep count: odd while it sleeps     8  port of its bell
 *   128  announcements so far                 (counted up by senders)
 *   256  for each slot: file of its control lane, file of its data lane; 0 is none
 * </pre>
 *
 * A sender writes only the words of its own slot. They are hints: what they name is opened only if it is a file that this
 * very sender made, so a process that was stopped, excluded and woken can spoil nothing here.
 */
final class Mailbox {
    private static final int SLEEP_AT = 0;
    private static final int PORT_AT = 8;
    private static final int ANNOUNCEMENTS_AT = 128;
    private static final int LANES_AT = 256;
    private static final int BYTES_A_SLOT = 16;
    private static final int MAX_PORT = 0xffff;

    private final ByteBuffer memory;
    private final int slots;

    Mailbox(ByteBuffer memory) {
        this.memory = memory;
        this.slots = (memory.capacity() - LANES_AT) / BYTES_A_SLOT;
    }

    /** Memory for so many ranks. */
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

    /** Changes with every announcement. */
    long announcements() {
        return LaneLayout.wordAcquire(memory, ANNOUNCEMENTS_AT);
    }

    /** The file in which the lane begins; 0 if the slot has announced none. */
    long lane(int slot, LaneKind kind) {
        return slot < slots ? LaneLayout.wordAcquire(memory, laneAt(slot, kind)) : 0;
    }

    // Of the others.

    /** A number for this sleep, 0 if the owner is awake. After a full fence behind what was committed. */
    long sleep() {
        long count = LaneLayout.wordOpaque(memory, SLEEP_AT);
        return (count & 1) == 0 ? 0 : count;
    }

    /** Some port, whatever the memory holds: ringing in vain harms nobody. */
    int bellPort() {
        return (int) LaneLayout.wordAcquire(memory, PORT_AT) & MAX_PORT;
    }

    /** Whether a rank of this slot has room in it. */
    boolean hasRoomFor(int slot) {
        return slot < slots;
    }

    void announce(int slot, LaneKind kind, long fileId) {
        LaneLayout.wordRelease(memory, laneAt(slot, kind), fileId);
        LaneLayout.countUp(memory, ANNOUNCEMENTS_AT);
    }

    private static int laneAt(int slot, LaneKind kind) {
        return LANES_AT + slot * BYTES_A_SLOT + kind.ordinal() * Long.BYTES;
    }
}
