package org.ulfmj.runtime;

import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.change.GrowTerms;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.error.CallSite;
import org.ulfmj.runtime.flight.AgreementEvent;
import org.ulfmj.runtime.recovery.AgreedNotes;
import org.ulfmj.runtime.recovery.Agreement;
import org.ulfmj.runtime.recovery.ChangeCall;
import org.ulfmj.runtime.recovery.ControlPlane;
import org.ulfmj.runtime.recovery.RecoveryErrors;
import org.ulfmj.transport.Payload;

/**
 * The calls that survivors make together. Agree, agreeFailed and shrink make agreements of one form, on a value and the
 * set of failed members. They work on a revoked communicator, and a member's death does not keep them from a decision.
 * Called inside the engine.
 */
final class AgreedRecovery implements RecoveryCalls {
    private final RankEngine engine;
    private final AgreedCalls calls;
    private final CurrentWorld worlds;

    AgreedRecovery(RankEngine engine, CommunicatorIds ids, CommunicatorFactory factory, CurrentWorld worlds) {
        this.engine = engine;
        this.worlds = worlds;
        this.calls = new AgreedCalls(engine, ids, factory);
    }

    @Override
    public int agree(CommunicatorState communicator, int flag) {
        return agree(communicator, Kind.AGREE, flag);
    }

    @Override
    public int agreeUniformly(CommunicatorState communicator, int flag) {
        return agree(communicator, Kind.AGREE_UNIFORM, flag);
    }

    private int agree(CommunicatorState communicator, Kind kind, int flag) {
        Decision decision = decide(
                        communicator, kind, flag, communicator.failures().acknowledgedSlots())
                .decision();
        int value = AgreedCalls.result(communicator, kind, decision);
        if (decision.failureUnacknowledged()) {
            throw RecoveryErrors.unacknowledged(communicator, kind.callName(), decision, value);
        }
        return value;
    }

    @Override
    public int[] agreeFailed(CommunicatorState communicator) {
        SlotSet failed = decide(communicator, Kind.AGREE_FAILED, -1, SlotSet.ALL)
                .decision()
                .failed();
        int[] slots = failed.toArray();
        int[] ranks = new int[slots.length];
        int count = 0;
        for (int rank = 0; rank < communicator.members().size() && count < ranks.length; rank++) {
            if (failed.contains(communicator.members().slot(rank))) {
                ranks[count++] = rank;
            }
        }
        return ranks;
    }

    @Override
    public Communicator shrink(CommunicatorState communicator) {
        SlotSet known = engine.control().knownFailed(communicator);
        Decided decided = decide(communicator, Kind.SHRINK, -1, SlotSet.ALL);
        return calls.made(communicator, decided.sequence(), decided.decision(), known);
    }

    @Override
    public int agreeOnHints(CommunicatorState communicator, int bits) {
        Decided decided = decide(communicator, new Contribution(Kind.HINTS, bits, SlotSet.ALL));
        if (!decided.decision().isOfOneKind()) {
            throw RecoveryErrors.mixedKinds(communicator, Kind.HINTS, CallSite.here(), decided.decision());
        }
        return decided.decision().flag(Kind.HINTS);
    }

    @Override
    public Communicator replace(CommunicatorState communicator) {
        return change(communicator, Kind.REPLACE);
    }

    @Override
    public Communicator grow(CommunicatorState communicator) {
        return change(communicator, Kind.GROW);
    }

    @Override
    public Communicator growInRecovery(CommunicatorState communicator, boolean letsIn) {
        int most = letsIn ? engine.hooks().mostMembers() : 1;
        return change(communicator, Kind.GROW, new GrowTerms(most, true));
    }

    private Communicator change(CommunicatorState communicator, Kind kind) {
        return change(communicator, kind, null);
    }

    /**
     * @param terms the terms of a grow whose terms are not those of the job; null for a replace and for any other grow
     */
    private Communicator change(CommunicatorState communicator, Kind kind, GrowTerms terms) {
        ControlPlane control = engine.control();
        if (!control.isOfWholeWorld(communicator)) {
            throw RecoveryErrors.notTheWorld(communicator, kind, control.membership());
        }
        ChangeCall call = terms == null
                ? new ChangeCall(control, communicator, kind)
                : new ChangeCall(control, communicator, terms);
        control.change(call);
        communicator.beginCall();
        try {
            engine.progress().await(call);
        } finally {
            communicator.endCall();
        }
        if (call.outcome() instanceof ChangeOutcome.Admitted admitted) {
            return worlds.enter(admitted.admission());
        }
        if (call.outcome() instanceof ChangeOutcome.Unchanged) {
            return worlds.world();
        }
        if (call.outcome() instanceof ChangeOutcome.Incomplete not) {
            throw kind == Kind.GROW
                    ? RecoveryErrors.notGrown(communicator, not)
                    : RecoveryErrors.notReplaced(communicator, not);
        }
        Decision decision = ((ChangeOutcome.Mixed) call.outcome()).decision();
        throw RecoveryErrors.mixedKinds(communicator, kind, call.site(), decision);
    }

    @Override
    public AgreedNotes agreeNotes(CommunicatorState communicator, Kind kind, byte[] note) {
        Decision decision = decide(communicator, new Contribution(kind, -1, SlotSet.ALL, note))
                .decision();
        return new AgreedNotes(decision.isOnly(kind), decision.failed(), decision.notes());
    }

    @Override
    public CollectiveCall startAgree(CommunicatorState communicator, int flag, Payload result) {
        return calls.agree(communicator, flag, result);
    }

    @Override
    public CollectiveCall startShrink(CommunicatorState communicator) {
        return calls.shrink(communicator);
    }

    @Override
    public SlotSet finish(CommunicatorState world) {
        long sequence = engine.control().enterFinalize(world);
        Agreement agreement = new Agreement(engine.control(), world, Kind.FINALIZE.callName(), sequence);
        engine.progress().await(agreement);
        Decision decision = agreement.takeDecision();
        if (!decision.isOfOneKind()) {
            throw RecoveryErrors.mixedKinds(world, Kind.FINALIZE, CallSite.here(), decision);
        }
        return decision.failed();
    }

    private record Decided(long sequence, Decision decision) {}

    private Decided decide(CommunicatorState communicator, Kind kind, int flag, SlotSet acknowledged) {
        Decided decided = decide(communicator, AgreedCalls.contribution(communicator, kind, flag, acknowledged));
        if (!decided.decision().isOfOneKind()) {
            throw RecoveryErrors.mixedKinds(communicator, kind, CallSite.here(), decided.decision());
        }
        return decided;
    }

    private Decided decide(CommunicatorState communicator, Contribution mine) {
        AgreementEvent event = engine.flight().beginAgreement(communicator, mine.kind());
        long sequence = engine.control().enter(communicator, mine);
        Agreement agreement =
                new Agreement(engine.control(), communicator, mine.kind().callName(), sequence);
        communicator.beginCall(); // another thread may free the communicator, which then goes when this call has ended
        try {
            engine.progress().await(agreement);
        } finally {
            communicator.endCall();
        }
        Decision decision = agreement.takeDecision();
        engine.flight().decided(event, communicator, mine.kind(), decision);
        return new Decided(sequence, decision);
    }
}
