package org.ulfmj.runtime.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.Queue;
import org.agrona.collections.Long2ObjectHashMap;
import org.ulfmj.transport.Frame;

/**
 * Messages and offers for communicators that do not exist here yet: creating a communicator needs no negotiation, so a
 * quick member may use it before a slow member has made it. The frames are kept in order of arrival and dispatched when
 * the communicator is made. Their payload is bounded by each sender's eager credit. Under the engine lock.
 *
 * @param <P> what the engine keeps of a sender
 */
public final class HeldFrames<P> {
    /** A copy of a frame. */
    public record Held<P>(P from, Frame frame) {}

    private final Long2ObjectHashMap<ArrayDeque<Held<P>>> byCommunicator = new Long2ObjectHashMap<>();
    private int count;

    public int size() {
        return count;
    }

    public void hold(P from, Frame frame) {
        ByteBuffer bytes = ByteBuffer.allocate(frame.payloadBytes()).order(ByteOrder.LITTLE_ENDIAN);
        Frame copy = new Frame()
                .copyHeaderOf(frame)
                .receive(bytes.put(frame.received()).flip());
        ArrayDeque<Held<P>> held = byCommunicator.get(frame.communicator());
        if (held == null) {
            held = new ArrayDeque<>(); // no lambda: the first one is slow, and a newcomer may begin with this call
            byCommunicator.put(frame.communicator(), held);
        }
        held.add(new Held<>(from, copy));
        count++;
    }

    /** Takes out the frames that were held for a communicator, in order of arrival. */
    public Queue<Held<P>> take(long communicator) {
        ArrayDeque<Held<P>> held = byCommunicator.remove(communicator);
        if (held == null) {
            return new ArrayDeque<>(0);
        }
        count -= held.size();
        return held;
    }

    /**
     * Drops the held frames of a process that is gone, but for those of the program's own messages: no collective
     * operation with that process ends well. Offers of the program's messages stay too: their messages never come, but
     * they keep later messages from taking their place.
     */
    public void dropFrom(P gone) {
        Iterator<ArrayDeque<Held<P>>> queues = new ArrayList<>(byCommunicator.values()).iterator();
        while (queues.hasNext()) {
            ArrayDeque<Held<P>> held = queues.next();
            int before = held.size();
            held.removeIf(early -> early.from() == gone && early.frame().stream() != MessageKey.POINT_TO_POINT);
            count -= before - held.size();
        }
    }
}
