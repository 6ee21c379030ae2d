package org.ulfmj.check.exhaustive;

/**
 * An event in a world of replace().
 *
 * @param what kind of event
 * @param other the seat that it is about, or a slot; 0 where there is none
 * @param detail number of the message
 */
record ReplaceEvent(What what, int other, int detail) {
    /** Kinds of events. */
    enum What {
        /** A message arrives. */
        GETS,
        /** The rank calls replace(). */
        REPLACES,
        /** The process builds the communicator of the new world. A survivor frees the old one. */
        BUILDS,
        /** The process calls the first agreement of the new world. */
        AGREES,
        /** The process is told for certain of a death, and has read all messages of the dead process. */
        LEARNS,
        /** The launcher says that the newcomer waits. */
        PENDING,
        /** The launcher says that no process is started in a slot any more. */
        NO_MORE,
        /** From now on it is late for replace() here, if a rank looks. */
        IS_LATE,
        /** The rank looks at its clock. */
        TICKS,
        /** The launcher sends the newcomer away, as the new world does not list it. */
        GOES,
        /** The launcher starts the newcomer, in the slot of a dead rank. */
        STARTS,
        /** The launcher starts no process. */
        STARTS_NO_PROCESS,
        /** The process dies between two events. */
        DIES
    }

    /** The number of different details that a code has room for. */
    static final int DETAILS = 1 << 20;

    private static final What[] ALL = What.values();

    static int code(What what, int other, int detail) {
        return what.ordinal() << 24 | other << 20 | detail;
    }

    static ReplaceEvent of(int code) {
        return new ReplaceEvent(ALL[code >>> 24], code >>> 20 & 15, code & DETAILS - 1);
    }
}
