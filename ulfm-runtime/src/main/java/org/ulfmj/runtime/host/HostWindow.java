package org.ulfmj.runtime.host;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.progress.Sleepers;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;
import org.ulfmj.transport.SleepWatch;

/**
 * The shared segments of all members of one communicator for non-blocking collective operations. Up to {@link #places}
 * operations are open at a time, and end in any order. All members number them alike, from 1; operation n has slot and
 * place n mod {@link #places}.
 *
 * <pre>
 *      0  not zero while the rank sleeps and is to be woken
 *    128  done: this rank needs nothing more of the operations up to this number
 *    256  the last call of this rank that was none of this queue: how many calls of the
 *         communicator there were up to it (32 bits), and how many of the queue (32 bits)
 *    384  slots of 128 bytes
 *           0  flag: the operation, and how many waves of it the rank has shown;
 *              stored last, with release
 *           8  the call that the rank is in (HostCall)
 *          16  the number of that call on the communicator
 *          24  up to 104 bytes of data
 *         places, for more data
 * </pre>
 *
 * <p>A rank stores into the slot and the place of operation n only when all ranks are done with operation n −
 * {@link #places}: each rank says so in the word <em>done</em>, which only grows. Flags only grow, too.
 *
 * <p>Under the engine lock, but {@link #beginSleep}, {@link #mayGoOn}, {@link #endSleep} and the use of a {@link View}.
 */
final class HostWindow implements SleepWatch {
    static final int INLINE_BYTES = 104;

    private static final int SLEEP_AT = 0;
    private static final int DONE_AT = 128;
    private static final int CALLS_AT = 256;
    private static final int SLOTS_AT = 384;
    private static final int SLOT_BYTES = 128;
    private static final int FLAG = 0;
    private static final int CALL = 8;
    private static final int SEQUENCE = 16;
    private static final int INLINE = 24;
    private static final int ALIGNMENT = 4096;
    private static final int WAVE_BITS = 24;
    private static final long INT_MASK = 0xffff_ffffL;
    /** Up to this difference of two counters of 32 bits, which wrap, it can be told which one is ahead. */
    private static final int FARTHEST = 1 << 30;

    /** A writable buffer over this rank's segment and readable ones over all segments, for one thread at a time. */
    static final class View {
        private final ByteBuffer writer;
        private final ByteBuffer[] readers;

        View(Segment mine, Segment[] segments) {
            writer = view(mine);
            readers = new ByteBuffer[segments.length];
            for (int rank = 0; rank < readers.length; rank++) {
                readers[rank] = view(segments[rank]);
            }
        }

        private static ByteBuffer view(Segment segment) {
            return segment.memory().duplicate().order(ByteOrder.nativeOrder());
        }

        /** Returns this rank's own segment as a buffer, to write {@code bytes} bytes from {@code at} on. */
        ByteBuffer write(int at, int bytes) {
            return writer.clear().limit(at + bytes).position(at);
        }

        /** Returns a rank's segment as a buffer, to read {@code bytes} bytes from {@code at} on. */
        ByteBuffer read(int rank, int at, int bytes) {
            return readers[rank].clear().limit(at + bytes).position(at);
        }
    }

    private final HostMemory memory;
    private final ProcessId[] processes;
    private final int rank;
    private final Segment mine;
    private final Segment[] segments;
    private final Sleepers sleepers;
    /** A power of two. */
    private final int places;

    private final int placeBytes;
    /** After how many more ended operations this rank shows in its segment that it is done with them. */
    private final int doneStep;

    /** By slot, what this rank's flag holds. */
    private final long[] flags;
    /** By slot, the number on the communicator of the last operation that used the slot. */
    private final long[] sequences;
    /** By slot, the operation that has begun at this rank and is not over. */
    private final HostRun[] open;
    /** By slot, whether its operation is over at this rank, while an operation before it is not. */
    private final boolean[] over;
    /** All operations up to this number are over at this rank. */
    private long doneHere;
    /** The value of the word <em>done</em>. */
    private long doneShown;
    /** All operations up to this number are known to be over at all ranks. */
    private long doneEverywhere;
    /** The number of the operation that waits until its slot is free; 0 for none. */
    private long awaited;
    /** Whether other ranks are to wake this rank when it sleeps. */
    private boolean isToBeRung;

    HostWindow(HostMemory memory, ProcessId[] processes, int rank, Segment[] segments, int places) {
        this.memory = memory;
        this.processes = processes;
        this.rank = rank;
        this.segments = segments;
        this.mine = segments[rank];
        this.sleepers = new Sleepers(memory, processes, segments, rank, SLEEP_AT);
        this.places = places;
        this.placeBytes = (mine.lengthBytes() - placesAt(places)) / places & -SLOT_BYTES;
        this.doneStep = Math.max(1, places / 2);
        this.flags = new long[places];
        this.sequences = new long[places];
        this.open = new HostRun[places];
        this.over = new boolean[places];
    }

    private static int placesAt(int places) {
        return SLOTS_AT + places * SLOT_BYTES + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** The length of a segment with so many places of this length. */
    static int lengthBytes(int places, int placeBytes) {
        return placesAt(places) + places * placeBytes;
    }

    View newView() {
        return new View(mine, segments);
    }

    int size() {
        return segments.length;
    }

    int rank() {
        return rank;
    }

    ProcessId process(int ofRank) {
        return processes[ofRank];
    }

    int places() {
        return places;
    }

    int placeBytes() {
        return placeBytes;
    }

    private int slotAt(long number) {
        return SLOTS_AT + slot(number) * SLOT_BYTES;
    }

    int slot(long number) {
        return (int) number & places - 1;
    }

    /** The index in a segment at which up to {@link #INLINE_BYTES} bytes of an operation lie. */
    int inlineAt(long number) {
        return slotAt(number) + INLINE;
    }

    int placeAt(long number) {
        return placesAt(places) + slot(number) * placeBytes;
    }

    // The order of operations.

    /** Whether the slot of an operation is free at all ranks. */
    boolean mayBegin(long number) {
        if (number - places > doneEverywhere) {
            doneEverywhere = lookDone();
        }
        return number - places <= doneEverywhere;
    }

    private long lookDone() {
        long least = doneHere;
        for (int other = 0; other < segments.length; other++) {
            if (other != rank) {
                least = Math.min(least, segments[other].wordAcquire(DONE_AT));
            }
        }
        return least;
    }

    /** Adds the other ranks that may still use the slot of an operation. */
    void addUsers(long number, List<Integer> ranks) {
        for (int other = 0; other < segments.length; other++) {
            if (other != rank && segments[other].wordAcquire(DONE_AT) < number - places) {
                ranks.add(other);
            }
        }
    }

    /**
     * Notes which operation waits for its slot.
     *
     * @param number the number of the operation; 0 if none waits
     */
    void await(long number) {
        awaited = number;
    }

    /** Takes the slot of an operation. */
    void begin(HostRun run) {
        sequences[slot(run.number)] = run.sequence;
    }

    /** Notes that an operation is under way, until {@link #end}. */
    void open(HostRun run) {
        VarHandle.storeStoreFence(); // a thread that goes to sleep looks at open operations without the lock
        open[slot(run.number)] = run;
    }

    /**
     * Notes that this rank needs nothing more of an operation. Returns true if other ranks may have waited for that:
     * then {@link #sleepers} are to be woken.
     */
    boolean end(HostRun run) {
        int slot = slot(run.number);
        open[slot] = null;
        over[slot] = true;
        for (int next = slot(doneHere + 1); over[next]; next = slot(doneHere + 1)) {
            over[next] = false;
            doneHere++;
        }
        if (doneHere - doneShown >= doneStep) {
            doneShown = doneHere;
            mine.wordRelease(DONE_AT, doneShown);
            return true;
        }
        return false;
    }

    // Flags.

    private static long flag(long number, int wave) {
        return (number << WAVE_BITS) + wave + 1;
    }

    /** Shows a wave of an operation: all members can read what was written for it, and those that sleep are woken. */
    void show(HostRun run, int wave) {
        showQuietly(run, wave);
        sleepers.ring();
    }

    /** As {@link #show}, but the caller is still to wake the {@link #sleepers}. */
    void showQuietly(HostRun run, int wave) {
        int slot = slotAt(run.number);
        if (wave == 0) {
            ByteBuffer own = mine.memory();
            own.putLong(slot + CALL, run.call);
            own.putLong(slot + SEQUENCE, run.sequence);
        }
        long flag = flag(run.number, wave);
        flags[slot(run.number)] = flag;
        mine.wordRelease(slot + FLAG, flag);
    }

    /**
     * Fetches the cache line of the slot of the operation behind {@code number}, as {@link HostGroup} does for its
     * slots.
     */
    void fetchNextSlot(long number) {
        long next = number + 1;
        mine.memory().putLong(slotAt(next) + FLAG, flags[slot(next)]);
    }

    Sleepers sleepers() {
        return sleepers;
    }

    /** Whether a rank has shown a wave of an operation. */
    boolean hasShown(int other, long number, int wave) {
        return other == rank || segments[other].wordAcquire(slotAt(number) + FLAG) >= flag(number, wave);
    }

    /**
     * Returns what is wrong if another rank is in another call; else null. To be asked when that rank's flag was seen.
     */
    String difference(HostRun run, int other) {
        ByteBuffer its = segments[other].memory();
        int slot = slotAt(run.number);
        long call = its.getLong(slot + CALL);
        if (call == run.call && its.getLong(slot + SEQUENCE) == run.sequence) {
            return null;
        }
        return "rank " + other + " is in " + HostCall.describe(call) + ", operation "
                + its.getLong(slot + SEQUENCE) + " there, this rank in " + HostCall.describe(run.call) + ", operation "
                + run.sequence + " there";
    }

    // Ranks that are elsewhere.

    /**
     * Shows how many calls this rank had made up to its last call that was not of this queue.
     *
     * @param all how many calls of the communicator
     * @param ofQueue how many of these were of this queue
     */
    void showCalls(long all, long ofQueue) {
        mine.wordRelease(CALLS_AT, all << Integer.SIZE | ofQueue & INT_MASK);
    }

    /**
     * Returns what is wrong if another rank, which has not shown an operation that this rank waits for, has made
     * another call in place of that operation, or of one before; else null.
     *
     * <p>If all is right, of the first n calls on the communicator all ranks have the same number in this queue. The
     * other rank shows how many calls it has made, and how many of these were of this queue; so its next call of the
     * queue comes behind all these calls. The call of this rank with the same number in the queue must then come behind
     * as many calls.
     */
    String elsewhere(HostRun run, int other) {
        long word = segments[other].wordAcquire(CALLS_AT);
        if (word == 0) {
            return null;
        }
        int ahead = (int) (word >>> Integer.SIZE) - (int) run.sequence;
        if (Math.abs((long) ahead) > FARTHEST) {
            return null; // the word is so old that its halves may have wrapped
        }
        long calls = run.sequence + ahead;
        long missing = (int) word - (int) run.count;
        // Of earlier operations only those are still known here whose slots were not used again.
        long number = run.number + Math.max(missing, 1 - Math.min(run.number, places));
        if (number > run.number) {
            return null;
        }
        long sequence = number == run.number ? run.sequence : sequences[slot(number)];
        if (sequence >= calls) {
            return null;
        }
        return "rank " + other + " made another call as operation " + sequence + " there; this rank is in "
                + HostCall.describe(run.call) + ", operation " + run.sequence + " there";
    }

    /**
     * Returns what is wrong if another rank shows the operation of this number in the queue, and its number on the
     * communicator is not above {@code sequence}; else null.
     *
     * @param sequence the number on the communicator of the call that this rank is to make next
     */
    String ahead(long number, long sequence) {
        VarHandle.fullFence();
        for (int other = 0; other < segments.length; other++) {
            if (other != rank && hasShown(other, number, 0)) {
                ByteBuffer its = segments[other].memory();
                int slot = slotAt(number);
                if (its.getLong(slot + SEQUENCE) <= sequence) {
                    return "rank " + other + " is in " + HostCall.describe(its.getLong(slot + CALL)) + ", operation "
                            + its.getLong(slot + SEQUENCE) + " there, this rank in another call, operation " + sequence
                            + " there";
                }
            }
        }
        return null;
    }

    /** Removes the name of this rank's segment from the file system: every member has opened the segment. */
    void unlink() {
        memory.unlink(mine);
    }

    void discard() {
        sleepers.close();
        for (Segment segment : segments) {
            memory.discard(segment);
        }
    }

    // The methods below are about sleep. Those of SleepWatch are called without the engine lock, by the thread of this
    // rank that sleeps.

    /** Sets whether other ranks are to wake this rank when it sleeps. */
    void beToBeRung(boolean isIt) {
        isToBeRung = isIt;
    }

    boolean isToBeRung() {
        return isToBeRung;
    }

    @Override
    public void beginSleep() {
        if (isToBeRung) {
            mine.wordRelease(SLEEP_AT, 1);
        }
    }

    @Override
    public boolean mayGoOn() {
        if (!isToBeRung) {
            return false;
        }
        for (HostRun run : open) {
            if (run != null && run.mayGoOn()) {
                return true;
            }
        }
        long next = awaited;
        return next != 0 && next - places <= lookDone();
    }

    @Override
    public void endSleep() {
        if (mine.wordAcquire(SLEEP_AT) != 0) {
            mine.wordRelease(SLEEP_AT, 0);
        }
    }
}
