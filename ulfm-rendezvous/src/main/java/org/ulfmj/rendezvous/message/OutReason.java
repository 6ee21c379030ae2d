package org.ulfmj.rendezvous.message;

/** Why a process is told that it will not be, or is no longer, part of the world. */
public enum OutReason {
    /** The world is closed: it cannot become complete any more, or it has ended. */
    CLOSED,
    /** Another process has the slot, or this process has left, was told to end itself or counts as ended. */
    FENCED,
    /** The process did not confirm the table of addresses in time. */
    NO_CONFIRM,
    /** Other processes did not come in time, or there was no answer or no connection in time. */
    TIMEOUT,
    /** The request cannot be met: for example, it names a slot outside the world, or another job. */
    REFUSED,
    /** The process waited to be admitted, and the world went on without it. */
    GONE_ON;

    private static final OutReason[] VALUES = values();

    /** Returns the reason that has a wire number; null if there is none. */
    static OutReason ofWire(int number) {
        return number < VALUES.length ? VALUES[number] : null;
    }
}
