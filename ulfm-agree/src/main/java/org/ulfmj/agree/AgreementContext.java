package org.ulfmj.agree;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/** What the agreements of a communicator ask of the rank they run in, in the membership epoch of that communicator. */
interface AgreementContext {
    /** The processes that the members' slots stand for. */
    Membership membership();

    /** The process that holds a slot. */
    ProcessId process(int slot);

    /** Slots of the members that are marked failed here. */
    SlotSet failed(SlotRuns members);

    /** Slots of the members that failed or departed: trees pass over them. */
    SlotSet gone(SlotRuns members);

    /**
     * An agreement lists these slots as failed: marks all of them, spreads their obituaries, and then tells every open
     * agreement, the asking one included, which may decide before this returns.
     *
     * @param toldBy where the list came from
     */
    void fail(SlotSet slots, ProcessId toldBy, Outbox<ProcessId, ControlMessage> out);

    /** This rank must have marked itself failed. */
    void fence(String why);

    /**
     * R8: a decision lists these slots as failed. They are marked failed here before the caller returns, and before its
     * next call.
     */
    void settle(SlotSet failed, Outbox<ProcessId, ControlMessage> out);

    /** The processes of which an agreement needs a majority. */
    Electorate electorate();

    /** Whether the members are of the world as it is now: of one that was replaced none has to have a majority. */
    boolean isInForce();

    /** A call that this rank had made is decided, and all its messages are sent. */
    void decided(long communicator, long sequence, Decision decision, Outbox<ProcessId, ControlMessage> out);

    /** Nothing is left here of a communicator of this epoch. */
    void ended();
}
