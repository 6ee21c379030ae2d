package org.ulfmj.transport.auth;

/** An accepted connection whose other end has not proved itself yet. */
public interface Stranger {
    /** Closes the connection. */
    void drop();
}
