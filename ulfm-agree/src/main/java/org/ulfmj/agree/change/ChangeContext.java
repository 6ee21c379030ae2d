package org.ulfmj.agree.change;

import java.util.SortedMap;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Ancestry;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/** What a running replace() or grow() asks of the rank it runs in. */
public interface ChangeContext {
    /** Time of the running step. */
    long nowNs();

    FailureSet failures();

    Announcements announced();

    /** The members by slot, with where each can be reached. */
    SortedMap<Integer, Contact> members();

    /** Whether a communicator is revoked here. */
    boolean isRevoked(long communicator);

    /** What the present world knows of the worlds before it. */
    Ancestry ancestry();

    /** From now on this rank may exchange messages with this newcomer. */
    void introduce(Contact newcomer);

    /**
     * Gives a world the id that it has if the agreement of this kind and number, on this communicator, makes it.
     *
     * @param kind of the agreement
     * @param unnamed the world, with any id
     */
    Admission named(Kind kind, long communicator, long sequence, Admission unnamed);

    /**
     * P5: the change is confirmed. The rank enters the membership epoch of the new world, and then the call returns.
     */
    void admitted(Admission admission, SlotSet newcomers, Outbox<ProcessId, ControlMessage> out);

    /** The call returns, and nothing has changed. */
    void ended(ChangeOutcome outcome);
}
