package org.ulfmj.runtime.error;

import java.io.Serializable;

/**
 * The text that says that a communicator is revoked. It is composed each time that it is asked for.
 *
 * @param what an object whose {@code toString} names the operation
 * @param label the label of the communicator
 * @param size how many ranks the communicator has
 */
public record RevokedText(Serializable what, String label, int size) implements Serializable {
    private static final String ADVICE =
            "Only agree(), shrink(), replace() and free() work on it; shrink() gives a communicator of the survivors";

    @Override
    public String toString() {
        return ErrorWords.text(
                what.toString(), ErrorWords.communicator(label, size), "the communicator is revoked", ADVICE);
    }
}
