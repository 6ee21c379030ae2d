package org.ulfmj.testkit.sim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.Segment;
import org.ulfmj.transport.SleepWatch;
import org.ulfmj.transport.Writer;

/**
 * The memory that a simulated rank shares with the others: segments, and lent memory. A rank copies lent memory in
 * pieces, and other ranks may have their turn between two pieces. So the owner of the memory can end a send, and write,
 * in the middle of a message.
 */
final class SimHostMemory implements HostMemory {
    private static final int MOST_STEPS = 2;

    private final SimJob job;
    private final SimRank rank;
    private final long[] takenBack;

    SimHostMemory(SimJob job, SimRank rank) {
        this.job = job;
        this.rank = rank;
        this.takenBack = new long[job.profile().takenBackCounts()];
    }

    /** The size of a segment that has grown to its end: small, so that short programs use all of it again and again. */
    @Override
    public int segmentBytes(int ranks) {
        return job.profile().segmentBytes() << MOST_STEPS;
    }

    /** Returns the size of a segment at a step of its growth. */
    @Override
    public int segmentBytes(int ranks, int step) {
        return job.profile().segmentBytes() << Math.min(step, MOST_STEPS);
    }

    @Override
    public boolean reaches(ProcessId other) {
        return job.process(other) != null;
    }

    @Override
    public Segment create(int lengthBytes) {
        SimSegment segment = new SimSegment(job, rank, job.host().segments().size() + 1L, lengthBytes);
        job.host().segments().add(segment.shown());
        return segment;
    }

    @Override
    public Segment open(ProcessId maker, long id) {
        if (id < 1 || id > job.host().segments().size()) {
            return null;
        }
        Segment segment = job.host().segments().get((int) id - 1);
        return segment.maker().equals(maker) ? segment : null;
    }

    @Override
    public void unlink(Segment own) {
        // Nothing to do to take away the name of a segment: no id is given twice.
    }

    @Override
    public void discard(Segment segment) {
        // Nothing to do to give up a segment: its memory is released with the run.
    }

    /** Lends memory. Returns null if there is no room for it, which chance decides too. */
    @Override
    public Lent lend(int lengthBytes) {
        if (job.host().isFullFor(lengthBytes)) {
            return null;
        }
        ByteBuffer memory = ByteBuffer.allocateDirect(lengthBytes).order(ByteOrder.nativeOrder());
        return new Lent(job.host().lend(rank.id(), memory), memory);
    }

    /**
     * Returns the memory that a process lends. Null if it does not lend that memory, if this rank does not send to it
     * any more, or if the memory cannot be mapped by chance.
     */
    @Override
    public ByteBuffer borrow(ProcessId maker, long id) {
        ByteBuffer lent = find(maker, id);
        return lent == null ? null : lent.asReadOnlyBuffer();
    }

    @Override
    public ByteBuffer borrowToWrite(ProcessId maker, long id) {
        ByteBuffer lent = find(maker, id);
        return lent == null ? null : lent.duplicate();
    }

    private ByteBuffer find(ProcessId maker, long id) {
        ByteBuffer lent = job.host().lent(maker, id);
        boolean isThere = lent != null && rank.fabric().listensTo(maker);
        return isThere && !job.host().refusesToMap() ? lent : null;
    }

    @Override
    public Writer writer(ProcessId other) {
        return new Writer() {
            @Override
            public boolean hasEnded() {
                return job.process(other).hasEnded();
            }

            @Override
            public void end() {
                throw new IllegalStateException(
                        "a turn is over before another rank's begins: a simulated rank that stands"
                                + " still has written what it took");
            }
        };
    }

    @Override
    public int pieceBytes() {
        return job.profile().pieceBytes();
    }

    @Override
    public void takeBack(long number) {
        takenBack[(int) (number % takenBack.length)]++;
    }

    @Override
    public long takenBack(ProcessId maker, long number) {
        if (!maker.equals(rank.id()) && !rank.fabric().listensTo(maker)) {
            return -1;
        }
        return job.process(maker).hostMemory().takenBack[(int) (number % takenBack.length)];
    }

    @Override
    public void ring(ProcessId other) {
        // No bell has to be rung: the event that a rank waits for wakes it.
    }

    @Override
    public void watch(SleepWatch watch) {
        // No sleep has to be watched: no rank sleeps in simulated time.
    }
}
