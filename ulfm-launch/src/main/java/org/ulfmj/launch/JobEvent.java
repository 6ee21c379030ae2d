package org.ulfmj.launch;

import java.util.Set;
import java.util.SortedMap;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.waits.WaitReport;

/** What can happen to a running job. Any thread puts events into the job's queue; one thread takes them out. */
sealed interface JobEvent {
    /**
     * The process is dead for certain, and its memory may not be free yet.
     *
     * @param exitCode 0 if that is not known yet
     */
    record Died(RankProcess process, int exitCode) implements JobEvent {}

    /** As {@link Died}, and all that it had said to the launcher before has become events before this one. */
    record DeathHeard(ProcessId process, int exitCode) implements JobEvent {}

    /** The process was reaped. */
    record Ended(RankProcess process, int exitCode) implements JobEvent {}

    /** As {@link Ended}, and all that it had said to the launcher before has become events before this one. */
    record HeardOut(ProcessId process, int exitCode) implements JobEvent {}

    /** The process called MPI.Init and found the launcher. */
    record Joined(ProcessId process) implements JobEvent {}

    /** All processes have each other's addresses: the program begins. */
    record AllJoined() implements JobEvent {}

    /** A spare has come so far that it can take a place at once. */
    record SpareReady(int spare) implements JobEvent {}

    /** The world has other members now: the incarnation of each slot that is in it. */
    record Committed(ProcessId from, int epoch, SortedMap<Integer, Integer> members) implements JobEvent {}

    /** All members have died, and those that wait or are still started begin anew, once all of them are there. */
    record WorldGone() implements JobEvent {}

    /** The process left Finalize; those slots that it marked failed. */
    record Finalized(ProcessId process, Set<Integer> heldForFailed) implements JobEvent {}

    /** The process stopped where it is to be killed. */
    record Reached(ProcessId process, int kill) implements JobEvent {}

    /** The process called abort. */
    record Aborted(ProcessId process, int code, String why) implements JobEvent {}

    /** A process cannot be reached by another although no process knows it to be dead. */
    record Suspected(ProcessId from, ProcessId about) implements JobEvent {}

    /**
     * The process was judged silent and is to be killed.
     *
     * @param reason what comes after its name
     */
    record Silent(ProcessId process, String reason) implements JobEvent {}

    /** SIGKILL does not end the process, and the others were told to have marked it failed. */
    record GivenUp(ProcessId process, String reason) implements JobEvent {}

    /** The process is dead, and the system cannot tell with what: a thread of it waits for a disk. */
    record Unreaped(RankProcess process) implements JobEvent {}

    /** As {@link Silent}, of a spare without a place. */
    record SpareSilent(int spare, String reason) implements JobEvent {}

    /** As {@link GivenUp}, of a spare without a place. */
    record SpareGivenUp(int spare, String reason) implements JobEvent {}

    /** The process is told to end, because the others go on without it. */
    record Fenced(ProcessId process, String why) implements JobEvent {}

    /** The process says whom it waits for, as it was asked to. */
    record WaitsTold(ProcessId process, long request, WaitReport report) implements JobEvent {}

    /** The process was sent SIGQUIT, and has begun to write the stacks of its threads. */
    record DumpedStacks(RankProcess process) implements JobEvent {}

    /** The launcher was sent SIGQUIT. */
    record AskedForWaits() implements JobEvent {}

    /** The world can never begin, or never again. */
    record NotFormed(String why) implements JobEvent {}

    /** A process called that does not know the job's secret. */
    record Stranger(String why) implements JobEvent {}

    /** The thread by which processes meet has ended by its own error. */
    record MeetingBroken(Throwable cause) implements JobEvent {}

    /** A signal was sent to the launcher. */
    record Signalled(String name) implements JobEvent {}

    /** A signal was sent to the launcher that it passes on to none of the processes. */
    record Noticed(String name) implements JobEvent {}

    /**
     * The launcher was sent SIGTSTP.
     *
     * @param continued how often it had been continued before
     */
    record StopAsked(long continued) implements JobEvent {}

    /** The launcher was sent SIGCONT, for the so manieth time. */
    record Continued(long times) implements JobEvent {}

    /** One of the launcher's own streams takes nothing any more, for which the job must end. */
    record OutputLost(EndReason reason) implements JobEvent {}
}
