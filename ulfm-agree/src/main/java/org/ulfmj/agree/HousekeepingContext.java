package org.ulfmj.agree;

import org.ulfmj.agree.consensus.AgreementContext;
import org.ulfmj.agree.consensus.Electorate;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * The rank as the agreements of {@link Housekeeping} see it. It differs from {@link Epoch} in three points. No majority
 * is needed, since nothing is decided for processes on another side of a split. A decision does not go to the program.
 * The communicator of the lists does not keep the epoch in use.
 */
final class HousekeepingContext implements AgreementContext {
    /** The receiver of decisions. */
    interface Decided {
        void decided(long number, Decision decision);
    }

    private final Epoch epoch;
    private final Decided listener;
    private final Electorate noMajority;

    HousekeepingContext(Epoch epoch, Decided listener) {
        this.epoch = epoch;
        this.listener = listener;
        this.noMajority = new Electorate(false, epoch.membership().slots(), SlotSet.EMPTY);
    }

    @Override
    public Membership membership() {
        return epoch.membership();
    }

    @Override
    public ProcessId process(int slot) {
        return epoch.process(slot);
    }

    @Override
    public SlotSet failed(SlotRuns members) {
        return epoch.failed(members);
    }

    @Override
    public SlotSet gone(SlotRuns members) {
        return epoch.gone(members);
    }

    @Override
    public void fail(SlotSet slots, ProcessId toldBy, Outbox<ProcessId, ControlMessage> out) {
        epoch.fail(slots, toldBy, out);
    }

    @Override
    public void fence(String why) {
        epoch.fence(why);
    }

    @Override
    public void settle(SlotSet failed, Outbox<ProcessId, ControlMessage> out) {
        epoch.settle(failed, out);
    }

    @Override
    public Electorate electorate() {
        return noMajority;
    }

    @Override
    public boolean isInForce() {
        return epoch.isInForce();
    }

    @Override
    public void decided(long communicator, long sequence, Decision decision, Outbox<ProcessId, ControlMessage> out) {
        listener.decided(sequence, decision);
    }

    @Override
    public void ended() {}
}
