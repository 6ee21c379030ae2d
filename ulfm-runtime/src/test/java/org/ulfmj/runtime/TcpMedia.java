package org.ulfmj.runtime;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.tcp.TcpFabric;

/** Media for ranks of one process that talk over TCP on the loopback interface. */
final class TcpMedia implements LocalRanks.Media {
    private final List<TcpFabric> fabrics = new ArrayList<>();

    TcpMedia(int size) throws IOException {
        JobSecret secret = JobSecret.random();
        List<MemberRecord> table = new ArrayList<>();
        for (int slot = 0; slot < size; slot++) {
            LinkIdentity self = new LinkIdentity(ProcessId.of(slot), 1000 + slot);
            TcpFabric fabric = new TcpFabric(
                    self, secret, Timing.fromTimeout(TimeUnit.SECONDS.toNanos(30)), 0, "127.0.0.1", System::nanoTime);
            fabrics.add(fabric);
            table.add(
                    new MemberRecord(self.id(), self.nonce(), 0, "127.0.0.1", fabric.port(), "", HostProcess.UNKNOWN));
        }
        fabrics.forEach(fabric -> fabric.connect(table));
    }

    @Override
    public Fabric fabric(int slot) {
        return fabrics.get(slot);
    }

    @Override
    public void kill(int slot) {
        fabrics.get(slot).close();
    }
}
