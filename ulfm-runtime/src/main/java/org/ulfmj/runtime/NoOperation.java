package org.ulfmj.runtime;

import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.progress.Completion;

/**
 * A send to no rank or a receive from no rank: over from the start. One object serves all requests of a communicator.
 */
final class NoOperation extends Operation {
    NoOperation(CommunicatorState communicator, ErrorClass result) {
        begin(communicator, MessageKey.POINT_TO_POINT, Communicator.ANY_TAG, null);
        source = Communicator.PROC_NULL;
        finish(result);
    }

    @Override
    void detach() {}

    @Override
    Completion settled() {
        return this;
    }

    @Override
    int namedPeer() {
        return Communicator.PROC_NULL;
    }

    @Override
    String describe() {
        return "message with PROC_NULL";
    }
}
