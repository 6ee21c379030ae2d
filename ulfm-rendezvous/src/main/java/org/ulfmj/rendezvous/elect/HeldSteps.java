package org.ulfmj.rendezvous.elect;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * C5: holds the outputs of a coordinator's steps until the state that they follow from is stored. A process that has
 * heard of a step can therefore rely on it, no matter what becomes of this coordinator; a step that was not stored is
 * as if its cause had been lost on the way.
 *
 * <p>Outputs leave in the order in which they were held. A step that changes no state waits only for the ones before
 * it. Steps that come while an image is under way are stored together with the next one. Pure; used by one thread.
 */
public final class HeldSteps {
    private final StateKeeper keeper;
    private final Supplier<byte[]> state;

    /** What follows from the image that is under way. */
    private Deque<Runnable> first = new ArrayDeque<>();

    /** What follows from steps after it. */
    private Deque<Runnable> next = new ArrayDeque<>();

    private byte[] stored;

    /** Null while no image is under way. */
    private byte[] underWay;

    private boolean isOver;

    /**
     * @param stored the image from which the state was restored; null if nothing is stored yet
     * @param state makes the image of the present state
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

    /** To be called after each step, or after several: lets out what may leave, or has the state stored. */
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

    /** The image that is under way is stored. */
    public void stored() {
        if (isOver || underWay == null) {
            return;
        }
        stored = underWay;
        underWay = null;
        release(first);
        settle();
    }

    /** Whether an image is under way, and what follows from it is held. */
    public boolean isHolding() {
        return underWay != null;
    }

    /** The office is lost: nothing leaves any more. */
    public void over() {
        isOver = true;
        first.clear();
        next.clear();
    }

    /** The last image of which is known that it is stored, and whose outputs have left; null if there is none. */
    public byte[] lastStored() {
        return stored;
    }

    private void release(Deque<Runnable> outputs) {
        for (Runnable output = outputs.poll(); output != null && !isOver; output = outputs.poll()) {
            output.run();
        }
    }
}
