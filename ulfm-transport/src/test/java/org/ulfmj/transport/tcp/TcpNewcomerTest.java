package org.ulfmj.transport.tcp;

import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.NewcomerContract;

class TcpNewcomerTest extends NewcomerContract {
    /** A long time-out, so that a busy machine does not make a link look broken. */
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60));

    @Override
    protected World newWorld(int ranks) {
        return new TcpWorld(ranks, TIMING);
    }
}
