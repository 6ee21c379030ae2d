package org.ulfmj.transport.local;

import java.nio.ByteBuffer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.Segment;
import org.ulfmj.transport.SleepWatch;

/**
 * Segments and lent memory of ranks that are threads: direct buffers that all ranks reach through the {@link LocalHub}.
 * Under the engine lock, except {@link #create} and {@link #lend}.
 */
final class LocalHostMemory implements HostMemory {
    private static final int LARGEST_BYTES = 1 << 20;
    private static final int GROUP_BYTES = 8 << 20;
    private static final int SMALLEST_BYTES = 64 << 10;

    private final LocalHub hub;
    private final LocalFabric fabric;
    private final ProcessId self;
    private final Doorbell doorbell;

    LocalHostMemory(LocalHub hub, LocalFabric fabric, Doorbell doorbell) {
        this.hub = hub;
        this.fabric = fabric;
        this.self = fabric.id();
        this.doorbell = doorbell;
    }

    @Override
    public int segmentBytes(int members) {
        int share = Integer.highestOneBit(GROUP_BYTES / members);
        return Math.max(SMALLEST_BYTES, Math.min(LARGEST_BYTES, share));
    }

    @Override
    public boolean reaches(ProcessId rank) {
        return fabric.find(rank) != null;
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
    public Lent lend(int lengthBytes) {
        return hub.lend(lengthBytes);
    }

    /** Every call returns a new read-only view, so that each reader has its own position. */
    @Override
    public ByteBuffer borrow(ProcessId maker, long id) {
        ByteBuffer memory = hub.lentMemory(id);
        return memory == null ? null : memory.asReadOnlyBuffer();
    }

    @Override
    public void takeBack(long number) {
        hub.takenBack().incrementAndGet();
    }

    @Override
    public long takenBack(ProcessId maker, long number) {
        return hub.takenBack().get();
    }

    @Override
    public void ring(ProcessId rank) {
        LocalPeer peer = fabric.find(rank);
        if (peer != null) {
            peer.room.knock();
        }
    }

    @Override
    public void watch(SleepWatch watch) {
        doorbell.watch(watch);
    }
}
