package org.ulfmj.transport.auth;

/** The purpose of a connection. A proof made for one purpose is not valid for another. */
public enum Purpose {
    /** Frames between two ranks. */
    LINK,
    /** A lifeline: a connection without data, whose end shows that the process has ended. */
    LIFELINE,
    /** Messages between a rank, or a host agent, and the launcher's rendezvous. */
    CONTROL
}
