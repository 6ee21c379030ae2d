package org.ulfmj.runtime.progress;

import java.lang.invoke.VarHandle;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;

/**
 * The other ranks that share some memory with this rank; they may sleep until this rank has written something there. A
 * rank that goes to sleep sets a word of its own segment, and then looks at the memory once more. This rank writes
 * first and then looks at those words, and so misses no sleeper, if every processor sees the two in that order. A full
 * fence between the write and the look ensures the order. The release of a lock (a volatile store) before a volatile
 * read does so too: the memory model does not promise it, since the plain write is outside of that order, but it is
 * true on every processor that HotSpot has a compiler for.
 */
public final class Sleepers {
    private static final Segment[] NONE = {};

    private final HostMemory memory;
    private final ProcessId[] processes;
    private Segment[] segments;
    private final int rank;
    private final int wordAt;

    /**
     * @param segments the shared memory of each rank, by rank
     * @param rank this rank
     * @param wordAt the offset in each segment, in bytes, of the word that is not 0 while the rank that made the
     *     segment sleeps
     */
    public Sleepers(HostMemory memory, ProcessId[] processes, Segment[] segments, int rank, int wordAt) {
        this.memory = memory;
        this.processes = processes;
        this.segments = segments;
        this.rank = rank;
        this.wordAt = wordAt;
    }

    /**
     * Drops the references to the segments, which are given up. Their memory is given back when no other object refers
     * to them.
     */
    public void close() {
        segments = NONE;
    }

    /** Rings the other ranks that sleep. Under the engine lock. */
    public void ring() {
        VarHandle.fullFence();
        for (int other = 0; other < segments.length; other++) {
            if (other != rank && segments[other].wordAcquire(wordAt) != 0) {
                memory.ring(processes[other]);
            }
        }
    }

    /** Whether another rank sleeps. To be asked after the engine lock was released. */
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
