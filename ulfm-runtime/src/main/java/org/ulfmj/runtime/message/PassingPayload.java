package org.ulfmj.runtime.message;

import org.ulfmj.transport.Payload;

/**
 * A payload object that its maker will use again for the next message. It is good only for an operation that is over
 * when the call that starts it returns, as most sends of short messages are.
 */
public interface PassingPayload extends Payload {
    /** Returns another payload with the same bytes, for an operation that goes on after the call. */
    Payload kept();
}
