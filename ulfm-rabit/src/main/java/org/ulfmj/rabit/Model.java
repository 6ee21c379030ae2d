package org.ulfmj.rabit;

import java.nio.ByteBuffer;

/**
 * Saves and loads a program's state at a checkpoint, as bytes. Its methods are called by the thread that calls
 * {@link Rabit}, and never by two threads at once.
 */
public interface Model {
    /**
     * Returns the state at this moment. Ranks that hold the same state must give the same bytes: the bytes of a global
     * model are compared at each checkpoint, and a restarted rank gets them in pieces from several other ranks at once.
     *
     * @return from position to limit; not changed afterwards
     */
    ByteBuffer save();

    /**
     * Sets the program's state to one that was saved.
     *
     * @param saved what {@link #save} gave, from position to limit; read-only
     */
    void load(ByteBuffer saved);
}
