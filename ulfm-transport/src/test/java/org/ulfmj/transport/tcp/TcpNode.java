package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.Node;
import org.ulfmj.transport.auth.JobSecret;

/** A rank over TCP. */
public final class TcpNode implements Node {
    private final TcpFabric fabric;
    private final int slot;

    /** @param directory where rank 0, which comes first, leaves the secret */
    public TcpNode(Path directory, int slot) throws IOException {
        Timing timing = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60));
        this.slot = slot;
        this.fabric = new TcpFabric(
                TcpWorld.identity(slot),
                secret(directory, slot),
                timing,
                TcpWorld.OPTIONS_HASH,
                "127.0.0.1",
                System::nanoTime);
    }

    /** Rank 0 draws it. */
    public static JobSecret secret(Path directory, int slot) throws IOException {
        Path file = directory.resolve("secret");
        if (slot == 0) {
            JobSecret.random().write(file);
        }
        return JobSecret.read(file);
    }

    @Override
    public MemberRecord record() {
        return TcpWorld.record(slot, fabric.port(), "");
    }

    @Override
    public void connect(List<MemberRecord> table) {
        fabric.connect(table);
    }

    @Override
    public Fabric fabric() {
        return fabric;
    }

    @Override
    public void close() {
        fabric.close();
    }
}
