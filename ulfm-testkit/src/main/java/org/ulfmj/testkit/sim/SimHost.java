package org.ulfmj.testkit.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.transport.Segment;

/**
 * The resources that all processes of a {@link SimJob} share: segments, lent memory, and the lock under which processes
 * without a launcher end one another. Needs the baton.
 */
final class SimHost {
    private static final int REFUSED_PERCENT = 5;

    /**
     * The most memory that is lent in a run, so that a program that makes buffers for ever does not end the simulator.
     */
    private static final long MOST_LENT_BYTES = 64 << 20;

    /** Memory that a process lends. Other processes see a write to it at once, as may happen between real ranks. */
    private record LentMemory(ProcessId maker, ByteBuffer memory) {}

    private final SeededRandom chance;
    /** How often, in per cent, lent memory cannot be mapped; 0 in most runs. */
    private final int unmappedPercent;

    private final List<Segment> segments = new ArrayList<>();
    private final List<LentMemory> lent = new ArrayList<>();
    private long lentBytes;
    private ProcessId lockHolder;

    /** @param chance decides whether memory can be lent, and mapped */
    SimHost(SeededRandom chance) {
        this.chance = chance;
        this.unmappedPercent = (int) chance.pick(0, 0, REFUSED_PERCENT);
    }

    /** Returns all segments that were made, by id, in the form that other processes read. */
    List<Segment> segments() {
        return segments;
    }

    /** Whether this number of bytes cannot be lent: no room is left for them, or chance refuses. */
    boolean isFullFor(int lengthBytes) {
        return lentBytes + lengthBytes > MOST_LENT_BYTES || chance.chance(REFUSED_PERCENT);
    }

    /** Records memory that a process lends. Returns its id. */
    long lend(ProcessId maker, ByteBuffer memory) {
        lent.add(new LentMemory(maker, memory));
        lentBytes += memory.capacity();
        return lent.size();
    }

    /** Returns the memory that this process lends under an id; null if there is none. */
    ByteBuffer lent(ProcessId maker, long id) {
        LentMemory found = id < 1 || id > lent.size() ? null : lent.get((int) id - 1);
        return found != null && found.maker().equals(maker) ? found.memory() : null;
    }

    /** Whether lent memory cannot be mapped this time, by chance. */
    boolean refusesToMap() {
        return chance.chance(unmappedPercent);
    }

    /** Returns the process that took the lock last, which may have ended; null if the lock was given back. */
    ProcessId lockHolder() {
        return lockHolder;
    }

    void lockedBy(ProcessId holder) {
        lockHolder = holder;
    }
}
