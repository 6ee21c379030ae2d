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
 * What simulated ranks, who are all on one host, share: segments, and memory that they lend. Between two pieces of lent
 * memory that a rank copies others have their turn, so its owner can end a send, and write, in the middle of a message.
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

    /** Small ones, so that short programs use everything in them again and again. */
    @Override
    public int segmentBytes(int ranks) {
        return job.profile().segmentBytes() << MOST_STEPS;
    }

    /** They grow, too. */
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
        // A number is never given again.
    }

    @Override
    public void discard(Segment segment) {
        // It goes with the run.
    }

    /** None where there is no room for it, which is so now and then. */
    @Override
    public Lent lend(int lengthBytes) {
        if (job.host().isFullFor(lengthBytes)) {
            return null;
        }
        ByteBuffer memory = ByteBuffer.allocateDirect(lengthBytes).order(ByteOrder.nativeOrder());
        return new Lent(job.host().lend(rank.id(), memory), memory);
    }

    /** What is there cannot always be mapped. */
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
        // A waiting rank is woken by what it waits for.
    }

    @Override
    public void watch(SleepWatch watch) {
        // No rank sleeps in simulated time.
    }
}
