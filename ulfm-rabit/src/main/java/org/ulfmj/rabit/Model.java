package org.ulfmj.rabit;

import java.nio.ByteBuffer;

/**
 * A program's state at a checkpoint, as bytes. Called by the thread that calls {@link Rabit}, and never by two at a
 * time.
 */
public interface Model {
    /**
     * The state at this moment. Ranks that hold the same state give the same bytes: those of a global model are
     * compared at each checkpoint, and a restarted rank gets them in pieces from several others at once.
     *
     * @return from position to limit; not changed afterwards
     */
    ByteBuffer save();

    /** Becomes the state that was saved. @param saved what {@link #save} gave, from position to limit; read-only */
    void load(ByteBuffer saved);
}
