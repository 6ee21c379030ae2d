package org.ulfmj.transport.shm;

import java.io.File;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The files of lent memory: the files of this program, which are kept at least as long as the program can reach their
 * memory, but only until {@link #close}; and the files of other programs that this process has mapped, to read them or,
 * where their makers allow it, to write them. Under the monitor of {@link ShmFiles}.
 */
final class LentFiles {
    /**
     * A file of this program, kept until nothing refers to its mapping any more, or until {@link LentFiles#close}.
     * Every view of the memory refers to the mapping.
     */
    static final class Own extends PhantomReference<MappedByteBuffer> {
        final File file;
        final int bytes;

        Own(File file, MappedByteBuffer mapping, ReferenceQueue<MappedByteBuffer> unused) {
            super(mapping, unused);
            this.file = file;
            this.bytes = mapping.capacity();
        }
    }

    private record Borrowed(File file, MappedByteBuffer mapping, ByteBuffer memory) {}

    private final Path directory;
    private final GivenUp givenUp;
    private final ReferenceQueue<MappedByteBuffer> unused = new ReferenceQueue<>();
    private final Map<String, Own> own = new HashMap<>();
    private final Map<Long, Borrowed> borrowed = new HashMap<>();
    private final Map<Long, Borrowed> toWrite = new HashMap<>();

    LentFiles(Path directory, GivenUp givenUp) {
        this.directory = directory;
        this.givenUp = givenUp;
    }

    /** Adds a new file of this program. Returns the memory that the program gets: the file without its header. */
    ByteBuffer add(String name, MappedByteBuffer mapping) {
        own.put(name, new Own(directory.resolve(name).toFile(), mapping, unused));
        return mapping.slice(ShmSegment.HEADER_BYTES, mapping.capacity() - ShmSegment.HEADER_BYTES)
                .order(ByteOrder.nativeOrder());
    }

    /**
     * Removes and returns a file of this program whose memory is not reachable any more; the caller unlinks the file.
     * Null if there is none.
     */
    Own takeUnused() {
        Own gone = (Own) unused.poll();
        if (gone != null) {
            own.remove(gone.file.getName());
        }
        return gone;
    }

    /** The memory of another program's file that this process has mapped for this use; null if it is not mapped so. */
    ByteBuffer borrowed(long id, boolean isToWrite) {
        Borrowed known = (isToWrite ? toWrite : borrowed).get(id);
        return known == null ? null : known.memory;
    }

    /** Adds another program's file that this process has mapped. Returns its memory, without the file's header. */
    ByteBuffer addBorrowed(long id, boolean isToWrite, String name, MappedByteBuffer mapping) {
        forgetNameless();
        ByteBuffer memory = mapping.slice(ShmSegment.HEADER_BYTES, mapping.capacity() - ShmSegment.HEADER_BYTES);
        (isToWrite ? toWrite : borrowed)
                .put(id, new Borrowed(directory.resolve(name).toFile(), mapping, memory));
        return memory;
    }

    /**
     * Gives up mapped files of other programs that have lost their name. The memory of such a file is not free while
     * this process has it mapped.
     */
    void forgetNameless() {
        forgetNameless(borrowed);
        forgetNameless(toWrite);
    }

    private void forgetNameless(Map<Long, Borrowed> some) {
        Iterator<Borrowed> all = some.values().iterator();
        while (all.hasNext()) {
            Borrowed each = all.next();
            if (!each.file.exists()) {
                all.remove();
                givenUp.add(each.mapping, false);
            }
        }
    }

    /** Unlinks the files of this program, and forgets all files. All mappings stay usable. */
    void close() {
        for (Own each : own.values()) {
            each.file.delete();
        }
        own.clear();
        borrowed.clear();
        toWrite.clear();
    }
}
