package org.ulfmj.transport.auth;

/** What a connection is for. A proof given for one purpose is worth nothing for another. */
public enum Purpose {
    /** Frames between two ranks. */
    LINK,
    /** Bears witness to a life and carries nothing. */
    LIFELINE,
    /** Between a rank, or a host agent, and the launcher's rendezvous. */
    CONTROL
}
