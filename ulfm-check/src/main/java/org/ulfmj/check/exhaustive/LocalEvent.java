package org.ulfmj.check.exhaustive;

/**
 * What can happen at one rank.
 *
 * @param what kind of event
 * @param other the rank that it is about, or that it comes from; 0 where there is none
 * @param detail number of the message, or which of several choices
 */
record LocalEvent(What what, int other, int detail) {
    /** Kinds of events. */
    enum What {
        /** A message arrives. */
        GETS,
        /** The next step of the program; for an agreement the detail says whether what is known is acknowledged. */
        CALLS,
        /** A communicator that was agreed on comes into being here. */
        BUILDS,
        /** The rank revokes COMM_WORLD beside its program. */
        REVOKES,
        /** Told for certain of a death, and what had arrived from the dead rank is read out. */
        LEARNS,
        /** What had arrived from a rank of whose certain death an obituary told is read out. */
        DRAINED,
        /** Comes to mark a living rank failed. */
        SUSPECTS,
        /** Finalize is decided: the process ends. */
        EXITS,
        /** The launcher tells of one that has left. */
        DEPARTED
    }

    /** How many numbers a code has room for in its detail. */
    static final int DETAILS = 1 << 22;

    private static final What[] ALL = What.values();

    /** Every event of a world as one number. */
    int code() {
        return what.ordinal() << 26 | other << 22 | detail;
    }

    static LocalEvent of(int code) {
        return new LocalEvent(ALL[code >>> 26], code >>> 22 & 15, code & DETAILS - 1);
    }

    static int code(What what, int other, int detail) {
        return what.ordinal() << 26 | other << 22 | detail;
    }
}
