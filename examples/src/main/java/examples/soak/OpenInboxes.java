package examples.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * Receive buffers that were added for a receive and not removed after it. After a failure their contents are
 * unspecified, but must not change any more: {@link #seal} remembers a digest of the contents, and
 * {@link #requireUnchanged} compares. Any thread.
 */
final class OpenInboxes {
    private record Sealed(Inbox inbox, long digest) {}

    private final List<Inbox> open = new ArrayList<>();
    private final List<Sealed> sealed = new ArrayList<>();

    /** Is called before the buffer is given to a receive. */
    synchronized void add(Inbox inbox) {
        open.add(inbox);
    }

    /** Is called when the receive of the buffer has returned a message or was cancelled. */
    synchronized void remove(Inbox inbox) {
        for (int i = open.size() - 1; i >= 0; i--) {
            if (open.get(i) == inbox) {
                open.remove(i);
                return;
            }
        }
    }

    /**
     * Is called when no receive is under way any more. Remembers a digest of the contents of each buffer that was added
     * and not removed.
     */
    synchronized void seal() {
        for (Inbox inbox : open) {
            sealed.add(new Sealed(inbox, inbox.digest()));
        }
        open.clear();
    }

    /**
     * Throws if the contents of one of the remembered buffers have changed since {@link #seal}; else forgets these
     * buffers.
     */
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
