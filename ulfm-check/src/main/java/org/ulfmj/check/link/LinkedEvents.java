package org.ulfmj.check.link;

/** What a process is told by its link sessions, besides messages. Peers are named by their slots. */
public interface LinkedEvents {
    /** The peer has said goodbye. */
    void departed(int peer);

    /** The peer has marked this process failed. */
    void excluded(int by);

    /**
     * No session with the peer works any more. Reported a timeout later, when the launcher would have found that out.
     */
    void apart(int peer);
}
