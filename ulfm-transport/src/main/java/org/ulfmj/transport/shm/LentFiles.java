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
 * The files behind memory that programs lend: our program's, which last as long as it holds their memory, and those of
 * others that we have mapped to read, or to write where they let us. Under the lock of {@link ShmFiles}.
 */
final class LentFiles {
    /** A file of ours, until nothing refers to its mapping: views of the memory do. */
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

    /** What the program gets of a new file of ours. */
    ByteBuffer add(String name, MappedByteBuffer mapping) {
        own.put(name, new Own(directory.resolve(name).toFile(), mapping, unused));
        return mapping.slice(ShmSegment.HEADER_BYTES, mapping.capacity() - ShmSegment.HEADER_BYTES)
                .order(ByteOrder.nativeOrder());
    }

    /** A file whose memory is not reachable any more, for the caller to unlink; null if there is none. */
    Own takeUnused() {
        Own gone = (Own) unused.poll();
        if (gone != null) {
            own.remove(gone.file.getName());
        }
        return gone;
    }

    /** The mapping of lent memory; null if it was not borrowed before. */
    ByteBuffer borrowed(long id, boolean isToWrite) {
        Borrowed known = (isToWrite ? toWrite : borrowed).get(id);
        return known == null ? null : known.memory;
    }

    /** One more. */
    ByteBuffer addBorrowed(long id, boolean isToWrite, String name, MappedByteBuffer mapping) {
        forgetNameless();
        ByteBuffer memory = mapping.slice(ShmSegment.HEADER_BYTES, mapping.capacity() - ShmSegment.HEADER_BYTES);
        (isToWrite ? toWrite : borrowed)
                .put(id, new Borrowed(directory.resolve(name).toFile(), mapping, memory));
        return memory;
    }

    /**
     * What has lost its name is of use to no process any more, and as long as we have it mapped its memory is not free.
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

    /** Names of ours go, mappings stay whole. */
    void close() {
        for (Own each : own.values()) {
            each.file.delete();
        }
        own.clear();
        borrowed.clear();
        toWrite.clear();
    }
}
