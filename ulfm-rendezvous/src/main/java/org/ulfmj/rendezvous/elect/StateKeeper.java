package org.ulfmj.rendezvous.elect;

/**
 * Stores the state of a coordinator where another process can go on from it. At most one image is being stored at a
 * time.
 */
public interface StateKeeper {
    /**
     * Begins to store an image, in place of the one before, and returns at once. Once it is stored,
     * {@code RendezvousServer.stored} is called; if the keeper learns that the office is lost, it closes the server
     * instead. While the keeper does not know the outcome it calls neither, and finds out (C5).
     */
    void store(byte[] image);
}
