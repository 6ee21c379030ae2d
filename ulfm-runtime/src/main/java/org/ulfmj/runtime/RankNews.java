package org.ulfmj.runtime;

import java.util.List;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.member.Contacts;
import org.ulfmj.runtime.recovery.EngineEvents;
import org.ulfmj.transport.MemberRecord;

/**
 * What a rank is told of other processes and of itself, by the launcher, a lifeline or {@code /proc}. Any thread; each
 * method leaves an event for the rank's next poll and returns at once.
 */
public final class RankNews {
    private final RankEngine engine;

    RankNews(RankEngine engine) {
        this.engine = engine;
    }

    /** Takes evidence of a process's death from the launcher, a lifeline or {@code /proc}. */
    public void onEvidence(ProcessId process, Evidence evidence) {
        engine.post(new EngineEvents.Death(process, evidence));
    }

    /**
     * J2: the judge of silences asks whether this rank is there, since these processes complain of its silence. A
     * heartbeat to each of them is queued, in addition to the usual ones.
     *
     * @param then run under the engine lock once they are queued: the place to answer
     */
    public void beat(List<ProcessId> complainers, Runnable then) {
        engine.post(new EngineEvents.Beat(List.copyOf(complainers), then));
    }

    /**
     * Runs an action under the engine lock once everything was read that can be read now. A process that is silent then
     * is not silent merely because its messages were not read.
     */
    public void whenAllIsRead(Runnable action) {
        engine.post(new EngineEvents.AtRest(action));
    }

    /** The launcher says that a process said goodbye and has ended. */
    public void onDeparted(ProcessId process) {
        engine.post(new EngineEvents.Departed(process));
    }

    /** The launcher has started a process in the place of a dead one, and that process can be reached. */
    public void onPending(MemberRecord newcomer) {
        engine.post(new EngineEvents.Pending(Contacts.of(newcomer)));
    }

    /**
     * All members of the world that this newcomer waited for have ended, and the given processes, this one among them,
     * are the world now. All of them are told so.
     */
    public void onGathered(List<MemberRecord> members) {
        engine.post(new EngineEvents.Gathered(List.copyOf(members)));
    }

    /**
     * The launcher of an elastic world says that the process with this nonce has ended, no matter by which name it is
     * known.
     *
     * @param evidence null if the process had finalized
     */
    public void onEnd(long nonce, Evidence evidence) {
        engine.post(new EngineEvents.Ended(nonce, evidence));
    }

    /**
     * A process without a slot waits to be let in by {@link CommunicatorRecovery#grow}.
     *
     * @param hostOrder place of its host in the list of hosts
     * @param localIndex number of the process on its host
     */
    public void onWaiting(int hostOrder, int localIndex, MemberRecord waiting) {
        engine.post(new EngineEvents.Waiting(Contacts.joiner(hostOrder, localIndex, waiting)));
    }

    /** G10: the process with this nonce has answered that it is not the process of this name. */
    public void onNotMe(ProcessId name, long nonce) {
        engine.post(new EngineEvents.NotMe(name, nonce));
    }

    /** The launcher tells this rank that no process will be started in this slot any more. */
    public void onNoMore(int slot, String why) {
        engine.post(new EngineEvents.NoMore(slot, why));
    }

    /** The launcher tells this rank that no process will be started in any slot any more. */
    public void onNoMoreReplacements(String why) {
        engine.post(new EngineEvents.NoMoreReplacements(why));
    }

    /** The others have gone on without this newcomer. Ignored if this process is admitted already. */
    public void onGoneOnWithout(String why) {
        engine.post(new EngineEvents.GoneOnWithout(why));
    }

    /** Others decided that this process must end. */
    public void onFence(String reason) {
        engine.post(new EngineEvents.Fence(reason));
    }
}
