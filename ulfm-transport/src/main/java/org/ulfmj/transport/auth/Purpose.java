package org.ulfmj.transport.auth;

/** What a connection is for. A proof made for one purpose is not valid for another. */
public enum Purpose {
    /** Frames between two ranks. */
    LINK,
    /** A connection without data that witnesses a life. */
    LIFELINE,
    /** Messages between a rank, or a host agent, and the launcher's rendezvous. */
    CONTROL
}
