package org.ulfmj.rendezvous.elect;

/**
 * Keeps the state of a coordinator where another process can go on from it. At most one image is under way at a time.
 */
public interface StateKeeper {
    /**
     * Begins to store an image, in place of the one before, and returns at once. The outcome is told later, by
     * {@code RendezvousServer.stored}; a keeper that learns that the office is lost closes the server instead. A keeper
     * that does not know the outcome says nothing, and finds out (C5).
     */
    void store(byte[] image);
}
