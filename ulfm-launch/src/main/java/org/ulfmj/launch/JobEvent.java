package org.ulfmj.launch;

import java.util.Set;
import org.ulfmj.runtime.waits.WaitReport;

/** What can happen to a running job. Any thread puts events into the job's queue; one thread takes them out. */
sealed interface JobEvent {
    /** The process of a slot is dead for certain; its exit code is not known yet. */
    record Died(int slot) implements JobEvent {}

    /** The process of a slot was reaped. */
    record Ended(int slot, int exitCode) implements JobEvent {}

    /** As {@link Ended}, and all that it had said to the launcher before has become events before this one. */
    record HeardOut(int slot, int exitCode) implements JobEvent {}

    /** The process of a slot called MPI.Init and found the launcher. */
    record Joined(int slot) implements JobEvent {}

    /** All processes have each other's addresses: the program begins. */
    record AllJoined() implements JobEvent {}

    /** The process of a slot left Finalize; those that it held for failed. */
    record Finalized(int slot, Set<Integer> heldForFailed) implements JobEvent {}

    /** The process of a slot stopped where it is to be killed. */
    record Reached(int slot, int kill) implements JobEvent {}

    /** The process of a slot called abort. */
    record Aborted(int slot, int code, String why) implements JobEvent {}

    /** The process of a slot cannot be reached by another although nobody knows it to be dead. */
    record Unreachable(int from, int about) implements JobEvent {}

    /** The process of a slot is told to end, because the others go on without it. */
    record Fenced(int slot, String why) implements JobEvent {}

    /** The process of a slot says whom it waits for, as it was asked to. */
    record WaitsTold(int slot, long request, WaitReport report) implements JobEvent {}

    /** The process of a slot was sent SIGQUIT, and has begun to write the stacks of its threads. */
    record DumpedStacks(int slot) implements JobEvent {}

    /** The launcher was sent SIGQUIT. */
    record AskedForWaits() implements JobEvent {}

    /** The world can never begin. */
    record NotFormed(String why) implements JobEvent {}

    /** Somebody called who does not know the job's secret. */
    record Stranger(String why) implements JobEvent {}

    /** The thread by which processes meet has ended by an error of its own. */
    record MeetingBroken(Throwable cause) implements JobEvent {}

    /** A signal was sent to the launcher. */
    record Signalled(String name) implements JobEvent {}

    /** Nobody reads the launcher's own output any more. */
    record OutputLost() implements JobEvent {}
}
