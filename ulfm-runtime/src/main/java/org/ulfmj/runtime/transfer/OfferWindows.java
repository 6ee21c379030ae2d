package org.ulfmj.runtime.transfer;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;
import org.ulfmj.runtime.message.MessageKey;

/**
 * The windows of announcements of one communicator, by source, and which of them are used up: the used-up ones are
 * looked at when a receive or probe finds no message. Under the engine lock.
 */
final class OfferWindows {
    private final Int2ObjectHashMap<OfferWindow> bySource = new Int2ObjectHashMap<>();
    private final List<OfferWindow> usedUp = new ArrayList<>();

    /** An announcement of this source arrived, before it is matched. */
    OfferWindow onHeard(Peer from, int source) {
        OfferWindow window = bySource.get(source);
        if (window == null) {
            window = new OfferWindow(from, source);
            bySource.put(source, window);
        }
        window.onHeard();
        if (window.isUsedUp() && !window.isListed) {
            window.isListed = true;
            usedUp.add(window);
        }
        return window;
    }

    /** The window of a source that has announced something. */
    OfferWindow of(int source) {
        return bySource.get(source);
    }

    /**
     * Takes out a used-up window of this source, or of any source, so that its sender can be allowed more. Null if
     * there is none.
     */
    OfferWindow takeUsedUp(int source) {
        for (int i = 0; i < usedUp.size(); i++) {
            OfferWindow window = usedUp.get(i);
            boolean isUsedUp = window.isUsedUp();
            if (!isUsedUp || source == MessageKey.ANY_SOURCE || source == window.source) {
                usedUp.remove(i--);
                window.isListed = false;
            }
            if (isUsedUp && !window.isListed) {
                return window;
            }
        }
        return null;
    }

    boolean hasUsedUp() {
        return !usedUp.isEmpty();
    }
}
