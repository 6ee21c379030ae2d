package org.ulfmj.runtime.lent;

import java.lang.ref.ReferenceQueue;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.Payload;

/**
 * The buffers of the program that other ranks of the host can read where they lie. A long message in one of them may be
 * copied once, from where it lies, instead of into a lane and out of it.
 *
 * <p>Buffers are known by identity, the very objects that {@link #lend} made or that were {@linkplain #addView added}
 * as views or {@linkplain #addSlice slices} of them; messages in other buffers go through a lane. Nothing here keeps a
 * buffer from being collected. Thread-safe.
 */
public final class Lending {
    /** An entry of the table. */
    private static final class Known extends LentBuffer {
        final int hash;
        Known next;

        Known(Object buffer, long id, int offset, ReferenceQueue<Object> gone) {
            super(buffer, id, offset, gone);
            this.hash = System.identityHashCode(buffer);
        }
    }

    private final ProcessId self;
    private final HostMemory memory;
    private final Int2ObjectHashMap<Known> byHash = new Int2ObjectHashMap<>();
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
    private final RecentSlices slices = new RecentSlices();
    private volatile boolean isUsed;

    /** @param memory null where ranks share none */
    public Lending(ProcessId self, HostMemory memory) {
        this.self = self;
        this.memory = memory;
    }

    /** Whether the given rank can read the memory that this rank lends. */
    public boolean reaches(ProcessId rank) {
        return memory.reaches(rank);
    }

    /**
     * Takes back the memory of a send that ends early: the program may write to that memory from now on. Under the
     * engine lock.
     *
     * @param number the number of the send
     */
    public void takeBack(long number) {
        memory.takeBack(number);
    }

    public long takenBack(long number) {
        return memory.takenBack(self, number);
    }

    /** Makes a buffer of zeros in lent memory; returns null if no memory can be lent. */
    public ByteBuffer lend(int lengthBytes) {
        Lent lent = memory == null ? null : memory.lend(lengthBytes);
        if (lent == null) {
            return null;
        }
        add(lent.memory(), lent.id(), 0);
        return lent.memory();
    }

    /**
     * Makes a view known, an object with the bytes of a known buffer, under the id of that buffer. The view begins
     * where the buffer does.
     */
    public synchronized void addView(Object buffer, Object view) {
        Known known = find(buffer);
        LentBuffer noted = known == null ? slices.find(buffer) : null;
        if (known != null) {
            add(view, known.id(), known.offset());
        } else if (noted != null) {
            slices.add(view, noted.id(), noted.offset());
        }
    }

    /**
     * Notes a slice that begins {@code offset} bytes behind the beginning of its buffer, if that buffer is lent or is a
     * noted slice itself.
     */
    public void addSlice(Object buffer, Object slice, int offset) {
        if (isUsed) {
            synchronized (this) {
                LentBuffer known = find(buffer);
                LentBuffer of = known == null ? slices.find(buffer) : known;
                if (of != null) {
                    slices.add(slice, of.id(), of.offset() + offset);
                }
            }
        }
    }

    /** Returns the id under which other ranks find the lent buffer that the message is in; 0 if it is in none. */
    public long idOf(Payload message) {
        LentBuffer lent = bufferOf(message);
        return lent == null ? 0 : lent.id();
    }

    /** Returns the lent buffer that a large message is in; null if it is in none. */
    public LentBuffer bufferOf(Payload message) {
        Object holder = isUsed ? message.holder() : null;
        if (holder == null) {
            return null;
        }
        synchronized (this) {
            Known known = find(holder);
            if (known != null || !(holder instanceof Buffer)) {
                return known;
            }
            RecentSlices.Note note = slices.find(holder);
            return note != null && note.use() ? add(holder, note.id(), note.offset()) : note;
        }
    }

    private Known find(Object buffer) {
        Known known = byHash.get(System.identityHashCode(buffer));
        while (known != null && !known.refersTo(buffer)) {
            known = known.next;
        }
        return known;
    }

    private synchronized Known add(Object buffer, long id, int offset) {
        forgetCollected();
        Known known = new Known(buffer, id, offset, gone);
        known.next = byHash.put(known.hash, known);
        isUsed = true;
        return known;
    }

    private void forgetCollected() {
        for (Known old = (Known) gone.poll(); old != null; old = (Known) gone.poll()) {
            Known first = byHash.get(old.hash);
            if (first == old) {
                if (old.next == null) {
                    byHash.remove(old.hash);
                } else {
                    byHash.put(old.hash, old.next);
                }
            } else {
                while (first.next != old) {
                    first = first.next;
                }
                first.next = old.next;
            }
        }
    }
}
