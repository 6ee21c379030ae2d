package org.ulfmj.rendezvous.embed;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.ulfmj.rendezvous.store.StoreChange;
import org.ulfmj.rendezvous.store.StoreCursor;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;

/**
 * The changes of all keys with a prefix, in the order in which they are made; from {@link SharedStore#watch}. A slow
 * watcher may be told only the latest change of a key and not the earlier ones, and {@link WatchEvent.Kind#RESET} if it
 * may have missed a deletion. A watcher needs no closing: nothing is kept for it between two calls. One thread at a
 * time.
 */
public final class StoreWatcher {
    private final StoreLine line;
    private final String scope;
    private final String prefix;
    private final Deque<WatchEvent> events = new ArrayDeque<>();
    private StoreCursor cursor = StoreCursor.START;

    StoreWatcher(StoreLine line, String scope, String prefix) {
        this.line = line;
        this.scope = scope;
        this.prefix = prefix;
    }

    /**
     * Waits for the next change, no longer than a time. Returns null if none was heard of in that time; the watch goes
     * on.
     */
    public WatchEvent next(Duration time) {
        long untilNs = System.nanoTime() + Math.min(SharedStore.nanos(time), Long.MAX_VALUE / 4);
        while (events.isEmpty()) {
            long leftNs = Math.max(1, untilNs - System.nanoTime());
            try {
                take((StoreResult.Changed) line.ask(new StoreRequest.Changes(scope + prefix, cursor), leftNs));
            } catch (RendezvousFailure.Timeout none) {
                return null;
            }
        }
        return events.remove();
    }

    private void take(StoreResult.Changed changed) {
        cursor = changed.next();
        if (changed.isReset()) {
            events.add(new WatchEvent(WatchEvent.Kind.RESET, prefix, 0, null));
        }
        for (StoreChange change : changed.changes()) {
            WatchEvent.Kind kind = change.isDeletion() ? WatchEvent.Kind.DELETED : WatchEvent.Kind.SET;
            String key = change.key().substring(scope.length());
            events.add(new WatchEvent(kind, key, change.version(), change.value()));
        }
    }
}
