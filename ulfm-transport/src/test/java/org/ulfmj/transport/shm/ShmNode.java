package org.ulfmj.transport.shm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.Node;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.process.ProcessFabric;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.tcp.TcpFabric;
import org.ulfmj.transport.tcp.TcpNode;

/** A rank over shared memory. */
public final class ShmNode implements Node {
    private static final long MAX_BYTES = 1 << 26;

    private final LinkIdentity self;
    private final ShmDirectory directory;
    private final TcpFabric tcp;
    private final ProcessFabric fabric;

    /** @param job a directory whose name is the job's; rank 0, which comes first, leaves the secret there */
    public ShmNode(Path job, int slot) throws IOException {
        Path path = ShmDirectory.pathFor(ShmWorld.base(), job.getFileName().toString());
        Timing timing = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60));
        self = new LinkIdentity(ProcessId.of(slot), RandomBytes.nextLong());
        directory = slot == 0 ? ShmDirectory.create(path) : ShmDirectory.open(path);
        tcp = new TcpFabric(self, TcpNode.secret(job, slot), timing, 1, "127.0.0.1", System::nanoTime);
        ShmFiles files = new ShmFiles(directory, self.id(), HostProcess.self(), MAX_BYTES);
        fabric = new ProcessFabric(self, 2, tcp, files, System::nanoTime, ShmNode::refuse);
    }

    private static void refuse(String why) {
        throw new IllegalStateException(why);
    }

    @Override
    public MemberRecord record() {
        HostProcess owner = HostProcess.self();
        return new MemberRecord(self.id(), self.nonce(), 0, "127.0.0.1", tcp.port(), "", owner);
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
        directory.remove();
    }
}
