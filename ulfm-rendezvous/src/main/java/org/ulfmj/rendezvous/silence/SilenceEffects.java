package org.ulfmj.rendezvous.silence;

import java.util.List;
import org.ulfmj.protocol.ProcessId;

/** What a {@link SilenceJudge} has others do. Called within its steps; it must not be called back from there. */
public interface SilenceEffects {
    /**
     * Asks a member whether it is there; it is to queue a heartbeat to each complainer, and then to answer. What is
     * lost is asked again when the judge is told of the member's next connection.
     *
     * @param question a number that no other question has
     */
    void ask(ProcessId member, long question, List<ProcessId> complainers);

    /**
     * How long one of the process's threads has been ready and has waited for a core since this was asked last, in ns;
     * of the thread that has waited longest. 0 the first time, and where the system does not tell.
     */
    default long waitedForCoreNs(ProcessId process) {
        return 0;
    }

    /** Asks a member that complained of another, which has answered since, whether it hears it now. */
    void askComplainer(ProcessId complainer, long question, ProcessId about);

    /**
     * Sends SIGKILL. Told again while the end is not proven and the signal is not seen to be pending.
     *
     * @param reason what comes after the process's name: {@code was silent for 5000 ms (state T)}
     */
    void kill(ProcessId process, String reason);

    /**
     * SIGKILL is pending and does not end the process: nothing more can be done, and all are to have marked it failed.
     */
    void giveUp(ProcessId process, String reason);
}
