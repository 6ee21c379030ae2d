package org.ulfmj.runtime.store;

import java.util.ArrayList;
import java.util.List;

/** The waits of a rank for the store of the job, each of which has an end time. Under the engine lock. */
public final class TimedWaits {
    private final List<StoreWait> waits = new ArrayList<>();

    public void begin(StoreWait wait) {
        waits.add(wait);
    }

    public void end(StoreWait wait) {
        waits.remove(wait);
    }

    /** Returns the earliest of the end times of these waits; {@link Long#MAX_VALUE} if there is none. */
    public long soonestNs() {
        long soonestNs = Long.MAX_VALUE;
        for (int i = 0; i < waits.size(); i++) {
            long untilNs = waits.get(i).untilNs();
            if (soonestNs == Long.MAX_VALUE || untilNs - soonestNs < 0) {
                soonestNs = untilNs;
            }
        }
        return soonestNs;
    }
}
