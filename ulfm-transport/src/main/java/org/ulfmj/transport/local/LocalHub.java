package org.ulfmj.transport.local;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.ulfmj.transport.Segment;

/** The fabrics of a world whose ranks are threads. Any thread may call it. */
public final class LocalHub {
    private final LocalFabric[] fabrics;
    /** Shown to all, by id. */
    private final Map<Long, Segment> segments = new ConcurrentHashMap<>();

    private final AtomicLong lastId = new AtomicLong();

    /** @param ranks size of the world, at least 1 */
    public LocalHub(int ranks) {
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks (" + ranks + ") must be at least 1");
        }
        fabrics = new LocalFabric[ranks];
        for (int slot = 0; slot < ranks; slot++) {
            fabrics[slot] = new LocalFabric(this, slot, ranks);
        }
    }

    public int size() {
        return fabrics.length;
    }

    long newId() {
        return lastId.incrementAndGet();
    }

    Map<Long, Segment> segments() {
        return segments;
    }

    public LocalFabric fabric(int slot) {
        return fabrics[slot];
    }

    /**
     * Ends a rank as a SIGKILL would: what it had committed can still be drained, whatever it offers from now on
     * vanishes, and it is handed nothing more. Nobody is told: evidence is the caller's to give.
     */
    public void kill(int slot) {
        fabrics[slot].kill();
    }
}
