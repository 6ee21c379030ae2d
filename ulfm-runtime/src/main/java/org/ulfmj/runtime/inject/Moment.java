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
    record AtOperation(String operation, long count) implements Moment {
        @Override
        public String toString() {
            return "op=" + operation + "#" + count;
        }
    }

    /** Inside a call to be drawn, among this many first calls of an operation. */
    record AtRandomOperation(String operation, long within) implements Moment {
        @Override
        public String toString() {
            return "op=" + operation + "#random(" + within + ")";
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
}
