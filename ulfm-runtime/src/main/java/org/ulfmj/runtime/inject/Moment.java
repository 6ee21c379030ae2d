package org.ulfmj.runtime.inject;

import org.ulfmj.runtime.options.Durations;
import org.ulfmj.runtime.options.FaultTrigger;

/** When a planned fault begins. Its text is what the user would write after the {@code @} of a rule. */
public sealed interface Moment {
    /**
     * The moment this long after the start. At the launcher, that is when the program began or, for a later process of
     * a slot, when that process was started; at a process that carries the fault out itself, when it came into its
     * world.
     */
    record AtTime(long afterStartNs) implements Moment {
        @Override
        public String toString() {
            return "t=" + Durations.text(afterStartNs);
        }
    }

    /** A moment to be drawn: at most this long after the start. */
    record AtRandomTime(long withinNs) implements Moment {
        @Override
        public String toString() {
            return "t=random(" + Durations.text(withinNs) + ")";
        }
    }

    /**
     * The moment inside the count-th call of an operation in the process; {@link FaultTrigger#ANY_OPERATION} counts
     * every call.
     */
    record AtOperation(String operation, long count, CallPart part) implements Moment {
        /** Where the call begins. */
        public AtOperation(String operation, long count) {
            this(operation, count, CallPart.ENTER);
        }

        @Override
        public String toString() {
            return "op=" + operation + "#" + count + part.suffix();
        }
    }

    /** A moment to be drawn: inside one of the first {@code within} calls of an operation. */
    record AtRandomOperation(String operation, long within, CallPart part) implements Moment {
        /** Where the call begins. */
        public AtRandomOperation(String operation, long within) {
            this(operation, within, CallPart.ENTER);
        }

        @Override
        public String toString() {
            return "op=" + operation + "#random(" + within + ")" + part.suffix();
        }
    }

    /** The moment when the process passes a point of {@link KillPoints} for the count-th time. */
    record AtPoint(String name, long count) implements Moment {
        @Override
        public String toString() {
            return "point=" + name + "#" + count;
        }
    }

    /**
     * The moment when a call of the recovery mode begins: the sequence-th, from 0, after {@code version} checkpoints.
     */
    record AtPosition(long version, long sequence) implements Moment {
        @Override
        public String toString() {
            return "v=" + version + ",seq=" + sequence;
        }
    }

    /** The moment when the process has sent this many bytes to other ranks: mostly in the middle of a frame. */
    record AtByte(long sentBytes) implements Moment {
        @Override
        public String toString() {
            return "byte=" + sentBytes;
        }
    }

    /** A moment to be drawn: when the process has sent a number of bytes of at most {@code within}. */
    record AtRandomByte(long within) implements Moment {
        @Override
        public String toString() {
            return "byte=random(" + within + ")";
        }
    }

    /** The moment when the program says by {@code MPI.pControl(level)} that it is at this level. */
    record AtIteration(long level) implements Moment {
        @Override
        public String toString() {
            return "iter=" + level;
        }
    }

    /** The moment some time after an event that the rank meets, or that the launcher sees. */
    record AtEvent(Event event, int rank, long afterNs) implements Moment {
        @Override
        public String toString() {
            return "ev=" + event.text(rank) + (afterNs == 0 ? "" : "+" + Durations.text(afterNs));
        }
    }

    /** What may be waited for. */
    enum Event {
        /** A process of a rank has died. */
        DEAD("dead", true),
        /**
         * A replacement of a rank has called Init. For a fault that a rank carries out: the replacement is a member of
         * that rank's world.
         */
        JOINED("joined", true),
        /** A communicator is revoked at this rank. */
        REVOKED("revoked", false),
        /** A call that members make together, such as agree, shrink or replace, is decided at this rank. */
        AGREED("agreed", false);

        private final String word;
        private final boolean isOfRank;

        Event(String word, boolean isOfRank) {
            this.word = word;
            this.isOfRank = isOfRank;
        }

        String word() {
            return word;
        }

        /** Whether a rule names a rank behind this event, as in {@code dead(R)}. */
        public boolean isOfRank() {
            return isOfRank;
        }

        /** The name of the point that a rank passes when the event happens there; for events with no named rank. */
        public String point() {
            return "ev." + word;
        }

        private String text(int rank) {
            return isOfRank ? word + "(" + rank + ")" : word;
        }
    }
}
