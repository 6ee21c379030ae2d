package org.ulfmj.runtime.transfer;

import java.util.ArrayList;
import java.util.List;

/**
 * The peers to which this rank has something left to send; {@link Outbound#flush} goes through them. Under the engine
 * lock.
 */
final class Backlog {
    private final List<Peer> peers = new ArrayList<>();

    boolean isEmpty() {
        return peers.isEmpty();
    }

    int size() {
        return peers.size();
    }

    Peer get(int index) {
        return peers.get(index);
    }

    void add(Peer peer) {
        if (!peer.isBusy) {
            peer.isBusy = true;
            peers.add(peer);
        }
    }

    /** Removes the peer at an index, for which nothing is left to send. The peers behind it in the list move up. */
    void remove(int index) {
        peers.remove(index).isBusy = false;
    }
}
