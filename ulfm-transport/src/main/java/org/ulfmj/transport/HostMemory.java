package org.ulfmj.transport;

import org.ulfmj.protocol.ProcessId;

/**
 * Segments that ranks of one host show one another, beside the lanes of their {@link Fabric}. Under the engine lock, but for
 * what {@link SleepWatch} says.
 *
 * <p>Whatever fails is an answer and never an error: who can have no segment does without.
 */
public interface HostMemory {
    /** How many bytes a segment should have that so many ranks read; the same at each of them. */
    int segmentBytes(int ranks);

    /** Whether the rank is on our host; true of ourselves. */
    boolean reaches(ProcessId rank);

    /** A segment of our own, of zeros, all of it reserved; null if there is no room. */
    Segment create(int lengthBytes);

    /** What {@code maker} created under this id; null if it cannot be had. */
    Segment open(ProcessId maker, long id);

    /** All who may read our segment have it open: its name is of use to nobody, and would outlive us if we were killed. */
    void unlink(Segment own);

    /** We are done with a segment, our own or another's. */
    void discard(Segment segment);

    /** Wakes the rank if it sleeps. After a full fence behind what it is to see. */
    void ring(ProcessId rank);

    /** What each sleep of this rank looks at too. Set once. */
    void watch(SleepWatch watch);
}
