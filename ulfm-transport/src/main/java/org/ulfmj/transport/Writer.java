package org.ulfmj.transport;

/**
 * Another process that may write into memory that this rank lends. This rank can end that process if need be, and can
 * see that it has ended. No method waits. Under the engine lock.
 */
public interface Writer {
    /**
     * Whether the process has ended, so that none of its threads can store anything any more. If true, this is certain.
     * Asks the operating system, so not to be called in each poll.
     */
    boolean hasEnded();

    /**
     * Ends the process, which is marked failed, as {@code kill -9} does. Does nothing if the process has ended already.
     */
    void end();
}
