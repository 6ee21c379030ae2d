package org.ulfmj.check.link;

/** What link sessions tell the process that they live in, besides messages; peers are named by their slots. */
public interface LinkedEvents {
    /** The peer has said goodbye. */
    void departed(int peer);

    /** The peer has marked this process failed. */
    void excluded(int by);

    /** No session with the peer works; told once the launcher has had the time to find out. */
    void apart(int peer);
}
