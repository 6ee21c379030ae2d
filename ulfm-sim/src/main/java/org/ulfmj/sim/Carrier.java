package org.ulfmj.sim;

/**
 * Carries the messages of a {@link VirtualNetwork} in another way than its lines do, as over the sessions of a
 * transport. It hands over what arrives by {@link VirtualNetwork#deliver}. Processes are named by their numbers.
 *
 * @param <M> message
 */
public interface Carrier<M> {
    void send(int from, int to, M message);

    /** The process has ended: what it had not sent yet is lost. */
    void ended(int node);

    /** A process has marked another one failed. */
    void marked(int by, int about);

    /** What has arrived from a dead process is handed over now. */
    void readOut(int dead, int at);

    /** The path carries nothing in one direction until a time. */
    void hold(int from, int to, long untilNs);

    /** The path carries nothing in one direction any more. */
    void cut(int from, int to);

    /** A process leaves, or goes on to; whether nothing of it is on its way any more. */
    boolean leave(int node);

    /** Number of messages on their way that are not background. */
    int foregroundInFlight();
}
