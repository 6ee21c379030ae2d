package org.ulfmj.rendezvous.silence;

import java.util.List;
import org.ulfmj.protocol.ProcessId;

/**
 * The actions that a {@link SilenceJudge} asks for. Called within the judge's steps, from where the judge must not be
 * called back.
 */
public interface SilenceEffects {
    /**
     * Asks a member whether it is there; it is to queue a heartbeat to each complainer, and then to answer. A question
     * that is lost is asked again when the judge is told of the member's next connection.
     *
     * @param question a number that no other question has
     */
    void ask(ProcessId member, long question, List<ProcessId> complainers);

    /**
     * The time for which a thread of the process has been ready and has waited for a core since the last call, in ns:
     * that of the thread that has waited longest. 0 at the first call, and where the system does not tell. Of a process
     * of another host, what its agent has told until it was last heard.
     */
    default long waitedForCoreNs(ProcessId process) {
        return 0;
    }

    /** Whether what {@link #waitedForCoreNs} tells of the process next counts from its last call on. */
    default boolean isCoreWaitKnown(ProcessId process) {
        return true;
    }

    /**
     * Asks a complainer whether it hears the process now. The process has answered the launcher since the complaint.
     */
    void askComplainer(ProcessId complainer, long question, ProcessId about);

    /**
     * Sends SIGKILL, by the agent of the process's host. Called again until the end is proven, or the signal is seen to
     * be pending.
     *
     * @param reason the words that follow the process's name: {@code was silent for 5000 ms (state T)}
     */
    void kill(ProcessId process, String reason);

    /**
     * J3: a host has lost its path to another one, and each of its processes is ended by {@link #kill}. Processes that
     * are started there later would lose the same path.
     */
    default void endHost(int host) {}

    /**
     * With a majority asked for: whether too few members would be left without these processes. Then the judge neither
     * loses nor ends any of them.
     */
    default boolean isMinorityWithout(List<ProcessId> unheard) {
        return false;
    }

    /** The launcher's side is a minority without these processes: it is to end, without a word to any of them. */
    default void endInMinority(List<ProcessId> unheard) {}

    /**
     * J4: a host was silent as a whole for one and a half timeouts. All members are to mark these processes failed, on
     * suspicion: they may run still. Once its lease is over, a process counts as dead for all but the judge, which is
     * told of its end by {@link SilenceJudge#leaves} only when it is proven: the process may be stopped, and is killed
     * should the agent of its host be heard again.
     *
     * @param processes in order, members and others
     */
    void lose(int host, List<ProcessId> processes, String reason);

    /**
     * SIGKILL is pending and does not end the process. All members are to mark it failed, as nothing else can be done.
     */
    void giveUp(ProcessId process, String reason);
}
