package org.ulfmj.transport.auth;

/** An accepted connection whose other end has not yet proved that it knows the job's secret. */
public interface Stranger {
    /** Closes the connection. */
    void drop();
}
