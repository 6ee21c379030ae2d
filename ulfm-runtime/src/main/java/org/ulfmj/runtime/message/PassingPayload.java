package org.ulfmj.runtime.message;

import org.ulfmj.transport.Payload;

/**
 * A payload object that its maker will use again for the next message. It is good only for an operation that has ended
 * when the call that starts it returns, as most sends of short messages have.
 */
public interface PassingPayload extends Payload {
    /**
     * Returns another payload with the same bytes, for an operation that goes on after the call.
     *
     * @param spare an object that this method returned for an operation that is over, after {@link #forget} has
     *     returned true for it; null if there is none. It may be set and returned again
     */
    PassingPayload kept(PassingPayload spare);

    /**
     * Lets go of the program's memory: the operation is over, and nothing looks at the payload any more. Returns
     * whether the object can be passed as the spare for a later operation.
     */
    boolean forget();
}
