package org.ulfmj.transport.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The memory of one direction of a {@link RecordChannel}. Not thread-safe. */
final class RecordBuffer {
    /** What a record holds, opened. */
    final byte[] plain = new byte[RecordFormat.MAX_BYTES];
    /** What a record holds, sealed. */
    final byte[] sealed = new byte[RecordFormat.MAX_SEALED_BYTES];

    private ByteBuffer records = allocate(RecordFormat.FIRST_BUFFER_BYTES);

    /** The buffer for sealed records, emptied for a channel that begins. */
    ByteBuffer records() {
        return records.clear();
    }

    /** A larger buffer for records, which begins with the bytes between {@code start} and {@code end} of this one. */
    ByteBuffer grow(int capacity, int start, int end) {
        ByteBuffer larger = allocate(Math.min(RecordFormat.MAX_BUFFER_BYTES, capacity));
        larger.put(0, records, start, end - start);
        records = larger;
        return larger;
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
