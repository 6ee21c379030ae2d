package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.MediumTest;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.record.Protection;
import org.ulfmj.transport.session.LinkIdentity;

/** Ranks over TCP, all in this process, driven by the caller that polls them. */
final class TcpWorld implements MediumTest.World {
    static final long OPTIONS_HASH = 0x0b0e;

    final JobSecret secret = JobSecret.random();
    final TcpFabric[] fabrics;
    final List<MemberRecord> table = new ArrayList<>();
    private final Timing timing;
    private final LongSupplier clock;
    private final Protection protection;

    TcpWorld(int ranks, Timing timing) {
        this(ranks, timing, System::nanoTime);
    }

    TcpWorld(int ranks, Timing timing, LongSupplier clock) {
        this(ranks, timing, clock, Protection.AUTO);
    }

    TcpWorld(int ranks, Timing timing, LongSupplier clock, Protection protection) {
        this.timing = timing;
        this.clock = clock;
        this.protection = protection;
        fabrics = new TcpFabric[ranks];
        try {
            for (int slot = 0; slot < ranks; slot++) {
                fabrics[slot] = new TcpFabric(identity(slot), secret, timing, OPTIONS_HASH, "127.0.0.1", clock);
                fabrics[slot].protect(protection);
                table.add(record(slot, fabrics[slot].port(), ""));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (TcpFabric fabric : fabrics) {
            fabric.connect(table);
        }
    }

    /** Whether there is a connection from a rank to a peer at present. */
    static boolean isConnected(TcpFabric fabric, ProcessId peer) {
        TcpLink link = fabric.linkTo(peer);
        return link != null && link.session().adopted() != null;
    }

    static LinkIdentity identity(int slot) {
        return new LinkIdentity(ProcessId.of(slot), 1000 + slot);
    }

    static MemberRecord record(int slot, int port, String socketPath) {
        return new MemberRecord(ProcessId.of(slot), 1000 + slot, 0, "127.0.0.1", port, socketPath, HostProcess.UNKNOWN);
    }

    @Override
    public TcpFabric fabric(int slot) {
        return fabrics[slot];
    }

    @Override
    public void kill(int slot) {
        fabrics[slot].close();
    }

    @Override
    public MemberRecord record(int slot) {
        return table.get(slot);
    }

    @Override
    public void succeed(int slot) {
        ProcessId next = new ProcessId(slot, table.get(slot).id().incarnation() + 1);
        LinkIdentity identity = new LinkIdentity(next, 1000 + slot + 100 * next.incarnation());
        try {
            fabrics[slot] = new TcpFabric(identity, secret, timing, OPTIONS_HASH, "127.0.0.1", clock);
            fabrics[slot].protect(protection);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        table.set(
                slot,
                new MemberRecord(
                        next, identity.nonce(), 0, "127.0.0.1", fabrics[slot].port(), "", HostProcess.UNKNOWN));
        fabrics[slot].connect(table);
    }

    @Override
    public void close() {
        for (TcpFabric fabric : fabrics) {
            fabric.close();
        }
    }
}
