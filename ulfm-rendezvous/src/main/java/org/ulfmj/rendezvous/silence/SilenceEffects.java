package org.ulfmj.rendezvous.silence;

import java.util.List;
import org.ulfmj.protocol.ProcessId;

/**
 * The actions that a {@link SilenceJudge} asks of its owner. They are called within the judge's methods, and must not
 * call the judge back.
 */
public interface SilenceEffects {
    /**
     * Asks a member whether it is there. On this question the member first queues a heartbeat to each complainer, and
     * then answers. A question that is lost is asked again when the judge is told of the member's next connection.
     *
     * @param question a number that no other question has
     */
    void ask(ProcessId member, long question, List<ProcessId> complainers);

    /**
     * The time for which a thread of the process has been ready and has waited for a core since the last call, in ns;
     * of several threads, that of the one that has waited longest. 0 at the first call, and where the system does not
     * tell. For a process of another host this is what its agent has reported up to its last message.
     */
    default long waitedForCoreNs(ProcessId process) {
        return 0;
    }

    /**
     * Whether the counting for the next value of {@link #waitedForCoreNs} for the process has begun. Always true on the
     * launcher's host; for a process of another host once its agent has said that it has begun to count, which may be
     * later than that call. The value does not cover the time before. True also if the method was not called yet.
     */
    default boolean isCoreWaitKnown(ProcessId process) {
        return true;
    }

    /**
     * Asks a complainer whether it now hears the process that it complains of. That process has answered the launcher
     * since the complaint.
     */
    void askComplainer(ProcessId complainer, long question, ProcessId about);

    /**
     * Sends SIGKILL to a process, on another host than the launcher's through the agent of that host. Called again
     * until the end is proven, the process is given up, or its host is lost.
     *
     * @param reason the words that follow the process's name: {@code was silent for 5000 ms (state T)}
     */
    void kill(ProcessId process, String reason);

    /**
     * J3: a host has lost its path to another host and is chosen to end; {@link #kill} is called for each of its
     * processes. The host is not used again: processes that are started there later would lose the same path.
     */
    default void endHost(int host) {}

    /**
     * With {@code ulfm.ft.quorum=majority}: whether the launcher would reach too few members to be a majority without
     * these processes. Then the judge neither takes any of them for lost nor ends one because it does not answer.
     */
    default boolean isMinorityWithout(List<ProcessId> unheard) {
        return false;
    }

    /** Without these processes the launcher's side is a minority: the job ends on this side. */
    default void endInMinority(List<ProcessId> unheard) {}

    /**
     * J4: nothing was heard of a host for one and a half timeouts or, while none of its members has begun, for the
     * start-up time and half a timeout; at most for the length of a lease. All members are told to mark these processes
     * failed, on suspicion: the processes may still run. Once its own lease has run out, counted from its last
     * keep-alive, a process counts as dead for all but the judge. The judge is told of its end by
     * {@link SilenceJudge#leaves} only when the end is proven: the process may be merely stopped, and is killed if the
     * agent of its host is heard again.
     *
     * @param processes in order of their ids, members and others
     */
    void lose(int host, List<ProcessId> processes, String reason);

    /**
     * SIGKILL is pending for a process and does not end it. If it is a member, all members are told to mark it failed,
     * as nothing else can be done.
     */
    void giveUp(ProcessId process, String reason);
}
