package org.ulfmj.runtime.lent;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.Payload;

/**
 * The buffers of the program that other ranks of the host can read where they lie. A message in one of them is copied
 * once, by the receiver, instead of into a lane and out of it.
 *
 * <p>Buffers are known by identity, the very objects that {@link #lend} made or that were {@linkplain #addView added}
 * as views or {@linkplain #addSlice slices} of them; messages in other buffers go through a lane. Nothing here keeps a
 * buffer from being collected. Thread-safe.
 */
public final class Lending {
    /** An entry for one lent buffer object, or for a view of one: the id of its memory, and where it begins there. */
    private static final class Known extends WeakReference<Object> {
        final int hash;
        final long id;
        final int offset;
        Known next;

        Known(Object buffer, long id, int offset, ReferenceQueue<Object> gone) {
            super(buffer, gone);
            this.hash = System.identityHashCode(buffer);
            this.id = id;
            this.offset = offset;
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

    /** Whether another rank can read the memory that this rank lends. */
    public boolean reaches(ProcessId rank) {
        return memory.reaches(rank);
    }

    /**
     * Takes back the memory of the send of this number, which ends before its time: the program may write to that
     * memory from now on. Under the engine lock.
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

    /** Makes a view known under the id of its buffer. The view begins where the buffer does. */
    public synchronized void addView(Object buffer, Object view) {
        Known known = find(buffer);
        if (known != null) {
            add(view, known.id, known.offset);
        }
    }

    /** Makes a slice known that begins so many bytes behind its buffer, if that is known itself. */
    public void addSlice(Object buffer, Object slice, int offset) {
        if (isUsed) {
            synchronized (this) {
                Known known = find(buffer);
                if (known != null) {
                    slices.add(slice, known.id, known.offset + offset);
                }
            }
        }
    }

    /** Returns the id under which other ranks find the buffer that the message is in; 0 if they cannot. */
    public long idOf(Payload message) {
        Object holder = isUsed ? message.holder() : null;
        if (holder == null) {
            return 0;
        }
        synchronized (this) {
            Known known = find(holder);
            return known == null ? 0 : known.id;
        }
    }

    /** Where in lent memory the message begins, in bytes. Its buffer must be known. */
    public int offsetOf(Payload message) {
        synchronized (this) {
            return find(message.holder()).offset + message.holderOffset();
        }
    }

    private Known find(Object buffer) {
        Known known = byHash.get(System.identityHashCode(buffer));
        while (known != null && known.get() != buffer) {
            known = known.next;
        }
        if (known == null && buffer instanceof Buffer) {
            int slice = slices.find(buffer);
            return slice < 0 ? null : add(buffer, slices.id(slice), slices.offset(slice));
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
