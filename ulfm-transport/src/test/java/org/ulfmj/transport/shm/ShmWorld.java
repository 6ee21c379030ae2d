package org.ulfmj.transport.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.MediumTest;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.process.ProcessFabric;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.tcp.TcpFabric;

/** Ranks over shared memory and TCP, all in this process, driven by the caller that polls them. */
public final class ShmWorld implements MediumTest.World {
    /** A long time-out, so that a busy machine does not make a link look broken. */
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60));

    private static final long OPTIONS_HASH = 0x0b0e;

    final ShmDirectory directory;
    final ShmFiles[] files;
    final ProcessFabric[] fabrics;
    final TcpFabric[] tcp;
    final List<MemberRecord> table = new ArrayList<>();
    /** What the ranks complained of. */
    final List<String> warnings = new ArrayList<>();

    private final JobSecret secret = JobSecret.random();
    private final long maxBytes;
    private final LongSupplier clock;
    /** Reserves what no rank shall have. */
    private ShmRoom blocker;

    private Consumer<String> complaints = warnings::add;

    public ShmWorld(int ranks) {
        this(ranks, 1L << 30);
    }

    /** @param maxBytes how many bytes the files of all ranks may have together */
    ShmWorld(int ranks, long maxBytes) {
        this(ranks, maxBytes, System::nanoTime);
    }

    /** @param clock the clock of shared memory and of TCP, in nanoseconds */
    ShmWorld(int ranks, long maxBytes, LongSupplier clock) {
        this.maxBytes = maxBytes;
        this.clock = clock;
        files = new ShmFiles[ranks];
        fabrics = new ProcessFabric[ranks];
        tcp = new TcpFabric[ranks];
        try {
            directory = ShmDirectory.create(ShmDirectory.pathFor(base(), Long.toHexString(RandomBytes.nextLong())));
            for (int slot = 0; slot < ranks; slot++) {
                table.add(start(ProcessId.of(slot)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (ProcessFabric fabric : fabrics) {
            fabric.connect(table);
        }
    }

    private MemberRecord start(ProcessId id) throws IOException {
        int slot = id.slot();
        LinkIdentity identity = new LinkIdentity(id, RandomBytes.nextLong());
        tcp[slot] = new TcpFabric(identity, secret, TIMING, OPTIONS_HASH, "127.0.0.1", clock);
        files[slot] = new ShmFiles(directory, id, HostProcess.self(), maxBytes);
        fabrics[slot] = new ProcessFabric(
                identity, fabrics.length, tcp[slot], files[slot], clock, why -> complaints.accept(why));
        return recordOf(identity, tcp[slot].port());
    }

    /** From now on a warning of a rank is thrown as an error, as where shared memory is required. */
    void refuseComplaints() {
        complaints = why -> {
            throw new IllegalStateException(why);
        };
    }

    /** Reserves all room, so that no further file can be made. */
    void fill() {
        try {
            if (blocker == null) {
                OwnerFile record = OwnerFile.create(directory.path(), "blocker", HostProcess.self());
                blocker = new ShmRoom(directory.path(), record, maxBytes);
            }
            blocker.reserve((int) maxBytes, Long.MAX_VALUE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** There is room again. */
    void makeRoom() {
        blocker.giveBack((int) maxBytes);
    }

    /** Makes the TCP fabric of a process that has no shared memory yet. */
    TcpFabric comeLate(LinkIdentity identity) throws IOException {
        return new TcpFabric(identity, secret, TIMING, OPTIONS_HASH, "127.0.0.1", clock);
    }

    /** Sets up shared memory for a process that had only its TCP fabric, and tells it of these processes. */
    ProcessFabric setUp(LinkIdentity identity, TcpFabric late, List<MemberRecord> known) throws IOException {
        ShmFiles own = new ShmFiles(directory, identity.id(), HostProcess.self(), maxBytes);
        ProcessFabric fabric = new ProcessFabric(identity, 8, late, own, clock, why -> complaints.accept(why));
        fabric.connect(known);
        return fabric;
    }

    @Override
    public MemberRecord record(int slot) {
        return table.get(slot);
    }

    @Override
    public void succeed(int slot) {
        try {
            table.set(slot, start(new ProcessId(slot, table.get(slot).id().incarnation() + 1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        fabrics[slot].connect(table);
    }

    /** The directory for shared files: one in memory, if there is such a place. */
    static Path base() {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
    }

    static MemberRecord recordOf(LinkIdentity identity, int port) {
        HostProcess owner = HostProcess.self();
        return new MemberRecord(
                identity.id(),
                identity.nonce(),
                0,
                "127.0.0.1",
                port,
                "",
                new HostProcess(owner.pid(), owner.startTicks(), owner.pidNamespace(), "boot"));
    }

    @Override
    public ProcessFabric fabric(int slot) {
        return fabrics[slot];
    }

    @Override
    public void kill(int slot) {
        fabrics[slot].close();
    }

    @Override
    public void close() {
        for (ProcessFabric fabric : fabrics) {
            fabric.close();
        }
        for (ShmFiles each : files) {
            each.close();
        }
        directory.remove();
    }
}
