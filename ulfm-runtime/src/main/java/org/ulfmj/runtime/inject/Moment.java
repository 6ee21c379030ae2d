package org.ulfmj.runtime.inject;

import org.ulfmj.runtime.options.Durations;
import org.ulfmj.runtime.options.FaultTrigger;

/** When a process is to be killed. Its text is what the user would write after the {@code @}. */
public sealed interface Moment {
    /**
     * At this time after all processes had joined, or, for a later process of a slot, after that process was started;
     * by the launcher's clock.
     */
    record AtTime(long afterStartNs) implements Moment {
        @Override
        public String toString() {
            return "t=" + Durations.text(afterStartNs);
        }
    }

    /** At a time to be drawn, of at most this much. */
    record AtRandomTime(long withinNs) implements Moment {
        @Override
        public String toString() {
            return "t=random(" + Durations.text(withinNs) + ")";
        }
    }

    /**
     * Inside the count-th call of an operation in the process; {@link FaultTrigger#ANY_OPERATION} counts every call.
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

    /** Inside a call to be drawn, among this many first calls of an operation. */
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

    /** At the count-th time that the process passes a point of {@link KillPoints}. */
    record AtPoint(String name, long count) implements Moment {
        @Override
        public String toString() {
            return "point=" + name + "#" + count;
        }
    }

    /** At the entry of the sequence-th call of the recovery mode, from 0, after this many checkpoints. */
    record AtPosition(long version, long sequence) implements Moment {
        @Override
        public String toString() {
            return "v=" + version + ",seq=" + sequence;
        }
    }

    /** When the process has sent this many bytes to other ranks: in the middle of a frame, mostly. */
    record AtByte(long sentBytes) implements Moment {
        @Override
        public String toString() {
            return "byte=" + sentBytes;
        }
    }

    /** At a sent byte to be drawn, among this many first ones. */
    record AtRandomByte(long within) implements Moment {
        @Override
        public String toString() {
            return "byte=random(" + within + ")";
        }
    }

    /** When the program says by {@code MPI.pControl(level)} that it is at this level. */
    record AtIteration(long level) implements Moment {
        @Override
        public String toString() {
            return "iter=" + level;
        }
    }

    /** Some time after an event that the rank meets, or that the launcher sees. */
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
        /** A replacement of a rank has called Init; at a rank, it is a member of the rank's world. */
        JOINED("joined", true),
        /** A communicator is revoked at this rank. */
        REVOKED("revoked", false),
        /** An agreement, a shrink or a replacement is decided at this rank. */
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

        /** Whether the event is one of a rank that the rule names. */
        public boolean isOfRank() {
            return isOfRank;
        }

        /** The name of the point that a rank passes then. */
        public String point() {
            return "ev." + word;
        }

        private String text(int rank) {
            return isOfRank ? word + "(" + rank + ")" : word;
        }
    }
}
