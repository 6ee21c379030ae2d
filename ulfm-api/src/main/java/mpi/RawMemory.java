package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.transport.ByteCopy;

/** A {@link ByteBuffer} of the program as {@link Memory}: its elements may be of any type and may begin at any byte. */
final class RawMemory extends Memory {
    private final ByteBuffer raw;

    RawMemory(ByteBuffer buffer) {
        raw = buffer.duplicate().clear().order(ByteOrder.nativeOrder());
    }

    @Override
    void copyOut(long at, int length, ByteBuffer target) {
        int into = target.position();
        ByteCopy.copy(raw, (int) at, target, into, length);
        target.position(into + length);
    }

    @Override
    void copyIn(long at, int length, ByteBuffer source) {
        int from = source.position();
        ByteCopy.copy(source, from, raw, (int) at, length);
        source.position(from + length);
    }

    @Override
    void copyOutBlocks(long at, int length, long stride, int count, ByteBuffer target) {
        ByteOrder order = target.order();
        target.order(ByteOrder.nativeOrder());
        int from = (int) at;
        int step = (int) stride;
        int into = target.position();
        if (length == Long.BYTES) {
            for (int i = 0; i < count; i++) {
                target.putLong(into + i * Long.BYTES, raw.getLong(from + i * step));
            }
        } else if (length == Integer.BYTES) {
            for (int i = 0; i < count; i++) {
                target.putInt(into + i * Integer.BYTES, raw.getInt(from + i * step));
            }
        } else {
            for (int i = 0; i < count; i++) {
                ByteCopy.copy(raw, from + i * step, target, into + i * length, length);
            }
        }
        target.order(order).position(into + count * length);
    }

    @Override
    void copyInBlocks(long at, int length, long stride, int count, ByteBuffer source) {
        ByteOrder order = source.order();
        source.order(ByteOrder.nativeOrder());
        int into = (int) at;
        int step = (int) stride;
        int from = source.position();
        if (length == Long.BYTES) {
            for (int i = 0; i < count; i++) {
                raw.putLong(into + i * step, source.getLong(from + i * Long.BYTES));
            }
        } else if (length == Integer.BYTES) {
            for (int i = 0; i < count; i++) {
                raw.putInt(into + i * step, source.getInt(from + i * Integer.BYTES));
            }
        } else {
            for (int i = 0; i < count; i++) {
                ByteCopy.copy(source, from + i * length, raw, into + i * step, length);
            }
        }
        source.order(order).position(from + count * length);
    }
}
