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

    /**
     * As {@link Died}. Every message that the process had sent to the launcher before has become an event before this
     * one.
     */
    record DeathHeard(ProcessId process, int exitCode) implements JobEvent {}

    /** The process was reaped. */
    record Ended(RankProcess process, int exitCode) implements JobEvent {}

    /**
     * As {@link Ended}. Every message that the process had sent to the launcher before has become an event before this
     * one.
     */
    record HeardOut(ProcessId process, int exitCode) implements JobEvent {}

    /** The process called MPI.Init and found the launcher. */
    record Joined(ProcessId process) implements JobEvent {}

    /** All processes have each other's addresses: the program begins. */
    record AllJoined() implements JobEvent {}

    /** A spare is ready to take a place at once. */
    record SpareReady(int spare) implements JobEvent {}

    /**
     * The world has other members now.
     *
     * @param members per slot that is in the world, the incarnation of its member
     */
    record Committed(ProcessId from, int epoch, SortedMap<Integer, Integer> members) implements JobEvent {}

    /**
     * All members have died. The processes that wait, or are still being started, begin a new world once all slots are
     * taken.
     */
    record WorldGone() implements JobEvent {}

    /**
     * The process left Finalize.
     *
     * @param heldForFailed the slots that the process had marked failed
     */
    record Finalized(ProcessId process, Set<Integer> heldForFailed) implements JobEvent {}

    /** The process has stopped at the point where it is to be killed. */
    record Reached(ProcessId process, int kill) implements JobEvent {}

    /** The process called abort. */
    record Aborted(ProcessId process, int code, String why) implements JobEvent {}

    /** A process does not hear another one, which is not known to be dead. */
    record Suspected(ProcessId from, ProcessId about) implements JobEvent {}

    /**
     * The process was judged silent and is to be killed.
     *
     * @param reason the words that follow the name of the process
     */
    record Silent(ProcessId process, String reason) implements JobEvent {}

    /** SIGKILL does not end the process, and the members were told to mark it failed. */
    record GivenUp(ProcessId process, String reason) implements JobEvent {}

    /**
     * The process is dead, and the system cannot tell its exit code, because a thread of the process waits for a disk.
     */
    record Unreaped(RankProcess process) implements JobEvent {}

    /** As {@link Silent}, of a spare without a place. */
    record SpareSilent(int spare, String reason) implements JobEvent {}

    /** As {@link GivenUp}, of a spare without a place. */
    record SpareGivenUp(int spare, String reason) implements JobEvent {}

    /** The process is told to end, because the other members go on without it. */
    record Fenced(ProcessId process, String why) implements JobEvent {}

    /** The process says which ranks it waits for: the answer to a question of the launcher. */
    record WaitsTold(ProcessId process, long request, WaitReport report) implements JobEvent {}

    /** The process was sent SIGQUIT, and has begun to write the stacks of its threads. */
    record DumpedStacks(RankProcess process) implements JobEvent {}

    /** The launcher was sent SIGQUIT. */
    record AskedForWaits() implements JobEvent {}

    /** The world can never begin, or can never begin again. */
    record NotFormed(String why) implements JobEvent {}

    /** A process called that does not know the job's secret. */
    record Stranger(String why) implements JobEvent {}

    /** The thread of the rendezvous server has ended by its own error. */
    record MeetingBroken(Throwable cause) implements JobEvent {}

    /** A signal was sent to the launcher. */
    record Signalled(String name) implements JobEvent {}

    /** The launcher was sent a signal that it passes on to no process. */
    record Noticed(String name) implements JobEvent {}

    /**
     * The launcher was sent SIGTSTP.
     *
     * @param continued how often the launcher had been continued before
     */
    record StopAsked(long continued) implements JobEvent {}

    /**
     * The launcher was sent SIGCONT.
     *
     * @param times how often the launcher has been continued so far
     */
    record Continued(long times) implements JobEvent {}

    /** A stream of the launcher accepts no more output, for which the job must end. */
    record OutputLost(EndReason reason) implements JobEvent {}
}
