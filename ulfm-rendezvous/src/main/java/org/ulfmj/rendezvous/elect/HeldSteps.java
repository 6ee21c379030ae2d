package org.ulfmj.rendezvous.elect;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * C5: holds the outputs of a coordinator's steps until the state after these steps is stored. A process that has been
 * told of a step can therefore rely on it, no matter what becomes of this coordinator. A step that was not stored had
 * no effect outside, as if its cause had been lost on the way.
 *
 * <p>Outputs leave in the order in which they were held. Steps that are taken while an image is being stored are stored
 * together with the next image. Pure; used by one thread.
 */
public final class HeldSteps {
    private final StateKeeper keeper;
    private final Supplier<byte[]> state;

    /** The outputs that leave once the image that is being stored is stored. */
    private Deque<Runnable> first = new ArrayDeque<>();

    /** What follows from steps after it. */
    private Deque<Runnable> next = new ArrayDeque<>();

    private byte[] stored;

    /** Null while no image is under way. */
    private byte[] underWay;

    private boolean isOver;

    /**
     * @param stored the image from which the state was restored; null if nothing is stored yet
     * @param state makes an image of the present state
     */
    public HeldSteps(StateKeeper keeper, byte[] stored, Supplier<byte[]> state) {
        this.keeper = keeper;
        this.stored = stored;
        this.state = state;
    }

    /** Holds an output of the present step. */
    public void hold(Runnable output) {
        next.add(output);
    }

    /**
     * To be called after each step, or after several: lets the held outputs leave if the state has not changed, and
     * else has the state stored. Does nothing while an image is being stored, or once the office is lost.
     */
    public void settle() {
        if (isOver || underWay != null) {
            return;
        }
        byte[] present = state.get();
        if (Arrays.equals(present, stored)) {
            release(next);
            return;
        }
        underWay = present;
        Deque<Runnable> empty = first;
        first = next;
        next = empty;
        keeper.store(present);
    }

    /** Notes that the image which was given to the keeper is stored: its outputs leave, and {@link #settle} follows. */
    public void stored() {
        if (isOver || underWay == null) {
            return;
        }
        stored = underWay;
        underWay = null;
        release(first);
        settle();
    }

    /** Whether an image was given to the keeper and is not known to be stored. */
    public boolean isHolding() {
        return underWay != null;
    }

    /** Drops all held outputs, because the office is lost: none leaves any more. */
    public void over() {
        isOver = true;
        first.clear();
        next.clear();
    }

    /** The last image that is known to be stored; null if there is none. */
    public byte[] lastStored() {
        return stored;
    }

    private void release(Deque<Runnable> outputs) {
        for (Runnable output = outputs.poll(); output != null && !isOver; output = outputs.poll()) {
            output.run();
        }
    }
}
