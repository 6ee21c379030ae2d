package org.ulfmj.runtime.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.LaneKind;

/**
 * The lanes of a rank to itself: its messages to itself are frames like those of any other rank, so that a send to
 * oneself needs no separate rules.
 */
public final class Loopback {
    private static final int DATA_FRAMES = 16;

    private static final class Entry {
        final Frame frame = new Frame();
        LaneKind lane;
        ByteBuffer memory = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);

        void fill(LaneKind newLane, Frame source) {
            lane = newLane;
            if (memory.capacity() < source.payloadBytes()) {
                memory = ByteBuffer.allocate(source.payloadBytes()).order(ByteOrder.LITTLE_ENDIAN);
            }
            memory.clear().limit(source.payloadBytes());
            source.copyPayloadTo(memory);
            frame.copyHeaderOf(source).receive(memory.flip());
        }
    }

    private final ProcessId self;
    private final ArrayDeque<Entry> control = new ArrayDeque<>();
    private final ArrayDeque<Entry> data = new ArrayDeque<>();
    private final ArrayDeque<Entry> idle = new ArrayDeque<>();

    public Loopback(ProcessId self) {
        this.self = self;
    }

    /** As {@link org.ulfmj.transport.Fabric#offer}. */
    public boolean offer(LaneKind lane, Frame frame) {
        if (lane == LaneKind.DATA && data.size() >= DATA_FRAMES) {
            return false;
        }
        Entry entry = idle.isEmpty() ? new Entry() : idle.pollLast();
        entry.fill(lane, frame);
        (lane == LaneKind.CONTROL ? control : data).addLast(entry);
        return true;
    }

    public boolean isEmpty() {
        return control.isEmpty() && data.isEmpty();
    }

    /** Hands over as many frames, at most, as were there at the start of the call. Returns how many it handed over. */
    public int poll(FrameSink sink) {
        int count = control.size() + data.size();
        for (int i = 0; i < count; i++) {
            Entry entry = control.isEmpty() ? data.pollFirst() : control.pollFirst();
            if (entry == null) {
                return i;
            }
            sink.onFrame(self, entry.lane, entry.frame);
            idle.addLast(entry);
        }
        return count;
    }
}
