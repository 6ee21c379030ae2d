package org.ulfmj.runtime;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;

/**
 * All communicators of this rank, by id. An id that was freed or given up stays known as such: what comes for it late
 * is dropped, where a frame for an id never seen is held. Under the engine lock.
 */
final class CommunicatorTable {
    private final Long2ObjectHashMap<CommunicatorState> byId = new Long2ObjectHashMap<>();
    private final LongHashSet gone = new LongHashSet();
    /** In order of creation, so that failures reach them in the same order everywhere. */
    private final List<CommunicatorState> inOrder = new ArrayList<>();

    private CommunicatorState latest;

    /** The communicator, or null if it does not exist here. */
    CommunicatorState get(long id) {
        CommunicatorState known = latest;
        if (known != null && known.id == id) {
            return known;
        }
        known = byId.get(id);
        if (known != null) {
            latest = known;
        }
        return known;
    }

    boolean isGone(long id) {
        return gone.contains(id);
    }

    void add(CommunicatorState communicator) {
        if (byId.containsKey(communicator.id) || gone.contains(communicator.id)) {
            throw new IllegalStateException(
                    communicator + " has the id of another communicator, " + Long.toHexString(communicator.id));
        }
        byId.put(communicator.id, communicator);
        inOrder.add(communicator);
    }

    void remove(CommunicatorState communicator) {
        byId.remove(communicator.id);
        inOrder.remove(communicator);
        gone.add(communicator.id);
        latest = null;
    }

    /** The survivor core knows from now on that it is gone. */
    void forget(long id) {
        gone.remove(id);
    }

    /** All communicators in order of creation; the list is not to be kept. */
    List<CommunicatorState> all() {
        return inOrder;
    }
}
