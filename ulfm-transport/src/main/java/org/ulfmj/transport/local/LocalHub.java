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
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.Segment;

/** The fabrics, segments and lent memory of a world whose ranks are threads. Any thread. */
public final class LocalHub {
    /**
     * Is told by each rank when it sends the first frame to a process that it has admitted to a slot which the first
     * world did not have.
     */
    public interface Greeted {
        /**
         * A rank has admitted a process under this name, and is about to send it the first message. Called under the
         * lock of the rank's engine, so the implementation must return at once.
         */
        void greeted(ProcessId by, MemberRecord process);
    }

    private final LocalFabric[] fabrics;
    /**
     * Is told by each rank when it sends the first frame to a process that it has admitted to a new slot; null in a
     * world that does not grow.
     */
    private final Greeted greeted;
    /** Fabrics of later processes, which took over the slot of an earlier one, or have a new slot. */
    private final Map<ProcessId, LocalFabric> later = new ConcurrentHashMap<>();

    /** The segments of all ranks that can still be opened, by id. */
    private final Map<Long, Segment> segments = new ConcurrentHashMap<>();

    /**
     * The lent memory of all ranks, by id. The weak references do not keep it: it lasts as long as a rank uses its
     * buffer.
     */
    private final Map<Long, WeakReference<ByteBuffer>> lent = new ConcurrentHashMap<>();

    private final AtomicLong takenBack = new AtomicLong();
    private final AtomicLong lastId = new AtomicLong();

    /** @param ranks size of the world, at least 1 */
    public LocalHub(int ranks) {
        this(ranks, null);
    }

    /** A hub for a world that may grow: processes may have slots that the first world did not have. */
    public LocalHub(int ranks, Greeted greeted) {
        this.greeted = greeted;
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

    /** Lent memory by its id; null if there is none of this id, or its buffer is not reachable any more. */
    ByteBuffer lentMemory(long id) {
        WeakReference<ByteBuffer> memory = lent.get(id);
        return memory == null ? null : memory.get();
    }

    /** How often lent memory was taken back: one count for all ranks and all numbers. */
    AtomicLong takenBack() {
        return takenBack;
    }

    /** Removes the segments of a dead rank, so that no other rank opens one any more. */
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
     * The fabric of a process; that of a later process is made at the first call. The fabric of a later process of a
     * slot knows the first processes of all other slots of the first world. The others know the later process only
     * after {@link LocalFabric#admit}, or if they take strangers.
     *
     * @throws IllegalArgumentException if the world does not grow and has no such slot
     */
    public LocalFabric fabric(ProcessId process) {
        boolean isOfFirstWorld = isOfFirstWorld(process);
        if (!isOfFirstWorld && greeted == null) {
            throw new IllegalArgumentException("slot " + process.slot() + " must be below " + fabrics.length);
        }
        if (isOfFirstWorld && process.incarnation() == 0) {
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

    /** Whether the slot of the process is one of the first world. */
    boolean isOfFirstWorld(ProcessId process) {
        return process.slot() < fabrics.length;
    }

    void greet(ProcessId by, MemberRecord process) {
        greeted.greeted(by, process);
    }

    /** {@link #kill(ProcessId)} of the first process of a slot. */
    public void kill(int slot) {
        fabrics[slot].kill();
    }

    /**
     * Ends a rank as a SIGKILL would. The records that the rank had committed can still be drained. Frames that it
     * offers from now on are dropped, and no frame is handed over to it any more. No other rank is told of the death:
     * the caller has to do that.
     */
    public void kill(ProcessId process) {
        fabric(process).kill();
    }
}
