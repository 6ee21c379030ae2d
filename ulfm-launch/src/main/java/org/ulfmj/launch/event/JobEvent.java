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

/**
 * Something that happens to a running job. Any thread puts events into the job's queue; one thread, the launcher's main
 * thread, takes them out.
 */
public sealed interface JobEvent {
    /** Calls the method of the handler for this kind of event. */
    void tell(Handler handler);

    /** Acts on events: one method for each kind. */
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
     * The agents of all other hosts of the job run.
     *
     * @param address of the launcher, at which agents reach it
     */
    record HostsReady(String address) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHostsReady(this);
        }
    }

    /**
     * The agent of a host, or of several, could not be started or was lost before the job began, so the job cannot
     * begin; or the line to all agents is broken.
     *
     * @param host its name, or several names
     */
    record HostFailed(String host, String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHostFailed(this);
        }
    }

    /**
     * The agent of a discovered host runs, so processes can be started there.
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
     * No agent can be used on a discovered host. The launcher tries again to start one only after the host has lost all
     * its slots and has got slots again.
     *
     * @param why null if the user was told already
     */
    record HostUnusable(int host, String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHostUnusable(this);
        }
    }

    /** A process could not be started on its host. Another event reports its end. */
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
     * The process is dead or could not be started, or it counts as dead on another host, because its lease is over for
     * instance. The system may not have freed its memory yet.
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
     * A process is dead, as in {@link Died}, and those of its messages that have reached the launcher have become
     * events before this one.
     */
    record DeathHeard(ProcessId process, int exitCode) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onDeathHeard(this);
        }
    }

    /** The process was reaped, or counts as ended. */
    record Ended(RankProcess process, int exitCode) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onEnded(this);
        }
    }

    /**
     * A process has ended, as in {@link Ended}, and those of its messages that have reached the launcher have become
     * events before this one.
     */
    record HeardOut(ProcessId process, int exitCode) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHeardOut(this);
        }
    }

    /** The process called MPI.Init and has reached the rendezvous of the launcher. */
    record Joined(ProcessId process) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onJoined(this);
        }
    }

    /** All processes of the world have each other's addresses: the program begins. */
    record AllJoined() implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onAllJoined(this);
        }
    }

    /** A spare has started completely, and can take the place of a failed process at once. */
    record SpareReady(int spare) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSpareReady(this);
        }
    }

    /**
     * The world has changed: it has these members now.
     *
     * @param from the member that reports the change
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
     * @param child the name that this launcher has for it
     * @param process its identity in the operating system (pid and start time)
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
     * @param from the child that reports it; null where a world begins, in epoch 0
     * @param slots the slot of each member
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

    /** A run of the command of {@code --host-discovery} gave no list of hosts. */
    record NotDiscovered(DiscoveryFailure failure) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onNotDiscovered(this);
        }
    }

    /**
     * All members have died. The processes that still wait to join, or are still being started, gather to begin a new
     * world.
     */
    record WorldGone() implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onWorldGone(this);
        }
    }

    /**
     * Finalize has succeeded at the process, which may not have returned from it yet.
     *
     * @param heldForFailed the slots whose processes it had marked failed
     */
    record Finalized(ProcessId process, Set<Integer> heldForFailed) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onFinalized(this);
        }
    }

    /**
     * The process has left the world without Finalize and is about to end.
     *
     * @param why a word or a clause for the user, as {@code preempted}
     */
    record Left(ProcessId process, String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onLeft(this);
        }
    }

    /**
     * The process has come to a point of the fault plan: it has stopped where it is to be killed, or it reports another
     * fault, or a mark for the journal of faults.
     *
     * @param kill the number of the rule or of the mark
     */
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

    /**
     * A process gets no heartbeats from another one, whose death is not known.
     *
     * @param from the process that gets no heartbeats
     * @param about the process that is silent
     */
    record Suspected(ProcessId from, ProcessId about) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSuspected(this);
        }
    }

    /**
     * The process was judged silent, and the launcher is to kill it.
     *
     * @param reason the words that follow the name of the process
     */
    record Silent(ProcessId process, String reason) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSilent(this);
        }
    }

    /** SIGKILL has not ended the process in time; if it was a member, the members were told to mark it failed. */
    record GivenUp(ProcessId process, String reason) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onGivenUp(this);
        }
    }

    /**
     * The process is dead, but the launcher cannot get its exit code yet, as when a thread of the process waits for a
     * disk.
     */
    record Unreaped(RankProcess process) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onUnreaped(this);
        }
    }

    /** A spare that has not taken a place was judged silent, and the launcher is to kill it. */
    record SpareSilent(int spare, String reason) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSpareSilent(this);
        }
    }

    /**
     * SIGKILL has not ended a spare, which has not taken a place, in time, so that the launcher does not wait for it
     * any longer.
     */
    record SpareGivenUp(int spare, String reason) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSpareGivenUp(this);
        }
    }

    /** The launcher tells the process to end itself, as where the other members go on without it. */
    record Fenced(ProcessId process, String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onFenced(this);
        }
    }

    /** The process reports which ranks it waits for, as the launcher had asked it. */
    record WaitsTold(ProcessId process, long request, WaitReport report) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onWaitsTold(this);
        }
    }

    /**
     * The process reports, without having been asked, that its program has neither entered nor left a call of MPI for
     * long.
     */
    record FellSilent(ProcessId process) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onFellSilent(this);
        }
    }

    /** The process got SIGQUIT, from the launcher or from elsewhere, and has begun to write its threads' stacks. */
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

    /**
     * The rendezvous is closed: the world can never begin, or after the death of all members no new world can begin, or
     * the launcher has closed it.
     */
    record NotFormed(String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onNotFormed(this);
        }
    }

    /**
     * A process has connected to the launcher and not proved that it knows the job's secret. Only the first such
     * process is reported.
     */
    record Stranger(String why) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onStranger(this);
        }
    }

    /** The thread of the rendezvous server has ended because of an exception in its own code. */
    record MeetingBroken(Throwable cause) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onMeetingBroken(this);
        }
    }

    /** The launcher was sent a signal that ends the job: SIGHUP, SIGINT or SIGTERM. */
    record Signalled(String name) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onSignalled(this);
        }
    }

    /**
     * The launcher was sent a signal that does not concern the launcher itself, such as SIGUSR1. It passes the signal
     * on to the processes, unless the user has forbidden that.
     */
    record Noticed(String name) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onNoticed(this);
        }
    }

    /**
     * The launcher was sent SIGTSTP.
     *
     * @param continued how many times the launcher had got SIGCONT before
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
     * @param times how many times the launcher has got SIGCONT so far
     */
    record Continued(long times) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onContinued(this);
        }
    }

    /**
     * The launcher has no contact with another host any more, so the processes there are held for failed; they may
     * still run.
     *
     * @param processes of the host: members of the world, and others
     */
    record HostLost(int host, List<ProcessId> processes) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHostLost(this);
        }
    }

    /**
     * The launcher has no contact with half of the members or more, and in this job only the side of a majority may go
     * on.
     *
     * @param reached number of members with which there is contact
     * @param members number of members that are not known to have ended or left
     */
    record Minority(int reached, int members) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onMinority(this);
        }
    }

    /**
     * A host has lost its network path to another host, so its processes are ended.
     *
     * @param host index of the host; -1 for the launcher's own
     */
    record HostCutOff(int host) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onHostCutOff(this);
        }
    }

    /**
     * A process of a lost host counts as ended, because its lease has expired: without contact it ends itself by then.
     */
    record LeaseOver(ProcessId process) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onLeaseOver(this);
        }
    }

    /**
     * No agent of another host has been in contact with the launcher for longer than a lease. Processes there may still
     * run, if they have contact themselves.
     *
     * @param isForTwo whether another lease has passed since this was told first
     */
    record AgentSilent(int host, String why, boolean isForTwo) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onAgentSilent(this);
        }
    }

    /**
     * The judge of silences asks how long a process of another host has waited for a processor core, which would
     * explain its silence.
     *
     * @param question the number of the question, which the answer repeats
     */
    record CoreWaitsAsked(ProcessId process, long pid, long question) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onCoreWaitsAsked(this);
        }
    }

    /**
     * The launcher cannot write to its stdout, to its stderr or to a file of the processes' output any more, so the job
     * must end.
     */
    record OutputLost(EndReason reason) implements JobEvent {
        @Override
        public void tell(Handler handler) {
            handler.onOutputLost(this);
        }
    }
}
