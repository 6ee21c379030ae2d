package org.ulfmj.runtime;

import java.util.List;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.member.Contacts;
import org.ulfmj.runtime.recovery.EngineEvents;
import org.ulfmj.transport.MemberRecord;

/**
 * Takes the news of other processes and of this rank itself that come from outside of the engine, for example from the
 * launcher. Any thread; each method leaves an event for the rank's next poll and returns at once.
 */
public final class RankNews {
    private final RankEngine engine;

    RankNews(RankEngine engine) {
        this.engine = engine;
    }

    /** Takes evidence, for example from the launcher, that a process has died or is to count as dead. */
    public void onEvidence(ProcessId process, Evidence evidence) {
        engine.post(new EngineEvents.Death(process, evidence));
    }

    /**
     * J2: the judge of silences asks whether this rank is there, since these processes complain of its silence. With
     * fault tolerance a heartbeat to each of them is queued, in addition to the usual ones.
     *
     * @param then run under the engine lock after that, in any case: the place to answer
     */
    public void beat(List<ProcessId> complainers, Runnable then) {
        engine.post(new EngineEvents.Beat(List.copyOf(complainers), then));
    }

    /**
     * Runs an action under the engine lock once everything was read that can be read now, or after a number of polls if
     * more keeps coming. This is for judgements of silence, before which messages that have come are to be read.
     */
    public void whenAllIsRead(Runnable action) {
        engine.post(new EngineEvents.AtRest(action));
    }

    /** Takes the launcher's word that a process said goodbye and has ended. */
    public void onDeparted(ProcessId process) {
        engine.post(new EngineEvents.Departed(process));
    }

    /**
     * Takes the launcher's word that it has started a process in the place of a dead one, and that this process can be
     * reached.
     */
    public void onPending(MemberRecord newcomer) {
        engine.post(new EngineEvents.Pending(Contacts.of(newcomer)));
    }

    /**
     * Takes the launcher's word that all members of the world that this newcomer waited for have ended, and that the
     * given processes, this one among them, are the world now. The launcher tells all of these processes.
     */
    public void onGathered(List<MemberRecord> members) {
        engine.post(new EngineEvents.Gathered(List.copyOf(members)));
    }

    /**
     * Takes the word of the launcher of an elastic world that the process with this nonce has ended or is to count as
     * dead, no matter by which name this rank knows it.
     *
     * @param evidence null if the process had finalized
     */
    public void onEnd(long nonce, Evidence evidence) {
        engine.post(new EngineEvents.Ended(nonce, evidence));
    }

    /**
     * Takes the word that a process without a slot waits to be let in by {@link CommunicatorRecovery#grow}.
     *
     * @param hostOrder place of its host in the job's list of hosts
     * @param localIndex number of the process on its host
     */
    public void onWaiting(int hostOrder, int localIndex, MemberRecord waiting) {
        engine.post(new EngineEvents.Waiting(Contacts.joiner(hostOrder, localIndex, waiting)));
    }

    /** G10: takes the word that the process with this nonce has answered that it does not have this name. */
    public void onNotMe(ProcessId name, long nonce) {
        engine.post(new EngineEvents.NotMe(name, nonce));
    }

    /** Takes the launcher's word that no process will be started in this slot any more. */
    public void onNoMore(int slot, String why) {
        engine.post(new EngineEvents.NoMore(slot, why));
    }

    /** Takes the launcher's word that no process will be started in any slot any more. */
    public void onNoMoreReplacements(String why) {
        engine.post(new EngineEvents.NoMoreReplacements(why));
    }

    /**
     * Takes the word that the members of the world have gone on without this newcomer. Ignored if this process is
     * admitted already.
     */
    public void onGoneOnWithout(String why) {
        engine.post(new EngineEvents.GoneOnWithout(why));
    }

    /** Others decided that this process must end. */
    public void onFence(String reason) {
        engine.post(new EngineEvents.Fence(reason));
    }
}
