package org.ulfmj.rendezvous.store;

import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * How far a watcher has come: it knows the state of its keys except for the changes after version {@code last}.
 *
 * @param last the version up to which the watcher was told everything; 0 if it was told nothing yet
 * @param since the version of the store when the watcher began to be told the state: earlier deletions do not concern
 *     the watcher
 */
public record StoreCursor(long last, long since) {
    /** The cursor of a watcher that knows nothing. */
    public static final StoreCursor START = new StoreCursor(0, 0);

    void writeTo(WireWriter out) {
        out.putLong(last).putLong(since);
    }

    static StoreCursor readFrom(WireReader in) {
        return new StoreCursor(in.getLong(), in.getLong());
    }
}
