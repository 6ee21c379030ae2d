package org.ulfmj.transport.tcp;

import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.NewcomerContract;

class TcpNewcomerTest extends NewcomerContract {
    /** Generous: a busy machine must not look like a broken link. */
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60));

    @Override
    protected World newWorld(int ranks) {
        return new TcpWorld(ranks, TIMING);
    }
}
