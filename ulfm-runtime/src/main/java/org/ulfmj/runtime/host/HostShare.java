package org.ulfmj.runtime.host;

import org.ulfmj.runtime.transfer.MessageContext;

/**
 * The memory of their host that the members of one communicator share for collective operations, and when they try to
 * share it. Under the engine lock.
 */
public final class HostShare {
    private static final long NEVER = Long.MAX_VALUE;
    /**
     * How many collective operations the communicator has from the first attempt to share memory, if that failed but a
     * later one may succeed, before the next attempt is due; twice as many after each further attempt, up to
     * {@link #MOST_DOUBLINGS} times.
     */
    private static final int FIRST_PAUSE = 16;

    private static final int MOST_DOUBLINGS = 8;

    final MessageContext communicator;
    private HostCollective host;
    /**
     * The queue of the short non-blocking operations; the longer ones have another queue. Null before the first call.
     */
    private HostQueue shortOnes;

    private HostQueue longOnes;
    /** The number of the first collective operation before which the members may try to share memory. */
    private long setupAt;

    private int attempts;
    private boolean isInSetup;

    public HostShare(MessageContext communicator) {
        this.communicator = communicator;
    }

    /**
     * Ends the use of the shared memory after a member of the communicator failed or the communicator was revoked:
     * nothing in it is read any more.
     */
    public void onVerdict() {
        if (host != null) {
            host.onVerdict();
        }
        if (shortOnes != null) {
            shortOnes.onVerdict();
        }
        if (longOnes != null) {
            longOnes.onVerdict();
        }
    }

    HostQueue queue(HostRuns runs, boolean isLong) {
        if (isLong) {
            if (longOnes == null) {
                longOnes = new HostQueue(runs, communicator, true);
            }
            return longOnes;
        }
        if (shortOnes == null) {
            shortOnes = new HostQueue(runs, communicator, false);
        }
        return shortOnes;
    }

    /**
     * Notes a collective operation of any kind that has taken its number on the communicator or is about to.
     *
     * @param all how many collective operations the communicator has had, with this one
     */
    public void onCall(long all) {
        if (shortOnes != null) {
            shortOnes.onCall(all);
        }
        if (longOnes != null) {
            longOnes.onCall(all);
        }
    }

    /**
     * Returns what is wrong if another rank shows an operation in shared memory in place of the next operation of this
     * rank, which goes by messages or is put off; else null.
     */
    String difference() {
        long sequence = communicator.collectiveSequence();
        String found = shortOnes == null ? null : shortOnes.difference(sequence);
        return found != null || longOnes == null ? found : longOnes.difference(sequence);
    }

    /** Gives up the memory of the queues: the engine drops the communicator, which has no operations any more. */
    public void close() {
        if (shortOnes != null) {
            shortOnes.close();
        }
        if (longOnes != null) {
            longOnes.close();
        }
    }

    /** The memory that the members share for blocking operations; null if they share none, or none yet. */
    HostCollective host() {
        return host;
    }

    /**
     * Whether the members try to share memory, or more memory, before the next operation.
     *
     * @param sequence the number of that operation on the communicator
     * @param after how many operations go by messages in any case
     */
    boolean isSetupDue(long sequence, int after) {
        return host == null ? sequence >= after && sequence >= setupAt : host.wantsMore();
    }

    /** Notes that a call of this rank begins an attempt of the members to share memory. */
    void beginSetup() {
        isInSetup = true;
        onCall(communicator.collectiveSequence() + 1);
    }

    void endSetup() {
        isInSetup = false;
    }

    boolean isInSetup() {
        return isInSetup;
    }

    /** Counts an attempt that begins. Returns its number. */
    int nextAttempt() {
        return attempts++;
    }

    void found(HostCollective shared) {
        host = shared;
    }

    /** Notes that an attempt has failed: the members try again only after a pause. */
    void tryLater(long sequence) {
        setupAt = sequence + ((long) FIRST_PAUSE << Math.min(attempts - 1, MOST_DOUBLINGS));
    }

    void neverTry() {
        setupAt = NEVER;
    }

    /**
     * Ends the sharing of memory for blocking operations: the members do not try again. Returns the memory that they
     * shared, or null.
     */
    HostCollective leave() {
        HostCollective left = host;
        host = null;
        setupAt = NEVER;
        return left;
    }
}
