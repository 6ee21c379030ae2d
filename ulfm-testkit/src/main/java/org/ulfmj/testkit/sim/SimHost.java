package org.ulfmj.testkit.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.transport.Segment;

/**
 * What the processes of a {@link SimJob} share because they are on one host: segments, memory that they lend, and the
 * lock under which processes without a launcher end one another. Needs the baton.
 */
final class SimHost {
    private static final int REFUSED_PERCENT = 5;

    /** Of a whole run: a program that makes buffers for ever shall not end the simulator. */
    private static final long MOST_LENT_BYTES = 64 << 20;

    /** What a program writes there is seen at once, as between real ranks it may be. */
    private record LentMemory(ProcessId maker, ByteBuffer memory) {}

    private final SeededRandom chance;
    private final List<Segment> segments = new ArrayList<>();
    private final List<LentMemory> lent = new ArrayList<>();
    private long lentBytes;
    private ProcessId lockHolder;

    /** @param chance of whether memory can be lent, and read */
    SimHost(SeededRandom chance) {
        this.chance = chance;
    }

    /** What others see of all that were made, by id. */
    List<Segment> segments() {
        return segments;
    }

    /** Whether there is no room for so much more to be lent, which is so now and then. */
    boolean isFullFor(int lengthBytes) {
        return lentBytes + lengthBytes > MOST_LENT_BYTES || chance.chance(REFUSED_PERCENT);
    }

    /** Returns its id. */
    long lend(ProcessId maker, ByteBuffer memory) {
        lent.add(new LentMemory(maker, memory));
        lentBytes += memory.capacity();
        return lent.size();
    }

    /** Memory that this process lends; null if there is none of this id. */
    ByteBuffer lent(ProcessId maker, long id) {
        LentMemory found = id < 1 || id > lent.size() ? null : lent.get((int) id - 1);
        return found != null && found.maker().equals(maker) ? found.memory() : null;
    }

    /** Whether memory that is lent cannot be mapped this time. */
    boolean refusesToMap() {
        return chance.chance(REFUSED_PERCENT);
    }

    /** The process that has the lock; null if none has. */
    ProcessId lockHolder() {
        return lockHolder;
    }

    void lockedBy(ProcessId holder) {
        lockHolder = holder;
    }
}
