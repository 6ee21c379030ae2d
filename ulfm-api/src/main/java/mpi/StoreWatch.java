package mpi;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.ulfmj.rendezvous.store.StoreChange;
import org.ulfmj.rendezvous.store.StoreCursor;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.store.StoreFault;

/**
 * The changes of all keys with a prefix, in the order in which they are made; from {@link Store#watch}. First come the
 * keys that the store has when the first {@link #next} asks it, as {@link StoreEvent.Kind#SET}.
 *
 * <p>Changes are kept for a watch that is slow: the last 1,024 of the store that were superseded or are deletions, at
 * most 4 MiB. A watch that is later than that is told the latest change of a key and not the ones before, and after a
 * deletion that is not kept {@link StoreEvent.Kind#RESET}.
 *
 * <p>One thread at a time, but any thread may close the watch: a wait for the next change ends.
 */
public final class StoreWatch implements AutoCloseable {
    private final Store store;
    private final String prefix;
    private final Deque<StoreEvent> events = new ArrayDeque<>();
    private StoreCursor cursor = StoreCursor.START;
    private StoreRequest request;
    private volatile StoreReply reply;
    private volatile boolean isClosed;

    StoreWatch(Store store, String prefix) {
        this.store = store;
        this.prefix = prefix;
    }

    /**
     * Waits for the next change, for a time. Returns null if there was none within it; the watch goes on all the same.
     *
     * @throws StoreException if the launcher is lost
     * @throws IllegalStateException if the watch is closed
     */
    public StoreEvent next(long time, TimeUnit unit) {
        store.enter("Store.watch");
        try {
            return nextUntil(store.job().untilNs(unit.toNanos(time)));
        } catch (StoreFault fault) {
            if (fault.kind() == StoreFault.Kind.TIMEOUT) {
                return null;
            }
            throw store.thrown("watch", prefix, fault);
        } catch (CallError over) {
            throw Exceptions.thrown(over);
        }
    }

    private StoreEvent nextUntil(long untilNs) {
        requireOpen();
        while (events.isEmpty()) {
            if (reply == null) {
                request = new StoreRequest.Changes(prefix, cursor);
                reply = store.job().begin(request, untilNs);
                if (isClosed) {
                    store.job().withdraw(reply); // closed before there was anything to withdraw
                }
            }
            if (!store.job().await(request, reply, untilNs)) {
                return null;
            }
            StoreReply come = reply;
            reply = null;
            take(store.job().result(come));
            requireOpen();
        }
        return events.remove();
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("the watch of '" + prefix + "' is closed");
        }
    }

    private void take(StoreResult result) {
        if (result instanceof StoreResult.Changed changed) {
            cursor = changed.next();
            if (changed.isReset()) {
                events.add(new StoreEvent(StoreEvent.Kind.RESET, prefix, 0, null));
            }
            for (StoreChange change : changed.changes()) {
                StoreEvent.Kind kind = change.isDeletion() ? StoreEvent.Kind.DELETED : StoreEvent.Kind.SET;
                events.add(new StoreEvent(kind, change.key(), change.version(), change.value()));
            }
        }
    }

    /** Ends the watch. Returns at once; may be called more than once, also after {@link MPI#Finalize}. */
    @Override
    public void close() {
        boolean wasOpen = !isClosed;
        isClosed = true;
        StoreReply waiting = reply;
        if (wasOpen && waiting != null) {
            store.job().withdraw(waiting);
        }
    }
}
