package org.ulfmj.runtime.progress;

import java.lang.invoke.VarHandle;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;

/**
 * The other ranks of some shared memory, which may sleep until this rank has shown something there. A rank that goes to
 * sleep says so in a word of its segment, and then looks at the memory once more. So a rank that shows something, and
 * then looks at those words, misses no sleeper, if every processor sees the two in that order. A full fence between
 * them sees to that. So does the release of a lock, which is a volatile store, before a volatile read: not by the
 * letter of the memory model, for which what was shown is outside of that order, but on every processor that HotSpot
 * has a compiler for.
 */
public final class Sleepers {
    private static final Segment[] NONE = {};

    private final HostMemory memory;
    private final ProcessId[] processes;
    private Segment[] segments;
    private final int rank;
    private final int wordAt;

    /**
     * @param segments of all ranks, by rank
     * @param rank this rank
     * @param wordAt the offset in each segment of the word that is not 0 while its maker sleeps, in bytes
     */
    public Sleepers(HostMemory memory, ProcessId[] processes, Segment[] segments, int rank, int wordAt) {
        this.memory = memory;
        this.processes = processes;
        this.segments = segments;
        this.rank = rank;
        this.wordAt = wordAt;
    }

    /** Forgets the segments: they are given up, and their memory is given back when no object knows them any more. */
    public void close() {
        segments = NONE;
    }

    /** Rings the ranks that sleep. Under the engine lock. */
    public void ring() {
        VarHandle.fullFence();
        for (int other = 0; other < segments.length; other++) {
            if (other != rank && segments[other].wordAcquire(wordAt) != 0) {
                memory.ring(processes[other]);
            }
        }
    }

    /** Whether a rank sleeps. To be asked when the engine lock was let go. */
    public boolean areThere() {
        Segment[] known = segments; // another thread may have closed this object
        for (int other = 0; other < known.length; other++) {
            if (other != rank && known[other].wordVolatile(wordAt) != 0) {
                return true;
            }
        }
        return false;
    }
}
