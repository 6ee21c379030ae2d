package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.ShrinkOutcome;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.error.CallSite;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.recovery.Agreement;
import org.ulfmj.runtime.recovery.RecoveryErrors;
import org.ulfmj.transport.Payload;

/**
 * The recovery calls that do not wait, {@code iAgree} and {@code iShrink}: each enters an agreement, and turns its
 * decision into the result of the call. Their {@link Kind}s differ from those of the blocking calls, because only a
 * decision of a blocking call takes the failed members that it lists out of the trees of later agreements. Called
 * inside the engine.
 */
final class AgreedCalls {
    private final RankEngine engine;
    private final CommunicatorIds ids;
    private final CommunicatorFactory factory;

    AgreedCalls(RankEngine engine, CommunicatorIds ids, CommunicatorFactory factory) {
        this.engine = engine;
        this.ids = ids;
        this.factory = factory;
    }

    CollectiveCall agree(CommunicatorState communicator, int flag, Payload result) {
        Contribution mine = contribution(
                communicator, Kind.IAGREE, flag, communicator.failures().acknowledgedSlots());
        long sequence = engine.control().enter(communicator, mine);
        CollectiveCall call = begin(communicator, Kind.IAGREE, sequence);
        CallSite site = CallSite.here();
        engine.control().decisions().tell(communicator, sequence, decision -> endAgree(call, site, decision, result));
        return call;
    }

    private void endAgree(CollectiveCall call, CallSite site, Decision decision, Payload result) {
        if (!decision.isOfOneKind()) {
            call.end(RecoveryErrors.mixedKinds(call.state(), Kind.IAGREE, site, decision));
            return;
        }
        int value = result(call.state(), Kind.IAGREE, decision);
        write(value, result);
        if (decision.failureUnacknowledged()) {
            call.end(RecoveryErrors.unacknowledged(call.state(), Kind.IAGREE.callName(), decision, value));
        } else {
            call.succeed(null);
        }
    }

    /**
     * Makes this rank's contribution to an agreement. On an inter-communicator its flag counts for the rank's own group
     * only.
     */
    static Contribution contribution(CommunicatorState communicator, Kind kind, int flag, SlotSet acknowledged) {
        TwoGroups groups = communicator.groups();
        return groups == null
                ? new Contribution(kind, flag, acknowledged)
                : Contribution.ofGroup(kind, flag, groups.isFirst(), acknowledged);
    }

    /**
     * Returns the AND of the flags of all members that took part; on an inter-communicator, of those of the remote
     * group.
     */
    static int result(CommunicatorState communicator, Kind kind, Decision decision) {
        TwoGroups groups = communicator.groups();
        return groups != null && groups.isFirst() ? decision.second() : decision.flag(kind);
    }

    CollectiveCall shrink(CommunicatorState communicator) {
        SlotSet known = engine.control().knownFailed(communicator);
        long sequence = engine.control().enter(communicator, new Contribution(Kind.ISHRINK, -1, SlotSet.ALL));
        CollectiveCall call = begin(communicator, Kind.ISHRINK, sequence);
        CallSite site = CallSite.here();
        engine.control()
                .decisions()
                .tell(communicator, sequence, decision -> endShrink(call, site, sequence, decision, known));
        return call;
    }

    private void endShrink(CollectiveCall call, CallSite site, long sequence, Decision decision, SlotSet known) {
        if (decision.isOfOneKind()) {
            call.succeed(made(call.state(), sequence, decision, known));
        } else {
            call.end(RecoveryErrors.mixedKinds(call.state(), Kind.ISHRINK, site, decision));
        }
    }

    /**
     * Makes the communicator of a shrink: the members of {@code communicator} but for those that the decision says have
     * failed.
     */
    Communicator made(CommunicatorState communicator, long sequence, Decision decision, SlotSet known) {
        ShrinkOutcome outcome =
                ShrinkOutcome.of(ids, communicator.id(), sequence, communicator.members(), decision.failed());
        try {
            outcome.requireKept(engine.id().slot(), known);
        } catch (IllegalStateException e) {
            engine.breakDown(e);
            throw e;
        }
        return factory.create(
                outcome.id(),
                outcome.members(),
                communicator.membership(),
                communicator.isInter()
                        ? communicator.groups().without(communicator.members(), decision.failed())
                        : null,
                CommunicatorFactory.label("shrunk ", communicator));
    }

    private CollectiveCall begin(CommunicatorState communicator, Kind kind, long sequence) {
        CollectiveCall call = new CollectiveCall(communicator, kind.callName());
        call.progress(new Agreement(engine.control(), communicator, kind.callName(), sequence));
        return call;
    }

    static void write(int value, Payload result) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        result.copyIn(0, bytes.putInt(value).flip());
    }
}
