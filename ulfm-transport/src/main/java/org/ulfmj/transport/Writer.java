package org.ulfmj.transport;

/**
 * Another process that may be let write into memory which we lend: it can be ended where it must be, and be seen to
 * have ended. Nothing here waits. Under the engine lock.
 */
public interface Writer {
    /**
     * Whether none of its threads can store anything any more: certain if true. Asks the system, so not for each poll.
     */
    boolean hasEnded();

    /** Ends the process, which was declared failed, as {@code kill -9} does; in vain if it has ended. */
    void end();
}
