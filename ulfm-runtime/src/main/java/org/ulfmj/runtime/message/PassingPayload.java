package org.ulfmj.runtime.message;

import org.ulfmj.transport.Payload;

/**
 * A message's bytes as a description that its maker will use again for the next one: good for an operation that is over
 * when the call that starts it returns. Most sends of short messages are.
 */
public interface PassingPayload extends Payload {
    /** The same bytes, for an operation that goes on. */
    Payload kept();
}
