package org.ulfmj.testkit.sim;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;
import org.ulfmj.transport.SleepWatch;

/** Segments of simulated ranks, who are all on one host. */
final class SimHostMemory implements HostMemory {
    private final SimJob job;
    private final SimRank rank;

    SimHostMemory(SimJob job, SimRank rank) {
        this.job = job;
        this.rank = rank;
    }

    /** Small ones, so that short programs use everything in them again and again. */
    @Override
    public int segmentBytes(int ranks) {
        return job.profile().segmentBytes();
    }

    @Override
    public boolean reaches(ProcessId other) {
        return job.process(other) != null;
    }

    @Override
    public Segment create(int lengthBytes) {
        SimSegment segment = new SimSegment(job, rank, job.segments().size() + 1L, lengthBytes);
        job.segments().add(segment);
        return segment;
    }

    @Override
    public Segment open(ProcessId maker, long id) {
        if (id < 1 || id > job.segments().size()) {
            return null;
        }
        SimSegment segment = job.segments().get((int) id - 1);
        return segment.maker().equals(maker) ? segment.shown() : null;
    }

    @Override
    public void unlink(Segment own) {
        // A number is never given again.
    }

    @Override
    public void discard(Segment segment) {
        // It goes with the run.
    }

    @Override
    public void ring(ProcessId other) {
        // Who waits is woken by what it waits for.
    }

    @Override
    public void watch(SleepWatch watch) {
        // Nobody sleeps in simulated time.
    }
}
