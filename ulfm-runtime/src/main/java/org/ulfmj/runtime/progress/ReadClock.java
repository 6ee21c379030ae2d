package org.ulfmj.runtime.progress;

/** A clock that keeps the time of its last reading: reading the system's clock takes as long as an empty poll. */
public final class ReadClock implements Clock {
    private final Clock clock;
    /** May miss a reading of another thread that does not hold the engine lock. */
    private long latestNs;

    public ReadClock(Clock clock) {
        this.clock = clock;
        this.latestNs = clock.nowNs();
    }

    @Override
    public long nowNs() {
        long nowNs = clock.nowNs();
        latestNs = nowNs;
        return nowNs;
    }

    @Override
    public long latestNs() {
        return latestNs;
    }
}
