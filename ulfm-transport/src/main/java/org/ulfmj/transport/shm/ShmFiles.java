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
 * The shared files of one process in the {@link ShmDirectory} of its job: the files that it made, and those of other
 * processes that it has mapped.
 *
 * <p>A file is reserved by filling it with zeros before it is mapped. So if the file system is too small, or a quota or
 * the job's own bound is reached ({@link ShmRoom}), {@link #create} returns null, and no access to a page ever ends in
 * a SIGBUS.
 *
 * <p>{@link #open} maps a file once only, because Java unmaps a file only when the garbage collector finds its buffer.
 * A file that neither end uses any more is {@linkplain #discard discarded}; it counts as reserved until the collector
 * has found its mapping ({@link GivenUp}). {@link #forget} discards all files between a dead peer and this process.
 *
 * <p>Any thread. No method waits for another process. An interrupt of the calling thread is kept and harms nothing.
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

    /** The files that this process made, by file name; files of lent memory are in {@link #lent}. */
    private final Map<String, ShmSegment> made = new TreeMap<>();
    /**
     * The files that other processes made and this process has mapped, by file name; lent memory is in {@link #lent}.
     */
    private final Map<String, ShmSegment> opened = new TreeMap<>();

    /** The files of lent memory: those that this process lends, and those of other processes that it has mapped. */
    private final LentFiles lent;

    private volatile String refusal = "";
    private volatile boolean isClosed;

    /**
     * @param self the id of this process in the job
     * @param owner pid and start time of this process, by which its peers recognize its files
     * @param maxBytes how many bytes all processes of the job on this host may reserve together
     * @throws IOException if the directory cannot be used
     */
    public ShmFiles(ShmDirectory directory, ProcessId self, HostProcess owner, long maxBytes) throws IOException {
        this(directory, self, owner, maxBytes, System::gc);
    }

    /** @param collector runs the garbage collector, which unmaps files whose mappings are not reachable any more */
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
     * Makes a file between this process and {@code peer} with {@code lengthBytes} bytes of zeros, all of them reserved.
     * Returns null if there is no room or the file cannot be made: then {@link #refusal} says why, and a garbage
     * collection is asked for.
     *
     * @param lengthBytes of the memory, 1 to {@link ShmSegment#MAX_BYTES}
     */
    public ShmSegment create(ProcessId peer, int lengthBytes) {
        requireLength(lengthBytes);
        return createOrCollectLater(newId(), peer, lengthBytes);
    }

    /**
     * Makes a file as {@link #create} does, but for all other processes: they {@linkplain #openMailbox open} it by
     * {@code id}, which they know already.
     */
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
     * Makes a file as {@link #create} does, but for all other processes, which {@linkplain #openMailbox open} it by its
     * id, and without room asks for no later collection. A quarter of the bound, and of the file system, is left for
     * lanes. Before it looks for room, the method waits, about a second at most, if this process has given up far more
     * memory than was collected yet: that slows down a program that gives up memory faster than it is collected. If
     * there is then no room, the method runs a garbage collection and tries once more, unless a collection was too
     * recent or is under way. As both take long, the method must not be called under the engine lock.
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

    /**
     * Asks for a garbage collection soon, so that memory that was given up becomes free, because another rank lacks
     * room.
     */
    void collectLater() {
        givenUp.collectLater();
    }

    /**
     * Makes lent memory for the program, which others {@link #borrow}. Returns null if there is no room, if the length
     * is too large for a file, if the file cannot be made, or if this object is closed. Once the memory is not
     * reachable any more, a later call unlinks the file. There is no room if more than half of the bound would be in
     * use, or less than a quarter of the file system would be left: the rest is kept for lanes, without which messages
     * go by TCP. Writing a large file takes long; only the calling thread waits for it.
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
            // The file could not be written to its end, or not mapped, and was deleted. The method returns null.
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

    /**
     * Keeps a file of lent memory, and returns the memory. Null if there is no mapping, or if this object was closed
     * while the file was written: then the file is deleted.
     */
    private synchronized ByteBuffer keepLent(String name, int fileBytes, MappedByteBuffer mapping) {
        if (mapping != null && !isClosed) {
            return lent.add(name, mapping);
        }
        directory.resolve(name).toFile().delete();
        room.giveBack(fileBytes);
        return null;
    }

    /**
     * Returns the memory that {@code maker} lends under this id, as a read-only buffer. The file is mapped at the first
     * call, and its mapping is kept until the file is found to have no name any more, or this object is closed.
     *
     * @throws IOException if the file cannot be opened or mapped, or is not the one it claims to be
     */
    ByteBuffer borrow(ProcessId maker, HostProcess owner, long id) throws IOException {
        return borrow(maker, owner, id, false);
    }

    /**
     * As {@link #borrow}, but returns a separate mapping that is writable. The maker decides what the caller writes
     * there.
     */
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

    /**
     * Reserves room for a file and makes the file; returns null if either fails. Writes the file without holding the
     * monitor, so that a thread with the engine lock does not wait while another thread writes a large file.
     */
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

    /**
     * The reason for which this process last could not make a file other than lent memory, or not remove its owner
     * record; empty if there was none.
     */
    public String refusal() {
        return refusal;
    }

    /**
     * Opens the file with this id that {@code from} made for this process. The file is mapped at the first call only.
     *
     * @param maker pid and start time of {@code from}, which the header of the file must show
     * @throws IOException if the file cannot be opened or mapped, or is not the one it claims to be
     */
    public ShmSegment open(ProcessId from, HostProcess maker, long id) throws IOException {
        return open(ShmName.of(from, self, id), id, from, maker);
    }

    /** As {@link #open}, for a file that {@code owner} made for all other processes. */
    public ShmSegment openMailbox(ProcessId owner, HostProcess maker, long id) throws IOException {
        return open(ShmName.ofMailbox(owner, id), id, owner, maker);
    }

    /**
     * Whether this failure to open a shared file is taken for one that may pass. That is so unless the file does not
     * exist or is not the expected one.
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
     * Gives up for good a file that this process made or opened: unlinks the file, and forgets its mapping. The memory
     * of the file becomes free once no process has it mapped.
     */
    public void discard(ShmSegment segment) {
        segment.unlink();
        giveUp(segment);
    }

    /**
     * Gives up the mapping of a file that another process made for all. The file keeps its name, because others may
     * still have to open it, and its maker unlinks it.
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
     * Discards all files between a dead peer and this process. Also unlinks the files that the peer left for this
     * process and for all, and the peer's owner record, which every process would read again and again.
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

    /**
     * How many bytes this process has reserved for files that it made, lent memory included. A file that it gave up
     * counts until its mapping is gone.
     */
    public long reservedBytes() {
        return room.reservedBytes();
    }

    /** Bytes of files that this process gave up and still has mapped, made by this process or by others. */
    public long heldBytes() {
        return givenUp.heldBytes();
    }

    /** Unlinks all files that this process made, and its owner record. Mappings stay usable. */
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
            // The owner record could not be deleted. It stays, and the launcher removes it with the directory.
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

    /** Maps a new file, or an existing file if {@code newBytes} is 0. Tries again if an interrupt ended the attempt. */
    private static MappedByteBuffer map(File file, int newBytes) throws IOException {
        return map(file, newBytes, true);
    }

    private static MappedByteBuffer map(File file, int newBytes, boolean forWriting) throws IOException {
        // An interrupt ends the work of a channel. The interrupt is meant for the program, so it is set again at the
        // end.
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

    /**
     * Makes, fills and maps a new file. A file that cannot be filled or mapped is deleted; one that was there before
     * stays.
     */
    private static MappedByteBuffer mapNew(File file, int fileBytes) throws IOException {
        FileChannel channel = FileChannel.open(file.toPath(), CREATE, ShmDirectory.FILE_MODE);
        boolean isWhole = false;
        try (channel) {
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
