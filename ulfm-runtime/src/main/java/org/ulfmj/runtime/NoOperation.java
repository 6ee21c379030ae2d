package org.ulfmj.runtime;

import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.transfer.Operation;

/**
 * A send to no rank or a receive from no rank: the operation is over from the start. One object serves all such
 * requests of a communicator that is not revoked.
 */
final class NoOperation extends Operation {
    NoOperation(MessageContext communicator, ErrorClass result) {
        begin(communicator, MessageKey.POINT_TO_POINT, MessageKey.ANY_TAG, null);
        cameFrom(MessageKey.NO_RANK);
        finish(result);
    }

    @Override
    protected void detach() {}

    @Override
    public Completion settled() {
        return this;
    }

    @Override
    public int namedPeer() {
        return MessageKey.NO_RANK;
    }

    @Override
    public String describe() {
        return "message with PROC_NULL";
    }
}
