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

    /**
     * A process failed or departed. This rank may have new neighbours, which are sent all news that this rank still
     * spreads.
     */
    void newNeighbours(ProcessId gone, Outbox<ProcessId, ControlMessage> out);

    /**
     * Called after these processes have been marked failed and their obituaries have been sent. Lets the agreements go
     * on without them.
     */
    void failed(List<Loss> losses, Outbox<ProcessId, ControlMessage> out);

    /** A process has departed: the trees of agreements leave it out from now on. */
    void departed();
}
