package org.ulfmj.check.rendezvous.store;

import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.rendezvous.store.StoreChange;
import org.ulfmj.rendezvous.store.StoreCursor;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;

/**
 * A watch of a process: follows the changes of the keys with a prefix, and keeps what the process's program would know
 * of these keys.
 */
final class Follower {
    private final Caller caller;
    private final String prefix;
    private final SortedMap<String, String> known = new TreeMap<>();
    private StoreCursor cursor = StoreCursor.START;
    private Asked asked;

    Follower(Caller caller, String prefix) {
        this.caller = caller;
        this.prefix = prefix;
    }

    Caller caller() {
        return caller;
    }

    SortedMap<String, String> known() {
        return known;
    }

    /** Takes over the changes that have come, and asks for the next ones. */
    void goOn() {
        if (asked != null && asked.reply().isDone()) {
            if (asked.reply().result() instanceof StoreResult.Changed changed) {
                take(changed);
            }
            asked = null;
        }
        if (asked == null) {
            asked = caller.ask(new StoreRequest.Changes(prefix, cursor));
        }
    }

    private void take(StoreResult.Changed changed) {
        cursor = changed.next();
        if (changed.isReset()) {
            known.clear();
        }
        for (StoreChange change : changed.changes()) {
            if (change.isDeletion()) {
                known.remove(change.key());
            } else {
                known.put(change.key(), new String(change.value(), StandardCharsets.UTF_8));
            }
        }
    }

    /** Whether the watch waits for changes, and has taken over all that came. */
    boolean isUpToDate() {
        return asked != null && !asked.reply().isDone();
    }

    boolean follows(Asked one) {
        return one == asked;
    }
}
