package org.ulfmj.transport.local;

import java.nio.ByteBuffer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;
import org.ulfmj.transport.SleepWatch;

/** Segments of ranks that are threads: direct buffers that all of them have. Under the engine lock. */
final class LocalHostMemory implements HostMemory {
    private static final int LARGEST_BYTES = 1 << 20;
    private static final int GROUP_BYTES = 8 << 20;
    private static final int SMALLEST_BYTES = 64 << 10;

    private final LocalHub hub;
    private final ProcessId self;
    private final int ranks;
    private final Doorbell doorbell;

    LocalHostMemory(LocalHub hub, ProcessId self, int ranks, Doorbell doorbell) {
        this.hub = hub;
        this.self = self;
        this.ranks = ranks;
        this.doorbell = doorbell;
    }

    @Override
    public int segmentBytes(int members) {
        int share = Integer.highestOneBit(GROUP_BYTES / members);
        return Math.max(SMALLEST_BYTES, Math.min(LARGEST_BYTES, share));
    }

    @Override
    public boolean reaches(ProcessId rank) {
        return rank.slot() < ranks && rank.incarnation() == 0;
    }

    @Override
    public Segment create(int lengthBytes) {
        Segment segment = new Segment(self, hub.newId(), ByteBuffer.allocateDirect(lengthBytes));
        hub.segments().put(segment.id(), segment);
        return segment;
    }

    @Override
    public Segment open(ProcessId maker, long id) {
        Segment segment = hub.segments().get(id);
        return segment == null || !segment.maker().equals(maker) ? null : segment;
    }

    @Override
    public void unlink(Segment own) {
        hub.segments().remove(own.id());
    }

    @Override
    public void discard(Segment segment) {
        if (segment.maker().equals(self)) {
            unlink(segment);
        }
    }

    @Override
    public void ring(ProcessId rank) {
        hub.fabric(rank.slot()).knock();
    }

    @Override
    public void watch(SleepWatch watch) {
        doorbell.watch(watch);
    }
}
