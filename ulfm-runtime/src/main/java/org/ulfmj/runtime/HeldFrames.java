package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.Queue;
import org.agrona.collections.Long2ObjectHashMap;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.transport.Frame;

/**
 * Messages and offers for communicators that do not exist here yet: creating one needs no negotiation, so a quick
 * member may use it before a slow one has made it. They are kept in order of arrival and dispatched when the
 * communicator is made. Their payload is bounded by each sender's eager credit. Under the engine lock.
 */
final class HeldFrames {
    /** A copy of a frame. */
    record Held(Peer from, Frame frame) {}

    private final Long2ObjectHashMap<ArrayDeque<Held>> byCommunicator = new Long2ObjectHashMap<>();
    private int count;

    int size() {
        return count;
    }

    void hold(Peer from, Frame frame) {
        ByteBuffer bytes = ByteBuffer.allocate(frame.payloadBytes()).order(ByteOrder.LITTLE_ENDIAN);
        Frame copy = new Frame()
                .copyHeaderOf(frame)
                .receive(bytes.put(frame.received()).flip());
        ArrayDeque<Held> held = byCommunicator.get(frame.communicator());
        if (held == null) {
            held = new ArrayDeque<>(); // without a lambda: a newcomer may begin with this
            byCommunicator.put(frame.communicator(), held);
        }
        held.add(new Held(from, copy));
        count++;
    }

    /** What was held for a communicator, in order of arrival. */
    Queue<Held> take(long communicator) {
        ArrayDeque<Held> held = byCommunicator.remove(communicator);
        if (held == null) {
            return new ArrayDeque<>(0);
        }
        count -= held.size();
        return held;
    }

    /**
     * The process is gone: no collective operation with it ends well. The program's own messages stay, and so do its
     * offers, which lead nowhere but keep later messages from taking their place.
     */
    void dropFrom(Peer gone) {
        Iterator<ArrayDeque<Held>> queues = new ArrayList<>(byCommunicator.values()).iterator();
        while (queues.hasNext()) {
            ArrayDeque<Held> held = queues.next();
            int before = held.size();
            held.removeIf(early -> early.from() == gone && early.frame().stream() != MessageKey.POINT_TO_POINT);
            count -= before - held.size();
        }
    }
}
