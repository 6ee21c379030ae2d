package org.ulfmj.transport.shm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The simplest form of the publication that lanes rely on: records in shared memory, each a commit word and 192 bytes
 * of plain payload, which one process writes and another one checks.
 */
final class Litmus {
    static final int BYTES;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int SLOTS = 64;
    private static final int SLOT_BYTES = 256;
    private static final int PAYLOAD_WORDS = 24;
    private static final int CONSUMED_AT = SLOTS * SLOT_BYTES;
    private static final int STOP_AT = CONSUMED_AT + 128;

    static {
        BYTES = STOP_AT + 128;
    }

    private final ByteBuffer memory;
    private int waits;

    Litmus(ByteBuffer memory) {
        this.memory = memory;
    }

    /**
     * Writes records until there is no room for the next one and {@link #stop} was called.
     *
     * @param isBroken whether the commit word is written before the payload, which the reader must notice
     */
    void produce(boolean isBroken) {
        for (long number = 1; ; number++) {
            while (number - (long) LONG.getAcquire(memory, CONSUMED_AT) > SLOTS) {
                if (mustStop()) {
                    return;
                }
                waitALittle();
            }
            int slot = slotOf(number);
            if (isBroken) {
                LONG.setRelease(memory, slot, number);
            }
            for (int word = 0; word < PAYLOAD_WORDS; word++) {
                memory.putLong(slot + Long.BYTES * (word + 1), valueOf(number, word));
            }
            if (!isBroken) {
                LONG.setRelease(memory, slot, number);
            }
        }
    }

    /** Waits a moment for the other process: spins, and yields the core now and then, in case the two share one. */
    private void waitALittle() {
        if (++waits % 64 == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    private boolean mustStop() {
        return (long) LONG.getAcquire(memory, STOP_AT) != 0;
    }

    void stop() {
        LONG.setRelease(memory, STOP_AT, 1L);
    }

    /**
     * Waits for a record and takes it. Returns whether every word of its payload was there. Throws if the record has
     * not come by the time {@code giveUpNs}.
     */
    boolean consume(long number, long giveUpNs) {
        int slot = slotOf(number);
        while ((long) LONG.getAcquire(memory, slot) != number) {
            if (System.nanoTime() - giveUpNs > 0) {
                throw new IllegalStateException("record " + number + " never came");
            }
            waitALittle();
        }
        boolean isWhole = true;
        for (int word = 0; word < PAYLOAD_WORDS; word++) {
            isWhole &= memory.getLong(slot + Long.BYTES * (word + 1)) == valueOf(number, word);
        }
        LONG.setRelease(memory, CONSUMED_AT, number);
        return isWhole;
    }

    private static int slotOf(long number) {
        return (int) (number % SLOTS) * SLOT_BYTES;
    }

    private static long valueOf(long number, int word) {
        return number * 0x9e3779b97f4a7c15L + word;
    }
}
