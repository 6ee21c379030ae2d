package org.ulfmj.rendezvous;

/** Why a process is told that it will not be, or is no longer, part of the world. */
public enum OutReason {
    /** The world is closed: it cannot become complete any more, or it has ended. */
    CLOSED,
    /** Another process has the slot, or this one is held for ended. */
    FENCED,
    /** It did not confirm the table in time. */
    NO_CONFIRM,
    /** Others did not come in time. */
    TIMEOUT,
    /** What it asked for cannot be: a slot outside the world, another job. */
    REFUSED,
    /** It waited to be admitted, and the world went on without it. */
    GONE_ON;

    private static final OutReason[] VALUES = values();

    /** The reason of a wire number; null if there is none. */
    static OutReason ofWire(int number) {
        return number < VALUES.length ? VALUES[number] : null;
    }
}
