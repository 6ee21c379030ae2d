package org.ulfmj.launch.event;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.ulfmj.launch.discovery.DiscoveryFailure;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.hosts.HostSlots;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.waits.WaitReport;
import org.ulfmj.transport.host.HostProcess;

/** What can happen to a running job. Any thread puts events into the job's queue; one thread takes them out. */
public sealed interface JobEvent {
    /** Calls the method of the handler that is for this event. */
    void tell(Handler handler);

    /** What acts on events: one method for each. */
    interface Handler {
        void onHostsReady(HostsReady event);

        void onHostFailed(HostFailed event);

        void onHostUsable(HostUsable event);

        void onHostUnusable(HostUnusable event);

        void onNotStarted(NotStarted event);

        void onHostNotice(HostNotice event);

        void onHostLost(HostLost event);

        void onMinority(Minority event);

        void onHostCutOff(HostCutOff event);

        void onLeaseOver(LeaseOver event);

        void onAgentSilent(AgentSilent event);

        void onCoreWaitsAsked(CoreWaitsAsked event);

        void onDied(Died event);

        void onDeathHeard(DeathHeard event);

        void onEnded(Ended event);

        void onHeardOut(HeardOut event);

        void onJoined(Joined event);

        void onAllJoined(AllJoined event);

        void onSpareReady(SpareReady event);

        void onCommitted(Committed event);

        void onArrived(Arrived event);

        void onMembersAre(MembersAre event);

        void onSlotsFound(SlotsFound event);

        void onNotDiscovered(NotDiscovered event);

        void onWorldGone(WorldGone event);

        void onFinalized(Finalized event);

        void onLeft(Left event);

        void onReached(Reached event);

        void onAborted(Aborted event);

        void onSuspected(Suspected event);

        void onSilent(Silent event);

        void onGivenUp(GivenUp event);

        void onUnreaped(Unreaped event);

        void onSpareSilent(SpareSilent event);

        void onSpareGivenUp(SpareGivenUp event);

        void onFenced(Fenced event);

        void onWaitsTold(WaitsTold event);

        void onFellSilent(FellSilent event);

        void onDumpedStacks(DumpedStacks event);

        void onAskedForWaits(AskedForWaits event);

        void onNotFormed(NotFormed event);

        void onStranger(Stranger event);

        void onMeetingBroken(MeetingBroken event);

        void onSignalled(Signalled event);

        void onNoticed(Noticed event);

        void onStopAsked(StopAsked event);

        void onContinued(Continued event);

        void onOutputLost(OutputLost event);
    }

    /**
     * Every other host of the job has an agent.
     *
     * @param address of the launcher, at which agents reach it
     */
    record HostsReady(String address) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHostsReady(this);
        }
    }

    /** There is no agent on a host, so the job cannot begin. */
    record HostFailed(String host, String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHostFailed(this);
        }
    }

    /**
     * A discovered host has an agent.
     *
     * @param address of the launcher, at which agents reach it
     */
    record HostUsable(int host, String address) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHostUsable(this);
        }
    }

    /**
     * A discovered host has no agent, and gets none before its slots have gone and have come back.
     *
     * @param why null if the user was told
     */
    record HostUnusable(int host, String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHostUnusable(this);
        }
    }

    /** A process could not be started on its host. Its end is told too. */
    record NotStarted(RankProcess process, String host, String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onNotStarted(this);
        }
    }

    /** A sentence for the user about another host. */
    record HostNotice(String line) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHostNotice(this);
        }
    }

    /**
     * The process is dead for certain, and its memory may not be free yet.
     *
     * @param exitCode 0 if that is not known yet
     */
    record Died(RankProcess process, int exitCode) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onDied(this);
        }
    }

    /**
     * A process is dead for certain, as in {@link Died}, and all messages that it had sent to the launcher have become
     * events before this one.
     */
    record DeathHeard(ProcessId process, int exitCode) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onDeathHeard(this);
        }
    }

    /** The process was reaped. */
    record Ended(RankProcess process, int exitCode) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onEnded(this);
        }
    }

    /**
     * A process was reaped, as in {@link Ended}, and all messages that it had sent to the launcher have become events
     * before this one.
     */
    record HeardOut(ProcessId process, int exitCode) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHeardOut(this);
        }
    }

    /** The process called MPI.Init and found the launcher. */
    record Joined(ProcessId process) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onJoined(this);
        }
    }

    /** All processes have each other's addresses: the program begins. */
    record AllJoined() implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onAllJoined(this);
        }
    }

    /** A spare is ready to take a place at once. */
    record SpareReady(int spare) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSpareReady(this);
        }
    }

    /**
     * The world has other members now.
     *
     * @param members per slot that is in the world, the incarnation of its member
     */
    record Committed(ProcessId from, int epoch, SortedMap<Integer, Integer> members) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onCommitted(this);
        }
    }

    /**
     * A process has joined an elastic job, as a child of this launcher or of another one.
     *
     * @param process by which the system knows it
     */
    record Arrived(ProcessId child, HostProcess process) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onArrived(this);
        }
    }

    /**
     * The world of an elastic job has these members now.
     *
     * @param from the child that says so; null for a world that begins, which is that of epoch 0
     * @param slots of the members
     */
    record MembersAre(ProcessId from, int epoch, SortedMap<ProcessId, Integer> slots) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onMembersAre(this);
        }
    }

    /** The command of {@code --host-discovery} has printed these hosts. */
    record SlotsFound(List<HostSlots> hosts) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSlotsFound(this);
        }
    }

    /** The command of {@code --host-discovery} has not said which hosts there are. */
    record NotDiscovered(DiscoveryFailure failure) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onNotDiscovered(this);
        }
    }

    /**
     * All members have died. The processes that wait, or are still being started, begin a new world once all slots are
     * taken.
     */
    record WorldGone() implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onWorldGone(this);
        }
    }

    /**
     * The process left Finalize.
     *
     * @param heldForFailed the slots that the process had marked failed
     */
    record Finalized(ProcessId process, Set<Integer> heldForFailed) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onFinalized(this);
        }
    }

    /**
     * The process has left the others and is about to end.
     *
     * @param why in a word or a clause: {@code preempted}
     */
    record Left(ProcessId process, String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onLeft(this);
        }
    }

    /** The process has stopped at the point where it is to be killed, or tells of another fault or mark of a plan. */
    record Reached(ProcessId process, int kill) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onReached(this);
        }
    }

    /** The process called abort. */
    record Aborted(ProcessId process, int code, String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onAborted(this);
        }
    }

    /** A process does not hear another one, which is not known to be dead. */
    record Suspected(ProcessId from, ProcessId about) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSuspected(this);
        }
    }

    /**
     * The process was judged silent and is to be killed.
     *
     * @param reason the words that follow the name of the process
     */
    record Silent(ProcessId process, String reason) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSilent(this);
        }
    }

    /** SIGKILL does not end the process, and the members were told to mark it failed. */
    record GivenUp(ProcessId process, String reason) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onGivenUp(this);
        }
    }

    /**
     * The process is dead, and the system cannot tell its exit code, because a thread of the process waits for a disk.
     */
    record Unreaped(RankProcess process) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onUnreaped(this);
        }
    }

    /** As {@link Silent}, of a spare without a place. */
    record SpareSilent(int spare, String reason) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSpareSilent(this);
        }
    }

    /** As {@link GivenUp}, of a spare without a place. */
    record SpareGivenUp(int spare, String reason) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSpareGivenUp(this);
        }
    }

    /** The process is told to end, because the other members go on without it. */
    record Fenced(ProcessId process, String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onFenced(this);
        }
    }

    /** The process says which ranks it waits for: the answer to a question of the launcher. */
    record WaitsTold(ProcessId process, long request, WaitReport report) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onWaitsTold(this);
        }
    }

    /** The process says, unasked, that its program has not called MPI for long. */
    record FellSilent(ProcessId process) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onFellSilent(this);
        }
    }

    /** The process was sent SIGQUIT, and has begun to write the stacks of its threads. */
    record DumpedStacks(RankProcess process) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onDumpedStacks(this);
        }
    }

    /** The launcher was sent SIGQUIT. */
    record AskedForWaits() implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onAskedForWaits(this);
        }
    }

    /** The world can never begin, or can never begin again. */
    record NotFormed(String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onNotFormed(this);
        }
    }

    /** A process called that does not know the job's secret. */
    record Stranger(String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onStranger(this);
        }
    }

    /** The thread of the rendezvous server has ended by its own error. */
    record MeetingBroken(Throwable cause) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onMeetingBroken(this);
        }
    }

    /** A signal was sent to the launcher. */
    record Signalled(String name) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSignalled(this);
        }
    }

    /** The launcher was sent a signal that it passes on to no process. */
    record Noticed(String name) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onNoticed(this);
        }
    }

    /**
     * The launcher was sent SIGTSTP.
     *
     * @param continued how often the launcher had been continued before
     */
    record StopAsked(long continued) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onStopAsked(this);
        }
    }

    /**
     * The launcher was sent SIGCONT.
     *
     * @param times how often the launcher has been continued so far
     */
    record Continued(long times) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onContinued(this);
        }
    }

    /**
     * Nothing is heard of another host, so its processes are held for failed; they may run still.
     *
     * @param processes members of the world, and others
     */
    record HostLost(int host, List<ProcessId> processes) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHostLost(this);
        }
    }

    /**
     * Nothing is heard of half of the members or more, and only a majority goes on.
     *
     * @param reached members of which something is heard
     * @param members of which no end is known
     */
    record Minority(int reached, int members) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onMinority(this);
        }
    }

    /**
     * A host has lost its path to another one, and its processes are ended.
     *
     * @param host -1 for the launcher's own
     */
    record HostCutOff(int host) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHostCutOff(this);
        }
    }

    /** A process of a lost host counts as ended: it has ended itself at the end of its lease. */
    record LeaseOver(ProcessId process) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onLeaseOver(this);
        }
    }

    /**
     * No agent of another host was heard for so long that what it had started has ended, or should have.
     *
     * @param isForTwo whether it is twice as long
     */
    record AgentSilent(int host, String why, boolean isForTwo) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onAgentSilent(this);
        }
    }

    /** The judge of silences wants to know how long a process of another host waits for a core. */
    record CoreWaitsAsked(ProcessId process, long pid, long question) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onCoreWaitsAsked(this);
        }
    }

    /** A stream of the launcher accepts no more output, for which the job must end. */
    record OutputLost(EndReason reason) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onOutputLost(this);
        }
    }
}
