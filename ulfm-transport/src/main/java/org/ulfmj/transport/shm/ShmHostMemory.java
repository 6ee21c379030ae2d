package org.ulfmj.transport.shm;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.Segment;
import org.ulfmj.transport.SleepWatch;
import org.ulfmj.transport.Writer;

/**
 * Segments and lent memory as shared files, each named by its maker and a random id. All methods are called under the
 * engine lock, except {@link #create}, {@link #lend} and {@link #watch()}.
 */
final class ShmHostMemory implements HostMemory {
    private static final int LARGEST_BYTES = 4 << 20;
    /**
     * How many bytes the segments of all ranks that read each other's may take together, unless a smallest segment per
     * rank takes more.
     */
    private static final int GROUP_BYTES = 32 << 20;

    private static final int SMALLEST_BYTES = 256 << 10;

    /** A shared file in use, and the {@link Segment} that the callers of this class have of it. */
    private record Use(Segment segment, ShmSegment file) {}

    /**
     * The {@link SleepWatch} until {@link #watch(SleepWatch)} sets one: it never lets a rank go on instead of sleeping.
     */
    private static final class NoWatch implements SleepWatch {
        @Override
        public void beginSleep() {}

        @Override
        public boolean mayGoOn() {
            return false;
        }

        @Override
        public void endSleep() {}
    }

    private final ProcessId self;
    private final ShmPeers peers;
    private final ShmFiles files;
    private final Bell bell;
    private final Mailbox mailbox;
    private final List<Use> uses = new ArrayList<>();
    private volatile SleepWatch watch = new NoWatch();

    ShmHostMemory(ProcessId self, ShmPeers peers, ShmFiles files, Bell bell, Mailbox mailbox) {
        this.self = self;
        this.peers = peers;
        this.files = files;
        this.bell = bell;
        this.mailbox = mailbox;
    }

    SleepWatch watch() {
        return watch;
    }

    @Override
    public void watch(SleepWatch newWatch) {
        watch = newWatch;
    }

    @Override
    public int segmentBytes(int ranks) {
        int share = Integer.highestOneBit(GROUP_BYTES / ranks);
        return Math.max(SMALLEST_BYTES, Math.min(LARGEST_BYTES, share));
    }

    @Override
    public boolean reaches(ProcessId rank) {
        return peers.reach(rank);
    }

    @Override
    public Segment create(int lengthBytes) {
        ShmSegment file = files.createForAll(lengthBytes);
        return file == null ? null : use(file);
    }

    @Override
    public Segment open(ProcessId maker, long id) {
        ShmPeer peer = peers.find(maker);
        if (peer == null || peer.isCutOff) {
            return null;
        }
        try {
            peer.openMailbox(files);
            return use(files.openMailbox(maker, peer.owner(), id));
        } catch (IOException notThere) {
            return null;
        }
    }

    private synchronized Segment use(ShmSegment file) {
        Segment segment = new Segment(file.maker(), file.id(), file.memory());
        uses.add(new Use(segment, file));
        return segment;
    }

    @Override
    public synchronized void unlink(Segment own) {
        for (Use use : uses) {
            if (use.segment == own) {
                use.file.unlink();
            }
        }
    }

    @Override
    public synchronized void discard(Segment segment) {
        for (int i = uses.size() - 1; i >= 0; i--) {
            if (uses.get(i).segment == segment) {
                ShmSegment file = uses.remove(i).file;
                if (segment.maker().equals(self)) {
                    files.discard(file);
                } else {
                    files.drop(file);
                }
            }
        }
    }

    @Override
    public void collectLater() {
        files.collectLater();
    }

    @Override
    public Lent lend(int lengthBytes) {
        return files.lend(lengthBytes);
    }

    @Override
    public ByteBuffer borrow(ProcessId maker, long id) {
        return borrow(maker, id, false);
    }

    @Override
    public ByteBuffer borrowToWrite(ProcessId maker, long id) {
        return borrow(maker, id, true);
    }

    @Override
    public Writer writer(ProcessId rank) {
        ShmPeer peer = peers.find(rank);
        return peer == null ? null : peer.writer();
    }

    private ByteBuffer borrow(ProcessId maker, long id, boolean toWrite) {
        ShmPeer peer = peers.find(maker);
        if (peer == null || peer.isCutOff) {
            return null;
        }
        try {
            peer.openMailbox(files);
            return toWrite ? files.borrowToWrite(maker, peer.owner(), id) : files.borrow(maker, peer.owner(), id);
        } catch (IOException notThere) {
            return null;
        }
    }

    @Override
    public void takeBack(long number) {
        mailbox.takeBack(number);
        VarHandle.fullFence();
    }

    @Override
    public long takenBack(ProcessId maker, long number) {
        if (maker.equals(self)) {
            return mailbox.takenBack(number);
        }
        ShmPeer peer = peers.find(maker);
        // A process that is no peer any more, or whose mailbox is not open: −1, which no mailbox counts, so that all
        // its lent memory counts as taken back.
        return peer != null && peer.hasMailbox() ? peer.takenBack(number) : -1;
    }

    @Override
    public void ring(ProcessId rank) {
        ShmPeer peer = peers.find(rank);
        if (peer != null && peer.hasMailbox() && !peer.isCutOff) {
            peer.ringIfAsleep(bell);
        }
    }
}
