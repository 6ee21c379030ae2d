package org.ulfmj.check.link;

/** What a process is told by its link sessions, besides messages. Peers are named by their slots. */
public interface LinkedEvents {
    /** The peer has said goodbye. */
    void departed(int peer);

    /** The peer has marked this process failed. */
    void excluded(int by);

    /** The session with the peer did not work one timeout ago, and does not work now. */
    void apart(int peer);
}
