package org.ulfmj.transport.tcp;

/** An accepted connection whose other end has not proved itself yet. */
interface Stranger {
    void drop();
}
