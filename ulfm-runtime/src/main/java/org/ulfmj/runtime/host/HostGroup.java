package org.ulfmj.runtime.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.progress.Sleepers;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;
import org.ulfmj.transport.SleepWatch;

/**
 * The shared segments of all members of one communicator, and how far this rank is in the operations there, which all
 * members number alike.
 *
 * <p>A rank begins operation n by storing its bytes and then, with release, n into the flag of slot n:
 * {@link #publish}. It does so only after it has read everything it needs of operation n − 1. So <em>a rank whose flag
 * says that it has begun operation n is done with all operations before n</em>. That is the one rule by which memory is
 * used again: {@link #place} takes a slot, or a part of the ring, only when every rank is known to have begun an
 * operation after those that had it before. Mostly that is known already; else this rank looks at the flags, and waits
 * until at least half of the slots are free.
 *
 * <p>Flags only grow, and a look at a slot's flag asks for "at least n": a rank that is 32 operations further on has
 * begun n too.
 *
 * <p>Under the engine lock, but {@link #beginSleep}, {@link #mayGoOn}, {@link #endSleep}, and {@link #write} and
 * {@link #read} in the reduction of a long vector.
 */
public final class HostGroup implements SleepWatch {
    private static final int SLOTS = HostLayout.SLOTS;
    /**
     * For how many operations ahead a rank fetches the cache lines of their slots at once, where it does not wait for
     * the lines; a power of two.
     */
    private static final int AHEAD = 8;

    /** How often {@link #isThereSoon} looks at most: for about as long as a yield takes. */
    private static final int LAST_LOOKS = 60;

    private static final int LAST_LOOKS_A_PAUSE = 2;

    private static final int NO_RANK = -1;
    private static final long NOWHERE = Long.MAX_VALUE;

    private final HostMemory memory;
    private final ProcessId[] processes;
    private final int rank;
    private final Segment mine;
    private final Segment[] segments;
    private final Sleepers sleepers;
    private final HostLayout layout;
    private final ByteBuffer writer;
    private final ByteBuffer[] readers;
    private HostWaiting waiting;
    /** The description of the operation that is under way; 0 for none. */
    private long description;

    /** How many operations this rank has begun. */
    private long number;
    /** How many operations so far would have been served better by larger segments. */
    private long cramped;
    /** The last operation that every rank is known to have begun. */
    private long known;
    /**
     * How many bytes of its ring this rank has filled or skipped so far, counted on without end as the ring is used
     * again and again.
     */
    private long position;
    /** The {@link #position} at which the data of an operation begins, by slot; NOWHERE if it is not in the ring. */
    private final long[] starts = new long[SLOTS];

    /**
     * The number of the operation that {@link #awaitedRank}, or every rank, must have begun for this rank's wait to
     * end; 0 if there is no wait.
     */
    private long awaited;

    private int awaitedRank = NO_RANK;
    /** Whether every rank waits for every other rank in the awaited operation. */
    private boolean isMutual;
    /** Whether this rank's wait has lasted so long that its thread may sleep. */
    private boolean isPatient;
    /** The first rank that is not known to have begun the awaited operation. */
    private int cursor;

    /** @param segments the segments of all members by rank, this rank's among them, equally long */
    public HostGroup(HostMemory memory, ProcessId[] processes, int rank, Segment[] segments) {
        this.memory = memory;
        this.processes = processes;
        this.rank = rank;
        this.segments = segments;
        this.mine = segments[rank];
        this.sleepers = new Sleepers(memory, processes, segments, rank, HostLayout.SLEEP_AT);
        this.layout = new HostLayout(mine.lengthBytes());
        this.writer = view(mine);
        this.readers = new ByteBuffer[segments.length];
        for (int other = 0; other < segments.length; other++) {
            readers[other] = view(segments[other]);
        }
        Arrays.fill(starts, NOWHERE);
    }

    private static ByteBuffer view(Segment segment) {
        return segment.memory().duplicate().order(ByteOrder.nativeOrder());
    }

    public int size() {
        return segments.length;
    }

    public int rank() {
        return rank;
    }

    /** The number of operations that this rank has begun: equal at all members that have made the same calls. */
    public long operations() {
        return number;
    }

    /** The length of each member's segment. */
    public int segmentBytes() {
        return mine.lengthBytes();
    }

    /**
     * How many operations larger segments would have served better: equal at all members that have made the same calls.
     */
    public long cramped() {
        return cramped;
    }

    /**
     * Counts an operation as cramped if the present segments have no ample room for so many bytes of one member. All
     * members give the same number of bytes.
     */
    void needs(int bytes) {
        if (bytes > layout.ampleBytes) {
            cramped++;
        }
    }

    ProcessId process(int ofRank) {
        return processes[ofRank];
    }

    HostLayout layout() {
        return layout;
    }

    HostWaiting waiting() {
        return waiting;
    }

    /** Releases the engine lock and takes it again, between two pieces of a long copy, so that other threads get it. */
    void letOthersIn() {
        waiting.letGo();
        waiting.takeBack();
    }

    /** Sets the object through which this rank waits in the operations that begin from now on. */
    public void use(HostWaiting newWaiting) {
        waiting = newWaiting;
    }

    /** Sets the description of the operation that begins now, for all its steps; 0 for none. */
    public void describe(long newDescription) {
        description = newDescription;
    }

    /** Removes the name of this rank's segment from the file system: every member has opened the segment. */
    public void unlink() {
        memory.unlink(mine);
    }

    /** Gives up the segments: this rank does not use them any more. */
    public void discard() {
        sleepers.close();
        for (Segment segment : segments) {
            memory.discard(segment);
        }
    }

    // Writing.

    /**
     * Returns where this rank is to write its bytes for the next operation: a place that no rank reads any more.
     *
     * @param bytes at most {@link HostLayout#longestRingData}
     */
    int place(int bytes) {
        long next = number + 1;
        requireBegun(next - SLOTS + 1);
        int slot = (int) next & SLOTS - 1;
        boolean isDescribed = description != 0;
        if (bytes <= (isDescribed ? HostLayout.DESCRIBED_INLINE_BYTES : HostLayout.INLINE_BYTES)) {
            starts[slot] = NOWHERE;
            return HostLayout.slotAt(next) + (isDescribed ? HostLayout.DESCRIBED_INLINE : HostLayout.INLINE);
        }
        int length = bytes + HostLayout.ALIGNMENT - 1 & -HostLayout.ALIGNMENT;
        int ring = layout.ringBytes;
        int offset = (int) (position % ring);
        if (offset + length > ring) {
            position += ring - offset;
            offset = 0;
        }
        long end = position + length;
        for (long before = next - 1; before > next - SLOTS && before > 0; before--) {
            if (starts[(int) before & SLOTS - 1] < end - ring) {
                requireBegun(before + 1);
                break;
            }
        }
        starts[slot] = position;
        position = end;
        return layout.ringAt + offset;
    }

    /** Takes the slot of the next operation, for which this rank shows no bytes in the slot or the ring. */
    void placeNothing() {
        place(0);
    }

    /** Begins the next operation, and shows no bytes in it. */
    long publishNothing(long call) {
        placeNothing();
        return publish(call, 0);
    }

    /** As {@link #publishNothing}, for a rank that has little left to do in the call: see {@link #publishLast}. */
    long publishNothingLast(long call) {
        placeNothing();
        return publishLast(call, 0);
    }

    /**
     * Takes the slot of the next operation. The bytes that this rank showed in the operation before stay in their place
     * until the next operation is over.
     */
    void keepPlace() {
        long next = number + 1;
        requireBegun(next - SLOTS + 1);
        starts[(int) next & SLOTS - 1] = starts[(int) number & SLOTS - 1];
    }

    /** Returns a view of this rank's own segment from {@code at} on, to write {@code bytes} bytes. */
    ByteBuffer write(int at, int bytes) {
        return writer.clear().limit(at + bytes).position(at);
    }

    /**
     * Begins the next operation: from now on all members can read the bytes that were written for it, and members that
     * sleep are woken. Returns the operation's number.
     */
    long publish(long call, int place) {
        long next = show(call, place);
        sleepers.ring();
        fetchSlot(next + 1);
        return next;
    }

    /**
     * Fetches the cache line of an operation's slot from the caches of the ranks that have read it, by a store of the
     * value that the flag has already. To be called where this rank is about to wait, or for several slots at once:
     * else the processor waits for the line when the next operation begins.
     */
    private void fetchSlot(long operation) {
        if (operation > SLOTS) {
            mine.memory().putLong(HostLayout.slotAt(operation) + HostLayout.FLAG, operation - SLOTS);
        }
    }

    /**
     * As {@link #publish}, for a rank that has little left to do in the call: the ranks that sleep may be woken only
     * when the call has waited for some looks, or ends.
     */
    long publishLast(long call, int place) {
        long next = show(call, place);
        waiting.ringSoon(sleepers);
        fetchAhead(next);
        return next;
    }

    /**
     * In every {@link #AHEAD}th operation, looks how far the other ranks are, and fetches the cache lines of the slots
     * that this rank writes next if these are free. The transfers go on side by side, where each call would have waited
     * for one.
     */
    private void fetchAhead(long operation) {
        if ((operation & AHEAD - 1) != 0) {
            return;
        }
        learnBegun(operation - SLOTS / 2);
        if (known > operation + AHEAD - SLOTS) {
            for (long next = operation + 1; next <= operation + AHEAD; next++) {
                fetchSlot(next);
            }
        }
    }

    private long show(long call, int place) {
        long next = ++number;
        int slot = HostLayout.slotAt(next);
        ByteBuffer own = mine.memory();
        if (description == 0) {
            own.putLong(slot + HostLayout.CALL, call);
        } else {
            own.putLong(slot + HostLayout.CALL, call | HostCall.DESCRIBED);
            own.putLong(slot + HostLayout.DESCRIPTION, description);
        }
        own.putLong(slot + HostLayout.PLACE, place);
        mine.wordRelease(slot + HostLayout.FLAG, next);
        return next;
    }

    // Reading.

    /** Waits until all ranks have begun the operation, in which every rank does so. */
    void awaitAll(long operation) {
        isMutual = true;
        await(operation, NO_RANK, true);
        known = Math.max(known, operation);
    }

    /** As {@link #awaitAll}, for a rank that other ranks may be ahead of. */
    void awaitAllAhead(long operation) {
        await(operation, NO_RANK, true);
        known = Math.max(known, operation);
        for (int other = 0; other < segments.length; other++) {
            lookAhead(operation, other);
        }
    }

    /** Waits until one rank, which may be ahead of this one, has begun the operation. */
    void awaitOneAhead(long operation, int other) {
        await(operation, other, true);
        lookAhead(operation, other);
    }

    /**
     * In every {@link #AHEAD}th operation, looks at the slots of the operations that follow, if the other rank has
     * begun all of these. The processor fetches their cache lines side by side, where each call would have waited for
     * one.
     */
    private void lookAhead(long operation, int other) {
        if ((operation & AHEAD - 1) != 0) {
            return;
        }
        long next = operation + AHEAD;
        while (next > operation && hasBegun(other, next)) {
            next--;
        }
    }

    private void await(long operation, int other, boolean isHurried) {
        awaitedRank = other;
        cursor = 0;
        awaited = operation;
        try {
            waiting.await(isHurried);
        } finally {
            awaited = 0;
            isMutual = false;
        }
    }

    /**
     * Says whether the thread that waits may sleep from now on. While it may not sleep, other ranks do not wake this
     * rank for the wait.
     */
    public void waitPatiently(boolean isPatientNow) {
        isPatient = isPatientNow;
    }

    /** Whether the awaited rank, or every rank, has begun the awaited operation. */
    public boolean isThere() {
        long operation = awaited;
        if (awaitedRank != NO_RANK) {
            return hasBegun(awaitedRank, operation);
        }
        while (cursor < segments.length) {
            if (!hasBegun(cursor, operation)) {
                return false;
            }
            cursor++;
        }
        return true;
    }

    /**
     * Looks for a while for the ranks that are missing, if every rank waits for every other one in the awaited
     * operation and at most {@code most} are missing. Returns whether they have come. Where ranks go ahead of a rank
     * that waits, it does not look: the time of these looks is better used by another rank.
     */
    boolean isThereSoon(int most) {
        if (!isMutual || isMissingMoreThan(most)) {
            return false;
        }
        for (int i = 0; i < LAST_LOOKS; i++) {
            if (isThere()) {
                return true;
            }
            if ((i & LAST_LOOKS_A_PAUSE - 1) == LAST_LOOKS_A_PAUSE - 1) {
                Thread.onSpinWait();
            }
        }
        return false;
    }

    private boolean isMissingMoreThan(int most) {
        int missing = 0;
        for (int other = cursor; other < segments.length; other++) {
            if (!hasBegun(other, awaited) && ++missing > most) {
                return true;
            }
        }
        return false;
    }

    /** Whether this rank's wait needs the given rank, and that rank has not begun the awaited operation yet. */
    public boolean isMissing(int other) {
        return other != rank && (awaitedRank == NO_RANK || awaitedRank == other) && !hasBegun(other, awaited);
    }

    private boolean hasBegun(int other, long operation) {
        return other == rank
                || segments[other].wordAcquire(HostLayout.slotAt(operation) + HostLayout.FLAG) >= operation;
    }

    private boolean haveAllBegun(long operation) {
        for (int other = 0; other < segments.length; other++) {
            if (!hasBegun(other, operation)) {
                return false;
            }
        }
        return true;
    }

    private void requireBegun(long operation) {
        if (known >= operation) {
            return;
        }
        // Half of the slots at once: to look for each slot by itself would each time cost both sides the transfer of a
        // cache line.
        long half = Math.max(operation, number - SLOTS / 2);
        if (!learnBegun(half)) {
            await(half, NO_RANK, false);
            known = half;
        }
    }

    /** Looks whether every rank has begun the operation. */
    private boolean learnBegun(long operation) {
        if (known < operation) {
            if (!haveAllBegun(operation)) {
                return false;
            }
            known = operation;
        }
        return true;
    }

    /**
     * Throws if another rank is in another call, which is an error of the program. To be called after that rank was
     * seen to have begun the operation.
     */
    void requireSame(long operation, int other, long call) {
        ByteBuffer its = segments[other].memory();
        int slot = HostLayout.slotAt(operation);
        long itsCall = its.getLong(slot + HostLayout.CALL);
        if (description != 0) {
            boolean isDescribed = (itsCall & HostCall.DESCRIBED) != 0;
            long itsDescription = isDescribed ? its.getLong(slot + HostLayout.DESCRIPTION) : 0;
            if (itsDescription != description) {
                throw waiting.contradicted(other, itsDescription);
            }
            itsCall &= ~HostCall.DESCRIBED;
        }
        if (itsCall != call) {
            throw waiting.mismatch("rank " + other + " is in " + HostCall.describe(itsCall) + ", this rank in "
                    + HostCall.describe(call));
        }
    }

    void requireSame(long operation, long call) {
        for (int other = 0; other < segments.length; other++) {
            if (other != rank) {
                requireSame(operation, other, call);
            }
        }
    }

    /**
     * Returns the place that a rank has published in the operation: in most operations, at which byte of its segment
     * its data begins.
     */
    int placeOf(long operation, int other) {
        return (int) segments[other].memory().getLong(HostLayout.slotAt(operation) + HostLayout.PLACE);
    }

    /**
     * Returns a view of a rank's segment from {@code at} on, to read {@code bytes} bytes. Throws if these bytes do not
     * lie in that segment: the rank has written a wrong place.
     */
    ByteBuffer read(int other, int at, int bytes) {
        requireWithin(other, at, bytes);
        return readers[other].clear().limit(at + bytes).position(at);
    }

    /**
     * Returns the whole memory of a rank's segment, whose position and limit stay, after the checks of {@link #read}.
     */
    ByteBuffer memory(int other, int at, int bytes) {
        requireWithin(other, at, bytes);
        return segments[other].memory();
    }

    private void requireWithin(int other, int at, int bytes) {
        int length = segments[other].lengthBytes();
        if (at < 0 || at > length - bytes) {
            throw waiting.mismatch("rank " + other + " shows bytes at " + at + ", outside of its shared memory of "
                    + length + " bytes");
        }
    }

    // The methods below are called, without the engine lock, by the thread of this rank that sleeps.

    @Override
    public void beginSleep() {
        if (isPatient && awaited != 0) {
            mine.wordRelease(HostLayout.SLEEP_AT, 1);
        }
    }

    /**
     * Whether there is a wait that may sleep and that has what it waits for, as {@link #isThere} says. Changes nothing,
     * since the engine lock is not held. False if there is no wait.
     */
    @Override
    public boolean mayGoOn() {
        long operation = awaited;
        int one = awaitedRank;
        return isPatient && operation != 0 && (one != NO_RANK ? hasBegun(one, operation) : haveAllBegun(operation));
    }

    @Override
    public void endSleep() {
        if (mine.wordAcquire(HostLayout.SLEEP_AT) != 0) {
            mine.wordRelease(HostLayout.SLEEP_AT, 0);
        }
    }
}
