package org.ulfmj.check.exhaustive;

/**
 * An event at one rank.
 *
 * @param what kind of event
 * @param other the slot of the rank that the event is about, or that its message comes from; 0 where there is none
 * @param detail number of the message, or of the choice among several
 */
record LocalEvent(What what, int other, int detail) {
    /** Kinds of events. */
    enum What {
        /** A message arrives. */
        GETS,
        /**
         * The rank makes the next call of its program. For an agreement other than a shrink or Finalize, detail 1 says
         * that the known failures are acknowledged.
         */
        CALLS,
        /** The rank builds a communicator that was agreed on. */
        BUILDS,
        /**
         * The rank revokes COMM_WORLD, or the first communicator that its program makes, beside the calls of its
         * program.
         */
        REVOKES,
        /**
         * The rank is told for certain of a death, and the link from the dead rank counts as drained at once: messages
         * of the dead rank that have not arrived by now have no effect any more.
         */
        LEARNS,
        /**
         * The core is told that all messages of a dead rank have been read, after it has asked for the reading of
         * these.
         */
        DRAINED,
        /** The rank marks a live rank failed. */
        SUSPECTS,
        /** The process ends, after Finalize was decided. */
        EXITS,
        /** The launcher tells the rank that another one has left. */
        DEPARTED
    }

    /** The number of different values that a code has room for as a detail. */
    static final int DETAILS = 1 << 22;

    private static final What[] ALL = What.values();

    /** The event as one number. */
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
