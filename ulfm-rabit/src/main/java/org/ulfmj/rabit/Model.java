package org.ulfmj.rabit;

import java.nio.ByteBuffer;

/**
 * Saves and loads a program's state at a checkpoint, as bytes. Its methods are called by the thread that calls
 * {@link Rabit}, inside a call of {@code Rabit}: a model of a lazy checkpoint may be saved in any later one.
 */
public interface Model {
    /**
     * Returns the state at this moment. Ranks that hold the same state must give the same bytes: a checkpoint compares
     * the global models that are saved by then, and a restarted rank may get one in pieces from several other ranks.
     *
     * @return from position to limit; not changed afterwards
     */
    ByteBuffer save();

    /**
     * Sets the program's state to one that was saved.
     *
     * @param saved the bytes of the checkpoint, from position to limit; read-only
     */
    void load(ByteBuffer saved);
}
