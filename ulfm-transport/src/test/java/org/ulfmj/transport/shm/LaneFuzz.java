package org.ulfmj.transport.shm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.sim.fuzz.FuzzTarget;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;

/**
 * Fuzzes the reading of a lane's memory, which a faulty peer may have filled with wrong lengths, kinds and positions of
 * records.
 */
final class LaneFuzz implements FuzzTarget {
    private static final int MEMORY_BYTES = 2048;
    /** More records than the memory can hold. */
    private static final int MOST_RECORDS = MEMORY_BYTES / LaneLayout.WORD_BYTES;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY_BYTES).order(ByteOrder.nativeOrder());
    private final Frame frame = new Frame();

    @Override
    public List<byte[]> samples() {
        memory.clear().put(new byte[MEMORY_BYTES]).clear();
        RingWriter writer = new RingWriter(memory);
        for (int number = 0; number < 5; number++) {
            Frame next = Frames.numbered(number, Frames.bytes(40 * number, number));
            if (number % 2 == 1) {
                Frames.setSequence(next, 0);
            }
            if (number == 4) {
                next = new Frame().writeControl(new BufferPayload(ByteBuffer.wrap(new byte[20])));
            }
            writer.write(next);
        }
        byte[] whole = new byte[MEMORY_BYTES];
        memory.clear().get(whole);
        return List.of(whole);
    }

    @Override
    public void parse(byte[] input) {
        memory.clear().put(new byte[MEMORY_BYTES]).clear();
        memory.put(input, 0, Math.min(input.length, MEMORY_BYTES)).clear();
        RingReader reader = new RingReader(memory);
        int records = 0;
        while (reader.next()) {
            if (records++ > MOST_RECORDS) {
                throw new IllegalStateException("more records than there is memory for");
            }
            switch (reader.kind()) {
                case LaneLayout.FRAME, LaneLayout.BRIEF, LaneLayout.BARE -> {
                    reader.read(frame);
                    frame.received().get(new byte[frame.payloadBytes()]);
                }
                default -> reader.body().get(new byte[reader.bodyBytes()]);
            }
            reader.release();
        }
        if (reader.fault() != null) {
            throw new WireFormatException(reader.fault());
        }
    }

    @Override
    public long capBytes(int lengthBytes) {
        return 16 * 1024;
    }
}
