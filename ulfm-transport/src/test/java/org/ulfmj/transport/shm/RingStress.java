package org.ulfmj.transport.shm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * What a sender and a receiver of one ring may see of each other. The tool jcstress tries it a great many times.
 * {@link RingStressTest} runs it.
 */
public class RingStress {
    static final int BODY_BYTES = 40;

    /**
     * More pieces than are ever in use at one time. They are used again, because direct memory for each of millions of
     * rings would take too long.
     */
    private static final int PIECES = 32 * 1024;

    private static final int PIECE_BYTES = 768;
    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(PIECES * PIECE_BYTES);
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final byte[][] BODIES = new byte[Byte.MAX_VALUE + 1][BODY_BYTES];

    static {
        for (int value = 0; value < BODIES.length; value++) {
            Arrays.fill(BODIES[value], (byte) value);
        }
    }

    private static ByteBuffer newMemory(int recordBytes) {
        int piece = (NEXT.getAndIncrement() & Integer.MAX_VALUE) % PIECES;
        ByteBuffer memory = MEMORY.slice(piece * PIECE_BYTES, LaneLayout.RECORDS_AT + recordBytes);
        while (memory.hasRemaining()) {
            memory.putLong(0);
        }
        return memory.clear().order(ByteOrder.nativeOrder());
    }

    private static byte[] bodyOf(int value) {
        return BODIES[value];
    }

    /**
     * The value that every byte of the next record has; 0 if there is no record, −1 if its bytes differ, −2 if the
     * reader finds a fault.
     */
    private static int read(RingReader reader) {
        if (!reader.next()) {
            return reader.fault() == null ? 0 : -2;
        }
        ByteBuffer body = reader.body();
        int value = body.get(body.position());
        while (body.hasRemaining()) {
            if (body.get() != value) {
                return -1;
            }
        }
        return value;
    }

    /** A reader sees a record as a whole or not at all, and sees records in order. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Neither is there yet.")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The first came between two looks.")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The second is not there yet.")
    @Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "Both are there.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Part of a record, or another one.")
    @State
    public static class Publication {
        private final ByteBuffer memory = newMemory(256);
        private final RingWriter writer = new RingWriter(memory);
        private final RingReader reader = new RingReader(memory.duplicate().order(ByteOrder.nativeOrder()));

        @Actor
        public void send() {
            writer.write(bodyOf(1));
            writer.write(bodyOf(2));
        }

        @Actor
        public void receive(II_Result result) {
            result.r1 = read(reader);
            if (result.r1 > 0) {
                reader.release();
            }
            result.r2 = read(reader);
        }
    }

    /** A reader sees nothing of records that lay in the memory before. */
    @JCStressTest
    @Outcome(id = "0, 5", expect = Expect.ACCEPTABLE, desc = "It is not there yet.")
    @Outcome(id = "5, 0", expect = Expect.ACCEPTABLE, desc = "It is there.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Part of it, or what lay there before.")
    @State
    public static class UsedMemory {
        private final ByteBuffer memory = newMemory(4 * LaneLayout.recordBytes(BODY_BYTES));
        private final RingWriter writer = new RingWriter(memory);
        private final RingReader reader = new RingReader(memory.duplicate().order(ByteOrder.nativeOrder()));

        public UsedMemory() {
            for (int round = 0; round < 6; round++) {
                writer.write(bodyOf(0x77));
                reader.next();
                reader.release();
            }
        }

        @Actor
        public void send() {
            writer.write(bodyOf(5));
        }

        @Actor
        public void receive(II_Result result) {
            result.r1 = read(reader);
        }

        @Arbiter
        public void receiveAtLast(II_Result result) {
            result.r2 = result.r1 == 0 ? read(reader) : 0;
        }
    }

    /** A sender that has no room does not write over the record that is being read. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "There was no room yet.")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "It took the room that was given back.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The record changed while it was read.")
    @State
    public static class Room {
        private final ByteBuffer memory = newMemory(2 * LaneLayout.recordBytes(BODY_BYTES));
        private final RingWriter writer = new RingWriter(memory);
        private final RingReader reader = new RingReader(memory.duplicate().order(ByteOrder.nativeOrder()));

        public Room() {
            writer.write(bodyOf(1));
            while (writer.write(bodyOf(1))) {
                // until it is full
            }
        }

        @Actor
        public void receive(II_Result result) {
            result.r1 = read(reader);
            reader.release();
        }

        @Actor
        public void send(II_Result result) {
            result.r2 = writer.write(bodyOf(9)) ? 1 : 0;
        }
    }
}
