package org.ulfmj.transport.local;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.Segment;

/** The fabrics of a world whose ranks are threads. Any thread may call it. */
public final class LocalHub {
    private final LocalFabric[] fabrics;
    /** Fabrics of processes that took a slot over. */
    private final Map<ProcessId, LocalFabric> later = new ConcurrentHashMap<>();

    /** Shown to all, by id. */
    private final Map<Long, Segment> segments = new ConcurrentHashMap<>();

    /** Lent to all, by id; no process keeps it but who uses it. */
    private final Map<Long, WeakReference<ByteBuffer>> lent = new ConcurrentHashMap<>();

    private final AtomicLong takenBack = new AtomicLong();
    private final AtomicLong lastId = new AtomicLong();

    /** @param ranks size of the world, at least 1 */
    public LocalHub(int ranks) {
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks (" + ranks + ") must be at least 1");
        }
        fabrics = new LocalFabric[ranks];
        for (int slot = 0; slot < ranks; slot++) {
            fabrics[slot] = new LocalFabric(this, ProcessId.of(slot), ranks);
        }
    }

    public int size() {
        return fabrics.length;
    }

    long newId() {
        return lastId.incrementAndGet();
    }

    Lent lend(int lengthBytes) {
        lent.values().removeIf(old -> old.get() == null);
        Lent made = new Lent(newId(), ByteBuffer.allocateDirect(lengthBytes).order(ByteOrder.nativeOrder()));
        lent.put(made.id(), new WeakReference<>(made.memory()));
        return made;
    }

    /** Null if its owner does not hold it any more. */
    ByteBuffer lentMemory(long id) {
        WeakReference<ByteBuffer> memory = lent.get(id);
        return memory == null ? null : memory.get();
    }

    /** One count for all. */
    AtomicLong takenBack() {
        return takenBack;
    }

    /** It is dead: no process begins to read them any more. */
    void forgetSegmentsOf(ProcessId maker) {
        for (Iterator<Segment> all = segments.values().iterator(); all.hasNext(); ) {
            if (all.next().maker().equals(maker)) {
                all.remove();
            }
        }
    }

    Map<Long, Segment> segments() {
        return segments;
    }

    /** The fabric of the first process of a slot. */
    public LocalFabric fabric(int slot) {
        return fabrics[slot];
    }

    /**
     * That of a process; made when it is first asked for. A later process of a slot knows the first ones of all others
     * and is known to no process: {@link LocalFabric#admit}.
     */
    public LocalFabric fabric(ProcessId process) {
        if (process.slot() >= fabrics.length) {
            throw new IllegalArgumentException("slot " + process.slot() + " must be below " + fabrics.length);
        }
        if (process.incarnation() == 0) {
            return fabrics[process.slot()];
        }
        LocalFabric fabric = later.get(process);
        if (fabric == null) {
            LocalFabric made = new LocalFabric(this, process, fabrics.length);
            LocalFabric before = later.putIfAbsent(process, made);
            fabric = before == null ? made : before;
        }
        return fabric;
    }

    /** {@link #kill(ProcessId)} of the first process of a slot. */
    public void kill(int slot) {
        fabrics[slot].kill();
    }

    /**
     * Ends a rank as a SIGKILL would: what it had committed can still be drained, and what it offers from now on
     * vanishes, and it is handed nothing more. No process is told: evidence is the caller's to give.
     */
    public void kill(ProcessId process) {
        fabric(process).kill();
    }
}
