package org.ulfmj.transport.tcp;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.record.Protection;

/** Two ranks over TCP for tests of other packages. */
public final class TcpFabrics implements AutoCloseable {
    private final TcpWorld world;

    public TcpFabrics() {
        this(Protection.AUTO, System::nanoTime);
    }

    public TcpFabrics(Protection protection, LongSupplier clock) {
        world = new TcpWorld(2, Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60)), clock, protection);
    }

    public TcpFabric zero() {
        return world.fabric(0);
    }

    public TcpFabric one() {
        return world.fabric(1);
    }

    @Override
    public void close() {
        world.close();
    }
}
