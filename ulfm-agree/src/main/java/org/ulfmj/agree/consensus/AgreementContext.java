package org.ulfmj.agree.consensus;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/** What the agreements of a communicator ask of the rank they run in, in the membership epoch of that communicator. */
public interface AgreementContext {
    /** The processes that the members' slots stand for. */
    Membership membership();

    /** The process that holds a slot. */
    ProcessId process(int slot);

    /** Slots of the members that are marked failed here. */
    SlotSet failed(SlotRuns members);

    /** Slots of the members that failed or departed: trees pass over them. */
    SlotSet gone(SlotRuns members);

    /**
     * An agreement lists these slots as failed. Marks all of them, spreads their obituaries, and then tells every open
     * agreement, also the one that calls. An agreement may decide before this method returns.
     *
     * @param toldBy the process from which the list came
     */
    void fail(SlotSet slots, ProcessId toldBy, Outbox<ProcessId, ControlMessage> out);

    /** Fences this process, because it must not go on. Does nothing once Finalize is decided here. */
    void fence(String why);

    /** R8: a decision lists these slots as failed. They are marked failed here before the program's call returns. */
    void settle(SlotSet failed, Outbox<ProcessId, ControlMessage> out);

    /** The processes of which an agreement needs a majority. */
    Electorate electorate();

    /** Whether the epoch of the members is the one in force. In an epoch that is over, no majority is needed. */
    boolean isInForce();

    /** An agreement that this rank had entered is decided, and all messages of the decision are sent. */
    void decided(long communicator, long sequence, Decision decision, Outbox<ProcessId, ControlMessage> out);

    /** The agreements of a communicator of this epoch are dropped here. */
    void ended();
}
