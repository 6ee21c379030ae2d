package org.ulfmj.check.exhaustive;

/**
 * What can happen in a world of replace().
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
        /** The communicator of the new world comes into being here; a survivor frees the old one. */
        BUILDS,
        /** The first agreement of the new world is called. */
        AGREES,
        /** Told for certain of a death, and what had arrived from the dead process is read out. */
        LEARNS,
        /** The launcher says that the newcomer waits. */
        PENDING,
        /** The launcher says that no process is started in a slot any more. */
        NO_MORE,
        /** From now on it is late for replace() here, if anybody looks. */
        IS_LATE,
        /** The rank looks at its clock. */
        TICKS,
        /** The launcher sends a newcomer away that the new world does not list. */
        GOES,
        /** The launcher starts the newcomer, in the slot of a dead rank. */
        STARTS,
        /** The launcher starts no process. */
        STARTS_NOBODY,
        /** The process dies between two events. */
        DIES
    }

    /** How many numbers a code has room for in its detail. */
    static final int DETAILS = 1 << 20;

    private static final What[] ALL = What.values();

    static int code(What what, int other, int detail) {
        return what.ordinal() << 24 | other << 20 | detail;
    }

    static ReplaceEvent of(int code) {
        return new ReplaceEvent(ALL[code >>> 24], code >>> 20 & 15, code & DETAILS - 1);
    }
}
