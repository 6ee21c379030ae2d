package org.ulfmj.transport.auth;

/** The purpose of a connection. A proof made for one purpose is not valid for another. */
public enum Purpose {
    /** Frames between two ranks, or between the launcher and the agent of a host. */
    LINK,
    /** A lifeline: a connection without data between two processes, whose end is a sign that one of them has ended. */
    LIFELINE,
    /** Messages between a client, such as a rank, and a rendezvous or a store. */
    CONTROL
}
