package org.ulfmj.runtime.message;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;

/**
 * All communicators of this rank, by id. The id of a communicator that was freed or given up stays known as gone:
 * frames that come late for it are dropped. Frames for an id never seen are held. Under the engine lock.
 *
 * @param <C> what the engine keeps of a communicator
 */
public final class CommunicatorTable<C> {
    private final Long2ObjectHashMap<C> byId = new Long2ObjectHashMap<>();
    private final LongHashSet gone = new LongHashSet();
    /** The communicators in the order of their creation at this rank. */
    private final List<C> inOrder = new ArrayList<>();

    private C latest;
    private long latestId;

    /** Returns the communicator with this id, or null if it does not exist here. */
    public C get(long id) {
        if (latest != null && latestId == id) {
            return latest;
        }
        C known = byId.get(id);
        if (known != null) {
            latest = known;
            latestId = id;
        }
        return known;
    }

    public boolean isGone(long id) {
        return gone.contains(id);
    }

    public void add(long id, C communicator) {
        if (byId.containsKey(id) || gone.contains(id)) {
            throw new IllegalStateException(
                    communicator + " has the id of another communicator, " + Long.toHexString(id));
        }
        byId.put(id, communicator);
        inOrder.add(communicator);
    }

    public void remove(long id, C communicator) {
        byId.remove(id);
        inOrder.remove(communicator);
        gone.add(id);
        latest = null;
    }

    /** Forgets the id of a communicator that is gone, because the survivor core remembers it from now on. */
    public void forget(long id) {
        gone.remove(id);
    }

    /** Returns all communicators in order of creation; the caller is not to keep the list. */
    public List<C> all() {
        return inOrder;
    }
}
