package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * The steps of one rank in one collective operation, written down in order and carried out by
 * {@link CollectiveSchedule}: messages that start together, {@link #await}, local work, the next messages.
 *
 * <p>Steps are kept as plain integers, so that a plan of a hundred steps is two arrays. A plan names lengths that every
 * partner knows too; a message of no bytes is left out at both ends, unless it is a {@link #signal}, or the operation
 * is a described one: then a rank that contributes nothing takes part all the same.
 *
 * <pre>
 *   kind | peer | buffer | offset | second buffer | second offset | length
 * </pre>
 */
public final class Plan {
    /**
     * Kinds of steps. SEND and RECEIVE start a message, AWAIT waits for all messages that were started, the others are
     * local work.
     */
    static final int SEND = 0;

    static final int RECEIVE = 1;
    static final int AWAIT = 2;
    static final int COPY = 3;
    static final int COMBINE = 4;
    /** Brings the result from packed memory to the buffer of the program. */
    static final int DELIVER = 5;

    private static final int WIDTH = 7;
    private static final int FIRST_STEPS = 8;
    /** If a plan had more steps than this, its array of steps is not kept for the next plan. */
    private static final int MOST_KEPT_STEPS = 256;

    private int member;
    private int members;
    private Reduction reduction;
    private int elementBytes;
    private boolean keepsEmpty;
    private final List<ByteBuffer> scratch = new ArrayList<>(2);
    private final Folding folding = new Folding();
    private ByteBuffer[] buffers = new ByteBuffer[4];
    private int bufferCount;
    private int[] steps = new int[FIRST_STEPS * WIDTH];
    private int end;
    /** The buffer that {@link #DELIVER} brings the result to; null without such a step. */
    private CollectiveBuffer result;
    /**
     * How many members take part in the steps that are being planned: those from {@link #first} on, or those of
     * {@link #listed}.
     */
    private int size;

    private int first;
    /**
     * The members that take part in the steps that are being planned, by their numbers in these steps; null if they
     * follow each other.
     */
    private int[] listed;
    /** The number of this rank. */
    private int place;

    /** Begins a plan, which has no steps. {@code newReduction} is null for operations that combine nothing. */
    void begin(int rank, int newSize, Reduction newReduction, int newElementBytes, boolean newKeepsEmpty) {
        keepsEmpty = newKeepsEmpty;
        member = rank;
        place = rank;
        members = newSize;
        size = newSize;
        reduction = newReduction;
        elementBytes = newElementBytes;
    }

    /** Forgets a plan that was carried out; the next plan uses its memory again, unless it had very many steps. */
    void clear() {
        if (end > MOST_KEPT_STEPS * WIDTH) {
            steps = new int[FIRST_STEPS * WIDTH];
        }
        Arrays.fill(buffers, 0, bufferCount, null);
        bufferCount = 0;
        end = 0;
        result = null;
        reduction = null;
    }

    public int rank() {
        return place;
    }

    public int size() {
        return size;
    }

    public int elementBytes() {
        return elementBytes;
    }

    /**
     * Returns the folding of the ranks to a power of two, for this root. There is one object, so it serves one root at
     * a time.
     */
    Folding folding(int root) {
        return folding.of(size, root);
    }

    /** Whether messages of no bytes are sent too, as in an operation with a description. */
    public boolean keepsEmpty() {
        return keepsEmpty;
    }

    /** The ranks that this rank sends to or receives from, in ascending order. */
    int[] partners() {
        BitSet found = new BitSet(members);
        for (int step = 0; step < end; step += WIDTH) {
            if (steps[step] == SEND || steps[step] == RECEIVE) {
                found.set(steps[step + 1]);
            }
        }
        int[] partners = new int[found.cardinality()];
        int count = 0;
        for (int partner = found.nextSetBit(0); partner >= 0; partner = found.nextSetBit(partner + 1)) {
            partners[count++] = partner;
        }
        return partners;
    }

    long messageBytes() {
        long bytes = 0;
        for (int step = 0; step < end; step += WIDTH) {
            if (steps[step] == SEND || steps[step] == RECEIVE) {
                bytes += length(step);
            }
        }
        return bytes;
    }

    /** Returns memory for intermediate results, which is given back when the schedule has succeeded or is discarded. */
    public ByteBuffer scratch(long bytes) {
        ByteBuffer buffer = Scratch.take(bytes);
        scratch.add(buffer);
        return buffer;
    }

    /**
     * Plans the steps of another schedule among the ranks of the caller's group only. That schedule names ranks by
     * their numbers in the group. Its first steps do not wait for what was planned before.
     */
    public void within(TwoGroups groups, CollectiveSchedule part) {
        first = groups.localStart();
        size = groups.localSize();
        place = member - first;
        part.plan(this);
        first = 0;
        size = members;
        place = member;
    }

    /**
     * Plans the steps of another schedule among some ranks only. That schedule names ranks by their numbers in
     * {@code ranks}. Its first steps do not wait for what was planned before.
     *
     * @param numberOfThis the number of this rank
     */
    public void within(int[] ranks, int numberOfThis, CollectiveSchedule part) {
        listed = ranks;
        size = ranks.length;
        place = numberOfThis;
        part.plan(this);
        listed = null;
        size = members;
        place = member;
    }

    public void send(int peer, ByteBuffer data, int offset, int length) {
        if (length > 0 || keepsEmpty) {
            add(SEND, peer, data, offset, data, 0, length);
        }
    }

    public void receive(int peer, ByteBuffer data, int offset, int length) {
        if (length > 0 || keepsEmpty) {
            add(RECEIVE, peer, data, offset, data, 0, length);
        }
    }

    /**
     * Plans a message without content, which is sent in any case: it tells the receiver that its sender has come to
     * this step.
     */
    public void signal(int peer) {
        add(SEND, peer, CollectiveSchedule.NOTHING, 0, CollectiveSchedule.NOTHING, 0, 0);
    }

    public void awaitSignal(int peer) {
        add(RECEIVE, peer, CollectiveSchedule.NOTHING, 0, CollectiveSchedule.NOTHING, 0, 0);
    }

    /** Plans a wait: all messages started so far are done before the next step. */
    public void await() {
        add(AWAIT, 0, CollectiveSchedule.NOTHING, 0, CollectiveSchedule.NOTHING, 0, 0);
    }

    /** Plans a copy, unless source and target are the same place or there is nothing to copy. */
    public void copy(ByteBuffer source, int sourceOffset, ByteBuffer target, int targetOffset, int length) {
        if (length > 0 && (source != target || sourceOffset != targetOffset)) {
            add(COPY, 0, source, sourceOffset, target, targetOffset, length);
        }
    }

    /**
     * Plans {@code inout = in op inout}. {@code in} is of lower ranks than {@code inout}, unless the operator
     * {@linkplain #isSymmetric is symmetric}. Offsets and length are in bytes.
     */
    public void combine(ByteBuffer in, int inOffset, ByteBuffer inout, int inoutOffset, int length) {
        if (length > 0) {
            add(COMBINE, 0, in, inOffset, inout, inoutOffset, length);
        }
    }

    /** Plans the last step: the result is brought to the buffer of the program, unless it is there already. */
    void deliver(CollectiveBuffer to) {
        int length = to.bytesToUnpack();
        if (length > 0) {
            await();
            result = to;
            add(DELIVER, 0, CollectiveSchedule.NOTHING, 0, CollectiveSchedule.NOTHING, 0, length);
        }
    }

    /**
     * Combines two contributions to the same range in rank order and returns the one of the two buffers that then holds
     * the result. For an operator known to give the same bits in both orders that is always {@code mine}.
     */
    public ByteBuffer combine(ByteBuffer mine, ByteBuffer theirs, boolean theirsIsLower, int offset, int length) {
        if (theirsIsLower || isSymmetric()) {
            combine(theirs, offset, mine, offset, length);
            return mine;
        }
        combine(mine, offset, theirs, offset, length);
        return theirs;
    }

    /** Whether {@code a op b} and {@code b op a} are equal to the bit; of a program's operator this is not known. */
    public boolean isSymmetric() {
        return reduction.isCommutative() && !reduction.isUserCode();
    }

    boolean isEnd(int at) {
        return at == end;
    }

    int next(int at) {
        return at + WIDTH;
    }

    int kind(int at) {
        return steps[at];
    }

    int peer(int at) {
        return steps[at + 1];
    }

    ByteBuffer buffer(int at) {
        return buffers[steps[at + 2]];
    }

    int offset(int at) {
        return steps[at + 3];
    }

    int length(int at) {
        return steps[at + 6];
    }

    boolean isLocalWork(int at) {
        return at < end && steps[at] >= COPY;
    }

    boolean callsUserCode(int at) {
        return steps[at] == COMBINE && reduction.isUserCode();
    }

    /** Carries out a step of local work. */
    void work(int at) {
        int length = length(at);
        for (int done = 0; done < length; ) {
            done = work(at, done, length - done);
        }
    }

    /**
     * Carries out a piece of a step of local work. For an operator of the program the piece must be the whole step.
     *
     * @param from the bytes of the step that are done already: what this method returned for the piece before, or 0
     * @param mostBytes about the length of the piece
     * @return the bytes of the step that are done now
     */
    int work(int at, int from, int mostBytes) {
        int left = length(at) - from;
        if (steps[at] == DELIVER) {
            return result.unpackPiece(from, Math.min(mostBytes, left));
        }
        ByteBuffer source = buffer(at);
        int sourceOffset = offset(at) + from;
        ByteBuffer target = buffers[steps[at + 4]];
        int targetOffset = steps[at + 5] + from;
        if (steps[at] == COPY) {
            int length = Math.min(mostBytes, left);
            target.put(targetOffset, source, sourceOffset, length);
            return from + length;
        }
        int elements = Math.min(left, Math.max(elementBytes, mostBytes)) / elementBytes;
        int length = elements * elementBytes;
        if (sourceOffset == 0 && targetOffset == 0 && source != target && !reduction.isUserCode()) {
            // Most combinations begin at index 0 of both buffers. Messages do not look at a buffer's position, so only
            // this method moves it.
            reduction.apply(source.position(0), target.position(0), elements);
        } else {
            reduction.apply(part(source, sourceOffset, length), part(target, targetOffset, length), elements);
        }
        return from + length;
    }

    void releaseScratch() {
        for (int i = 0; i < scratch.size(); i++) { // an iterator would be an object per operation
            Scratch.giveBack(scratch.get(i));
        }
        scratch.clear();
    }

    private static ByteBuffer part(ByteBuffer buffer, int offset, int length) {
        return buffer.slice(offset, length).order(ByteOrder.nativeOrder());
    }

    private void add(int kind, int peer, ByteBuffer a, int offsetA, ByteBuffer b, int offsetB, int length) {
        if (end + WIDTH > steps.length) {
            steps = Arrays.copyOf(steps, 2 * steps.length);
        }
        steps[end] = kind;
        steps[end + 1] = listed == null || kind > RECEIVE ? first + peer : listed[peer];
        steps[end + 2] = indexOf(a);
        steps[end + 3] = offsetA;
        steps[end + 4] = indexOf(b);
        steps[end + 5] = offsetB;
        steps[end + 6] = length;
        end += WIDTH;
    }

    private int indexOf(ByteBuffer buffer) {
        for (int index = 0; index < bufferCount; index++) {
            if (buffers[index] == buffer) {
                return index;
            }
        }
        if (bufferCount == buffers.length) {
            buffers = Arrays.copyOf(buffers, 2 * bufferCount);
        }
        buffers[bufferCount] = buffer;
        return bufferCount++;
    }
}
