package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;
import org.ulfmj.transport.SleepWatch;

/** Media for ranks of one process that share segments of memory. They list the segments that each rank holds. */
final class SharedRanks implements LocalRanks.Media {
    static final int SEGMENT_BYTES = 16 * 1024;

    private final LocalRanks.Media media;
    private final List<Memory> memories = new ArrayList<>();
    private final Map<Long, Segment> byId = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();

    SharedRanks(int size) {
        media = LocalRanks.inMemory(size);
        for (int slot = 0; slot < size; slot++) {
            memories.add(new Memory(slot));
        }
    }

    Memory memory(int slot) {
        return memories.get(slot);
    }

    @Override
    public Fabric fabric(int slot) {
        Memory memory = memories.get(slot);
        return InterceptedFabric.of(media.fabric(slot), (method, arguments) -> {
            if (method.equals("prepare")) {
                memory.beforePrepare.run();
            } else if (method.equals("wake")) {
                memory.wakes.incrementAndGet();
            }
            return method.equals("hostMemory") ? memory : null;
        });
    }

    @Override
    public void kill(int slot) {
        media.kill(slot);
    }

    /** The memory of one rank. */
    final class Memory implements HostMemory {
        private final int slot;
        /** The segments that this rank has made or opened, and not discarded. */
        final List<Segment> held = new CopyOnWriteArrayList<>();
        /** Runs before this rank makes a segment, without the engine lock. The next field runs before it opens one. */
        volatile Runnable beforeCreate = () -> {};

        volatile Runnable beforeOpen = () -> {};
        /** Runs before a connection to another rank is prepared. */
        volatile Runnable beforePrepare = () -> {};

        /** How often this rank has told its fabric to end a sleep of this rank. */
        final AtomicInteger wakes = new AtomicInteger();

        /** How often this rank has rung another rank. */
        final AtomicInteger rings = new AtomicInteger();

        volatile boolean isFull;
        volatile int steps;
        volatile int made;

        Memory(int slot) {
            this.slot = slot;
        }

        @Override
        public int segmentBytes(int ranks) {
            return SEGMENT_BYTES << steps;
        }

        @Override
        public int segmentBytes(int ranks, int step) {
            return SEGMENT_BYTES << Math.min(step, steps);
        }

        @Override
        public boolean reaches(ProcessId rank) {
            return true;
        }

        @Override
        public Segment create(int lengthBytes) {
            beforeCreate.run();
            if (isFull) {
                return null;
            }
            long id = lastId.incrementAndGet();
            Segment segment = new Segment(ProcessId.of(slot), id, ByteBuffer.allocateDirect(lengthBytes));
            byId.put(id, segment);
            held.add(segment);
            made++;
            return segment;
        }

        @Override
        public Segment open(ProcessId maker, long id) {
            beforeOpen.run();
            Segment segment = byId.get(id);
            held.add(segment);
            return segment;
        }

        @Override
        public void unlink(Segment own) {
            // Its number is never given again.
        }

        @Override
        public void discard(Segment segment) {
            held.remove(segment);
        }

        @Override
        public void ring(ProcessId rank) {
            rings.incrementAndGet();
            media.fabric(rank.slot()).wake();
        }

        @Override
        public void watch(SleepWatch watch) {
            // Sleeps are short.
        }
    }
}
