package org.ulfmj.agree;

import java.util.List;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;

/** What {@link Losses} ask of the rest of the rank. */
interface LossContext {
    /** The membership epoch in force. */
    Membership membership();

    /** A process failed or departed: this rank may have other neighbours, who are to hear what it has to tell. */
    void newNeighbours(ProcessId gone, Outbox<ProcessId, ControlMessage> out);

    /** These are marked failed, and their obituaries are on their way: agreements go on without them. */
    void failed(List<Loss> losses, Outbox<ProcessId, ControlMessage> out);

    /** A process has departed: the trees of later steps pass over it. */
    void departed();
}
