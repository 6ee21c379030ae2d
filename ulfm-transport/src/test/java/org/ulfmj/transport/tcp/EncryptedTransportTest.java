package org.ulfmj.transport.tcp;

import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.TransportContract;
import org.ulfmj.transport.record.Protection;

/** As {@link TcpTransportTest}, with encrypted records. */
class EncryptedTransportTest extends TransportContract {
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60));

    @Override
    protected World newWorld(int ranks) {
        return new TcpWorld(ranks, TIMING, System::nanoTime, Protection.AEAD);
    }
}
