package org.ulfmj.sim;

/**
 * Carries the messages of a {@link VirtualNetwork} in place of the network's own lines, for example over link sessions.
 * The carrier hands arriving messages over by {@link VirtualNetwork#deliver}. Processes are named by their numbers.
 *
 * @param <M> message
 */
public interface Carrier<M> {
    void send(int from, int to, M message);

    /** Notes that a process has ended: messages that it had not sent yet are lost. */
    void ended(int node);

    /** Notes that a process has marked another one failed. */
    void marked(int by, int about);

    /** Hands over, at the process {@code at}, all messages that have arrived there from a dead process. */
    void readOut(int dead, int at);

    /**
     * Holds up the path from one process to another until a time: messages that are sent from now on and before that
     * time arrive after it.
     */
    void hold(int from, int to, long untilNs);

    /**
     * Breaks the path from one process to another for good. A carrier may instead break only the connections, and mend
     * them.
     */
    void cut(int from, int to);

    /**
     * Makes a process leave, or continue to leave if it does so already. Returns whether it has left: all its messages
     * have arrived, or are given up.
     */
    boolean leave(int node);

    /** Returns the number of messages on their way that are not background. */
    int foregroundInFlight();
}
