package org.ulfmj.check.exhaustive;

/**
 * An event in a world of replace() or grow().
 *
 * @param what kind of event
 * @param other the seat or slot that the event is about; 0 where there is none
 * @param detail number of the message that arrives; 0 for other events
 */
record ReplaceEvent(What what, int other, int detail) {
    /** Kinds of events. */
    enum What {
        /** A message arrives. */
        GETS,
        /** The rank calls replace(), or grow() in a world of grow(). */
        REPLACES,
        /** The process builds the communicator of the new world. A survivor frees the old one. */
        BUILDS,
        /** The process calls the first agreement of the new world. */
        AGREES,
        /** The process is told by the launcher of a death, and has read all messages of the dead process. */
        LEARNS,
        /** The launcher says that the newcomer waits. */
        PENDING,
        /** The launcher tells the rank that no process will be started in a slot any more. */
        NO_MORE,
        /** From now on the time limit of replace() has passed at this rank. */
        IS_LATE,
        /** The rank looks at its clock. */
        TICKS,
        /** The newcomer ends, sent away by the launcher, because the new world does not list it. */
        GOES,
        /** The launcher starts the newcomer, in the slot of a dead rank. */
        STARTS,
        /** The launcher starts no process. */
        STARTS_NO_PROCESS,
        /** The process dies between two events. */
        DIES
    }

    /** The number of different values that a code has room for as a detail. */
    static final int DETAILS = 1 << 20;

    private static final What[] ALL = What.values();

    static int code(What what, int other, int detail) {
        return what.ordinal() << 24 | other << 20 | detail;
    }

    static ReplaceEvent of(int code) {
        return new ReplaceEvent(ALL[code >>> 24], code >>> 20 & 15, code & DETAILS - 1);
    }
}
