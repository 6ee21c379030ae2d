package org.ulfmj.check.link;

/** The events of link sessions, besides messages, for the process that they live in. Peers are named by their slots. */
public interface LinkedEvents {
    /** The peer has said goodbye. */
    void departed(int peer);

    /** The peer has marked this process failed. */
    void excluded(int by);

    /** No session with the peer works. Reported once the launcher has had time to find out. */
    void apart(int peer);
}
