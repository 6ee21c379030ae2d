package org.ulfmj.runtime;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.recovery.EngineEvents;
import org.ulfmj.runtime.recovery.VerdictListener;

/**
 * Carries out what failures, goodbyes and revocations end at this rank: operations and collectives of its
 * communicators, messages that are under way, communicators that are being made, and the media to a process that is
 * gone. Under the engine lock.
 */
final class VerdictEffects implements VerdictListener {
    private final RankEngine engine;

    VerdictEffects(RankEngine engine) {
        this.engine = engine;
    }

    @Override
    public void onFailed(ProcessId process, Evidence evidence) {
        if (engine.traffic().onFailed(process)) {
            engine.inbound().dropFrom(process);
            for (CommunicatorState communicator : engine.communicators().all()) {
                int rank = communicator.rankOf(process);
                if (rank >= 0) {
                    communicator.failures().add(rank);
                    onMemberGone(communicator, process);
                }
                if (communicator.diesOfFailure(rank >= 0)) {
                    onRevoked(communicator.id());
                    // The other members are told of the revocation, but later, since the survivor core is in the middle
                    // of a step.
                    engine.post(new EngineEvents.Orphaned(communicator));
                }
            }
        }
        if (process.slot() != engine.id().slot()) {
            // The media also abandon a process that was never introduced to this rank: it must not be let in later.
            engine.fabric().abandon(process);
        }
        engine.flight().failed(process, evidence);
        engine.hooks().onFailed(process, evidence);
    }

    @Override
    public void onWorld(Membership world) {
        List<ProcessId> unused = new ArrayList<>();
        for (ProcessId former : engine.traffic().formerOf(world)) {
            if (!engine.traffic().isFailed(former)) {
                // The process is a newcomer that had waited to be let in, and this rank was not told of its end.
                onFailed(former, engine.control().failures().evidence(former));
            }
            if (!isMember(former)) {
                unused.add(former);
            }
        }
        engine.traffic().forget(unused);
    }

    private boolean isMember(ProcessId process) {
        for (CommunicatorState communicator : engine.communicators().all()) {
            if (communicator.rankOf(process) >= 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void onDeparted(ProcessId process) {
        if (!engine.traffic().onDeparted(process)) {
            return;
        }
        for (CommunicatorState communicator : engine.communicators().all()) {
            if (communicator.rankOf(process) >= 0) {
                onMemberGone(communicator, process);
            }
        }
        engine.fabric().depart(process);
        engine.hooks().onDeparted(process);
    }

    @Override
    public void onEnded(ProcessId process) {
        engine.traffic().onEnded(process);
    }

    private void onMemberGone(CommunicatorState communicator, ProcessId gone) {
        communicator.breakCollectives();
        communicator.hostShare.onVerdict();
        engine.runs().failAll(communicator, ErrorClass.PROC_FAILED);
        giveUpUnborn(communicator, true);
        engine.traffic().onMemberGone(communicator, gone);
    }

    @Override
    public void onRevoked(long id) {
        CommunicatorState communicator = engine.communicators().get(id);
        if (communicator == null || communicator.isRevoked()) {
            return;
        }
        communicator.revoke();
        communicator.hostShare.onVerdict();
        engine.flight().revoked(communicator);
        engine.runs().failAll(communicator, ErrorClass.REVOKED);
        engine.traffic().onRevoked(communicator);
        giveUpUnborn(communicator, false);
        for (CommunicatorState made : communicator.offspring()) {
            onRevoked(made.id());
            // Members that have not made that communicator may never make it. They are told of its revocation, so that
            // they drop the frames that they hold for it, but later, since the survivor core is in the middle of a
            // step.
            engine.post(new EngineEvents.Orphaned(made));
        }
    }

    /**
     * Lets communicators that calls on this one are still making be revoked; this happens later, since the survivor
     * core is in a step.
     *
     * @param byFailure true if a member of this communicator has failed, false if the communicator was revoked
     */
    private void giveUpUnborn(CommunicatorState communicator, boolean byFailure) {
        for (CommunicatorState made : communicator.tied(byFailure)) {
            engine.post(communicator.miscarriage(made));
        }
    }

    @Override
    public void dropHeld(long communicator) {
        engine.inbound().dropHeld(communicator);
    }
}
