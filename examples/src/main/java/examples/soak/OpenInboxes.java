package examples.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * Receive buffers whose message has not been checked. After a failure their content is unspecified, but no rank may
 * write to them any more: {@link #seal} remembers what is in them, {@link #requireUnchanged} compares. Any thread.
 */
final class OpenInboxes {
    private record Sealed(Inbox inbox, long digest) {}

    private final List<Inbox> open = new ArrayList<>();
    private final List<Sealed> sealed = new ArrayList<>();

    /** The buffer is given to a receive. */
    synchronized void add(Inbox inbox) {
        open.add(inbox);
    }

    /** The message has come. */
    synchronized void remove(Inbox inbox) {
        for (int i = open.size() - 1; i >= 0; i--) {
            if (open.get(i) == inbox) {
                open.remove(i);
                return;
            }
        }
    }

    /** Every receive is over; those that have not been checked have failed. */
    synchronized void seal() {
        for (Inbox inbox : open) {
            sealed.add(new Sealed(inbox, inbox.digest()));
        }
        open.clear();
    }

    /** Fails if a rank has written to a buffer after its receive was over; forgets them. */
    synchronized void requireUnchanged() {
        for (Sealed one : sealed) {
            if (one.inbox.digest() != one.digest) {
                throw new WrongValueException("a receive buffer of " + one.inbox.capacity()
                        + " bytes was written to after its receive had failed");
            }
        }
        sealed.clear();
    }
}
