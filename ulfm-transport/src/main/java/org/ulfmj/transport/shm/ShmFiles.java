package org.ulfmj.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.host.HostProcess;

/**
 * The shared files of one process in its job's {@link ShmDirectory}: those it made and those others made for it.
 *
 * <p>A file is reserved by writing it full before it is mapped. So a file system that is too small, a quota, or the
 * job's own bound is an answer of {@link #create}, and never a SIGBUS at the first touch of a page ({@link ShmRoom}).
 *
 * <p>Mappings belong to pairs of processes, however many communicators these share, and {@link #open} maps a file once:
 * Java gives a mapping back only when the garbage collector finds it. A file that both ends are done with is
 * {@linkplain #discard discarded}, and counts until the collector has found it ({@link GivenUp}); after a peer's
 * failure everything between it and us is ({@link #forget}).
 *
 * <p>Any thread. Nothing here waits for another process. An interrupt of the calling thread is kept and harms nothing.
 */
public final class ShmFiles implements AutoCloseable {
    private static final long MAGIC = 0x314d48534d464c55L; // "ULFMSHM1"
    private static final int WRITE_BYTES = 64 * 1024;
    private static final OpenOption[] OPEN = {
        StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS
    };
    private static final OpenOption[] OPEN_FOR_READING = {StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS};
    private static final Set<OpenOption> CREATE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);

    private final Path directory;
    private final ProcessId self;
    private final HostProcess owner;
    private final OwnerFile record;
    private final ShmRoom room;
    private final GivenUp givenUp;

    /** Made here, by name. */
    private final Map<String, ShmSegment> made = new TreeMap<>();
    /** Made by others, by name. */
    private final Map<String, ShmSegment> opened = new TreeMap<>();

    /** Lent memory, of this program and of others. */
    private final LentFiles lent;

    private volatile String refusal = "";
    private volatile boolean isClosed;

    /**
     * @param self who we are in the job
     * @param owner this process, as its peers know it
     * @param maxBytes that all processes of the job on this host may reserve together
     * @throws IOException if the directory cannot be used; the job then does without shared memory
     */
    public ShmFiles(ShmDirectory directory, ProcessId self, HostProcess owner, long maxBytes) throws IOException {
        this(directory, self, owner, maxBytes, System::gc);
    }

    /** @param collector has the garbage collector look for mappings that are not reachable any more */
    ShmFiles(ShmDirectory directory, ProcessId self, HostProcess owner, long maxBytes, Runnable collector)
            throws IOException {
        this.directory = directory.path();
        this.self = self;
        this.owner = owner;
        this.record = OwnerFile.create(this.directory, recordName(self), owner);
        this.room = new ShmRoom(this.directory, record, maxBytes);
        this.givenUp = new GivenUp(room, System::nanoTime, collector);
        this.lent = new LentFiles(this.directory, givenUp);
    }

    private static String recordName(ProcessId process) {
        return process.slot() + "." + process.incarnation();
    }

    /**
     * A file between us and {@code peer} with {@code lengthBytes} of zeros, all of them reserved, or null if there is
     * no room; {@link #refusal} says why then, and the garbage collector is asked to look for some soon.
     *
     * @param lengthBytes of the memory, 1 to {@link ShmSegment#MAX_BYTES}
     */
    public ShmSegment create(ProcessId peer, int lengthBytes) {
        requireLength(lengthBytes);
        return createOrCollectLater(newId(), peer, lengthBytes);
    }

    /** As {@link #create}, for all others to {@linkplain #openMailbox open}, by a number of ours that they know. */
    public ShmSegment createMailbox(long id, int lengthBytes) {
        requireLength(lengthBytes);
        return createOrCollectLater(id, self, lengthBytes);
    }

    private ShmSegment createOrCollectLater(long id, ProcessId peer, int lengthBytes) {
        ShmSegment segment = create(id, peer, lengthBytes, room.boundBytes());
        if (segment == null) {
            givenUp.collectLater();
        }
        return segment;
    }

    /**
     * As {@link #create}, for all others to {@linkplain #openMailbox open}, by the id it has; a quarter of the bound,
     * and of the file system, is left for lanes. Where there is no room the garbage collector looks for some first, and
     * a program that gives memory up faster than that finds it is slowed down: not under the engine lock.
     */
    public ShmSegment createForAll(int lengthBytes) {
        requireLength(lengthBytes);
        givenUp.slowDown();
        ShmSegment segment = createBesideLanes(lengthBytes);
        return segment == null && givenUp.collect() ? createBesideLanes(lengthBytes) : segment;
    }

    private ShmSegment createBesideLanes(int lengthBytes) {
        if (!room.leavesRoom(ShmSegment.HEADER_BYTES + lengthBytes)) {
            return refuse(directory + " has no room for " + lengthBytes + " bytes beside lanes");
        }
        long bound = room.boundBytes();
        return create(newId(), self, lengthBytes, bound - bound / 4);
    }

    /** Has the garbage collector look soon for what was given up: others lack room. */
    void collectLater() {
        givenUp.collectLater();
    }

    /**
     * Memory for the program, which others {@link #borrow}; null if there is no room, or no file may be so large. Its
     * file goes once the memory is not reachable any more. There is no room for it where more than half of the bound
     * would be in use, or less than a quarter of the file system would be left: the rest is for lanes, without which
     * messages go by TCP for good. Writing a large file takes long; no process waits for that but the caller.
     *
     * @param lengthBytes at least 1
     */
    public Lent lend(int lengthBytes) {
        if (lengthBytes > ShmSegment.MAX_BYTES) {
            return null;
        }
        requireLength(lengthBytes);
        int fileBytes = ShmSegment.HEADER_BYTES + lengthBytes;
        if (!reserveToLend(fileBytes) && !(givenUp.collect() && reserveToLend(fileBytes))) {
            return null;
        }
        long id = newId();
        String name = ShmName.ofMailbox(self, id);
        MappedByteBuffer mapping = null;
        try {
            mapping = makeMapping(name, fileBytes);
        } catch (IOException full) {
            // Then there is none; what had been written is gone.
        }
        ByteBuffer memory = keepLent(name, fileBytes, mapping);
        return memory == null ? null : new Lent(id, memory);
    }

    private boolean reserveToLend(int fileBytes) {
        for (LentFiles.Own unused = takeUnused(); unused != null; unused = takeUnused()) {
            unused.file.delete();
            room.giveBack(unused.bytes);
        }
        try {
            return !isClosed && room.leavesRoom(fileBytes) && room.reserve(fileBytes, room.boundBytes() / 2);
        } catch (IOException unwritable) {
            return false;
        }
    }

    private synchronized LentFiles.Own takeUnused() {
        return lent.takeUnused();
    }

    /** Null if there is no mapping, or we were closed while the file was written. */
    private synchronized ByteBuffer keepLent(String name, int fileBytes, MappedByteBuffer mapping) {
        if (mapping != null && !isClosed) {
            return lent.add(name, mapping);
        }
        directory.resolve(name).toFile().delete();
        room.giveBack(fileBytes);
        return null;
    }

    /**
     * What another lent under this id, to be read only; mapped once, and kept as long as it has its name.
     *
     * @throws IOException if there is no such file, or it is not the one it claims to be
     */
    ByteBuffer borrow(ProcessId maker, HostProcess owner, long id) throws IOException {
        return borrow(maker, owner, id, false);
    }

    /** As {@link #borrow}, to be written to as its maker allows; its own mapping. */
    ByteBuffer borrowToWrite(ProcessId maker, HostProcess owner, long id) throws IOException {
        return borrow(maker, owner, id, true);
    }

    private synchronized ByteBuffer borrow(ProcessId maker, HostProcess owner, long id, boolean toWrite)
            throws IOException {
        ByteBuffer known = lent.borrowed(id, toWrite);
        if (known != null) {
            return known;
        }
        String name = ShmName.ofMailbox(maker, id);
        File file = directory.resolve(name).toFile();
        MappedByteBuffer mapping = map(file, 0, toWrite);
        check(file, mapping.duplicate().order(ByteOrder.LITTLE_ENDIAN), maker, owner);
        return lent.addBorrowed(id, toWrite, name, mapping);
    }

    private static void requireLength(int lengthBytes) {
        if (lengthBytes < 1 || lengthBytes > ShmSegment.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a shared file of " + lengthBytes + " bytes; allowed are 1 to " + ShmSegment.MAX_BYTES);
        }
    }

    private static long newId() {
        long id;
        do {
            id = RandomBytes.nextLong();
        } while (id == 0);
        return id;
    }

    /** Writes the file without the monitor: any process that has the engine lock does not wait for a large one. */
    private ShmSegment create(long id, ProcessId peer, int lengthBytes, long mostBytes) {
        if (isClosed) {
            return refuse("shared memory is closed");
        }
        int fileBytes = ShmSegment.HEADER_BYTES + lengthBytes;
        try {
            if (!room.reserve(fileBytes, mostBytes)) {
                return refuse(room.refusal(fileBytes));
            }
        } catch (IOException unwritable) {
            return refuse("cannot write to " + directory + ": " + unwritable.getMessage());
        }
        ShmSegment segment;
        try {
            segment = make(id, peer, fileBytes);
        } catch (IOException full) {
            room.giveBack(fileBytes);
            return refuse(directory + " has no room for " + fileBytes + " bytes: " + full.getMessage());
        }
        return keep(segment, fileBytes);
    }

    private synchronized ShmSegment keep(ShmSegment segment, int fileBytes) {
        if (isClosed) {
            segment.unlink();
            room.giveBack(fileBytes);
            return refuse("shared memory is closed");
        }
        made.put(segment.name(), segment);
        return segment;
    }

    /** Why {@link #create} last said no. */
    public String refusal() {
        return refusal;
    }

    /**
     * The file of this id that {@code from} made for us; mapped once, however often it is asked for.
     *
     * @param maker the process that {@code from} is known to be
     * @throws IOException if there is no such file, or it is not the one it claims to be
     */
    public ShmSegment open(ProcessId from, HostProcess maker, long id) throws IOException {
        return open(ShmName.of(from, self, id), id, from, maker);
    }

    /** As {@link #open}, for what {@code owner} shows to all. */
    public ShmSegment openMailbox(ProcessId owner, HostProcess maker, long id) throws IOException {
        return open(ShmName.ofMailbox(owner, id), id, owner, maker);
    }

    /**
     * Whether a file that could not be opened may be opened later: descriptors, mappings or memory were short, and
     * nothing is wrong with the file.
     */
    static boolean mayPass(IOException failure) {
        return !(failure instanceof NoSuchFileException || failure instanceof WrongFileException);
    }

    private synchronized ShmSegment open(String name, long id, ProcessId from, HostProcess maker) throws IOException {
        ShmSegment known = opened.get(name);
        if (known != null) {
            return known;
        }
        File file = directory.resolve(name).toFile();
        MappedByteBuffer mapping = map(file, 0);
        check(file, mapping.duplicate().order(ByteOrder.LITTLE_ENDIAN), from, maker);
        ShmSegment segment = new ShmSegment(id, file, from, from, mapping);
        opened.put(name, segment);
        return segment;
    }

    /**
     * We are done with a file, made here or opened, for good: its name goes; its memory when no process has it mapped.
     */
    public void discard(ShmSegment segment) {
        segment.unlink();
        giveUp(segment);
    }

    /**
     * We are done with a file that another made for all; its name is its maker's, or another process's who has yet to
     * open it.
     */
    void drop(ShmSegment segment) {
        giveUp(segment);
    }

    private void giveUp(ShmSegment segment) {
        boolean isOurs;
        boolean isKnown;
        synchronized (this) {
            isOurs = made.remove(segment.name(), segment);
            isKnown = isOurs || opened.remove(segment.name(), segment);
        }
        if (isKnown) {
            givenUp.add(segment.mapping(), isOurs);
        }
    }

    /**
     * Nothing between the peer, which is dead, and us is used any more; names that it left for us, and for all, are
     * taken away too, and its record, which every process would read again and again.
     */
    public void forget(ProcessId peer) {
        for (ShmSegment segment : all()) {
            if (segment.peer().equals(peer)) {
                discard(segment);
            }
        }
        String[] names = directory.toFile().list();
        if (names != null) {
            String itsToUs = ShmName.prefix(peer, self);
            String itsToAll = ShmName.prefixOfMailbox(peer);
            for (String name : names) {
                if (name.startsWith(itsToUs) || name.startsWith(itsToAll)) {
                    new File(directory.toFile(), name).delete();
                }
            }
        }
        synchronized (this) {
            lent.forgetNameless();
        }
        room.forget(recordName(peer));
    }

    private synchronized List<ShmSegment> all() {
        List<ShmSegment> all = new ArrayList<>(made.values());
        all.addAll(opened.values());
        return all;
    }

    /** Bytes of files that this process made; those that it gave up count until its mapping of them is gone. */
    public long reservedBytes() {
        return room.reservedBytes();
    }

    /** Bytes of files that this process gave up, its own and others', and still has mapped. */
    public long heldBytes() {
        return givenUp.heldBytes();
    }

    /** Takes the names of all our files and our record away; mappings stay whole. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        for (ShmSegment segment : made.values()) {
            segment.unlink();
        }
        made.clear();
        opened.clear();
        lent.close();
        try {
            record.close();
        } catch (IOException stays) {
            // Then the launcher removes it with the directory.
            refusal = stays.getMessage();
        }
    }

    private ShmSegment refuse(String why) {
        refusal = why;
        return null;
    }

    private ShmSegment make(long id, ProcessId peer, int fileBytes) throws IOException {
        String name = peer.equals(self) ? ShmName.ofMailbox(self, id) : ShmName.of(self, peer, id);
        return new ShmSegment(id, directory.resolve(name).toFile(), self, peer, makeMapping(name, fileBytes));
    }

    private MappedByteBuffer makeMapping(String name, int fileBytes) throws IOException {
        MappedByteBuffer mapping = map(directory.resolve(name).toFile(), fileBytes);
        ByteBuffer header = mapping.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(MAGIC).putLong(fileBytes);
        header.putLong(owner.pid()).putLong(owner.startTicks());
        header.putInt(self.slot()).putInt(self.incarnation());
        return mapping;
    }

    /** Maps a new file, or the one there is where {@code newBytes} is 0; does it again if an interrupt came between. */
    private static MappedByteBuffer map(File file, int newBytes) throws IOException {
        return map(file, newBytes, true);
    }

    private static MappedByteBuffer map(File file, int newBytes, boolean forWriting) throws IOException {
        // A channel's work is cut off by an interrupt, which is the program's to see, not ours to lose.
        boolean isInterrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return newBytes > 0 ? mapNew(file, newBytes) : mapExisting(file, forWriting);
                } catch (ClosedByInterruptException e) {
                    isInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What cannot be written full is not left behind. */
    private static MappedByteBuffer mapNew(File file, int fileBytes) throws IOException {
        boolean isWhole = false;
        try (FileChannel channel = FileChannel.open(file.toPath(), CREATE, ShmDirectory.FILE_MODE)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(fileBytes, WRITE_BYTES));
            for (int left = fileBytes; left > 0; ) {
                zeros.clear().limit(Math.min(left, zeros.capacity()));
                left -= channel.write(zeros);
            }
            MappedByteBuffer mapping = channel.map(MapMode.READ_WRITE, 0, fileBytes);
            isWhole = true;
            return mapping;
        } finally {
            if (!isWhole) {
                Files.deleteIfExists(file.toPath());
            }
        }
    }

    private static MappedByteBuffer mapExisting(File file, boolean forWriting) throws IOException {
        try (FileChannel channel = FileChannel.open(file.toPath(), forWriting ? OPEN : OPEN_FOR_READING)) {
            long size = channel.size();
            if (size <= ShmSegment.HEADER_BYTES || size > ShmSegment.HEADER_BYTES + ShmSegment.MAX_BYTES) {
                throw new WrongFileException(file + " has " + size + " bytes, which no shared file has");
            }
            return channel.map(forWriting ? MapMode.READ_WRITE : MapMode.READ_ONLY, 0, size);
        }
    }

    private static void check(File file, ByteBuffer header, ProcessId from, HostProcess maker) throws IOException {
        boolean isFile = header.getLong() == MAGIC && header.getLong() == header.capacity();
        boolean isOwners = header.getLong() == maker.pid() && header.getLong() == maker.startTicks();
        boolean isRanks = header.getInt() == from.slot() && header.getInt() == from.incarnation();
        if (!isFile || !isOwners || !isRanks) {
            throw new WrongFileException(file + " is not what rank " + from + " made");
        }
    }
}
