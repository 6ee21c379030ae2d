package org.ulfmj.runtime;

import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.transfer.Operation;

/**
 * An operation that has ended when it is made. It stands for a send to no rank, a receive from no rank, a buffered send
 * whose message lies in the attached buffer, or a send that had ended when its call returned. A communicator that is
 * not revoked uses one object for all of the first three kinds, and another one for all of the last kind.
 */
final class FinishedOperation extends Operation {
    private final String words;
    private final boolean isShared;

    FinishedOperation(MessageContext communicator, ErrorClass result) {
        words = "message with PROC_NULL";
        isShared = false;
        begin(communicator, MessageKey.POINT_TO_POINT, MessageKey.ANY_TAG, null);
        cameFrom(MessageKey.NO_RANK);
        finish(result);
    }

    private FinishedOperation(MessageContext communicator) {
        words = "message that was sent";
        isShared = true;
        begin(communicator, MessageKey.POINT_TO_POINT, MessageKey.ANY_TAG, null);
        finish(ErrorClass.SUCCESS);
    }

    static FinishedOperation sent(MessageContext communicator) {
        return new FinishedOperation(communicator);
    }

    @Override
    public boolean isShared() {
        return isShared;
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
        return words;
    }
}
