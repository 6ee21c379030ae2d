package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.collective.AllReduceSchedule;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.run.CollectiveRunner;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.recovery.AgreedNotes;
import org.ulfmj.runtime.recovery.RecoveryErrors;
import org.ulfmj.runtime.reduction.BitwiseAnd;
import org.ulfmj.transport.Payload;

/**
 * The {@link RecoveryCalls} without fault tolerance: a failure ends the job, so no rank fails while they run. Agree is
 * an allreduce, shrink a dup, Finalize a barrier.
 */
final class PlainRecovery implements RecoveryCalls {
    private final RankEngine engine;
    private final CollectiveRunner collectives;
    private final CommunicatorFactory factory;

    PlainRecovery(RankEngine engine, CollectiveRunner collectives, CommunicatorFactory factory) {
        this.engine = engine;
        this.collectives = collectives;
        this.factory = factory;
    }

    @Override
    public int agree(CommunicatorState communicator, int flag) {
        ByteBuffer value = values(communicator, flag);
        collectives.run(communicator, new AllReduceSchedule(value, value, Integer.BYTES, new BitwiseAnd()), "agree");
        return result(communicator, value);
    }

    /**
     * The flags that are combined: the first is that of the only group or of an inter-communicator's first group, the
     * second that of its second group.
     */
    private static ByteBuffer values(CommunicatorState communicator, int flag) {
        ByteBuffer values = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.nativeOrder());
        boolean isFirst = !communicator.isInter() || communicator.groups().isFirst();
        return values.putInt(0, isFirst ? flag : -1).putInt(Integer.BYTES, isFirst ? -1 : flag);
    }

    /** The combined flag of all members; on an inter-communicator, that of the remote group. */
    private static int result(CommunicatorState communicator, ByteBuffer values) {
        boolean isOfFirst = !communicator.isInter() || !communicator.groups().isFirst();
        return values.getInt(isOfFirst ? 0 : Integer.BYTES);
    }

    @Override
    public int agreeUniformly(CommunicatorState communicator, int flag) {
        return agree(communicator, flag);
    }

    @Override
    public int[] agreeFailed(CommunicatorState communicator) {
        collectives.run(communicator, new BarrierSchedule(), "agreeFailed");
        return new int[0];
    }

    @Override
    public Communicator shrink(CommunicatorState communicator) {
        return factory.dup(communicator, "shrink", null);
    }

    @Override
    public int agreeOnHints(CommunicatorState communicator, int bits) {
        ByteBuffer value = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        value.putInt(0, bits);
        CollectiveSchedule schedule = new AllReduceSchedule(value, value, Integer.BYTES, new BitwiseAnd());
        collectives.run(communicator, schedule, Kind.HINTS.callName());
        return value.getInt(0);
    }

    @Override
    public Communicator replace(CommunicatorState communicator) {
        throw RecoveryErrors.withoutFaultTolerance(communicator, "replace");
    }

    @Override
    public Communicator grow(CommunicatorState communicator) {
        throw RecoveryErrors.withoutFaultTolerance(communicator, Kind.GROW.callName());
    }

    @Override
    public Communicator growInRecovery(CommunicatorState communicator, boolean letsIn) {
        return grow(communicator);
    }

    @Override
    public AgreedNotes agreeNotes(CommunicatorState communicator, Kind kind, byte[] note) {
        throw RecoveryErrors.withoutFaultTolerance(communicator, kind.callName());
    }

    @Override
    public CollectiveCall startAgree(CommunicatorState communicator, int flag, Payload result) {
        ByteBuffer value = values(communicator, flag);
        CollectiveCall call = new CollectiveCall(communicator, "iAgree");
        CollectiveSchedule schedule = new AllReduceSchedule(value, value, Integer.BYTES, new BitwiseAnd());
        call.progress(engine.runs().begin(communicator, schedule, "iAgree", (error, thrown) -> {
            if (error == ErrorClass.SUCCESS) {
                AgreedCalls.write(result(communicator, value), result);
                call.succeed(null);
            } else {
                call.end(engine.errors().ofCollective(communicator, "iAgree", error));
            }
        }));
        return call;
    }

    @Override
    public CollectiveCall startShrink(CommunicatorState communicator) {
        CollectiveCall call = new CollectiveCall(communicator, "iShrink");
        try {
            call.succeed(factory.dup(communicator, "iShrink", null));
        } catch (CallError fault) {
            call.end(fault);
        }
        return call;
    }

    @Override
    public SlotSet finish(CommunicatorState world) {
        engine.control().leave();
        collectives.run(world, new BarrierSchedule(), "Finalize");
        return SlotSet.EMPTY;
    }
}
