package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An array or typed buffer of the program. The blocks of a datatype begin and end between elements. A single run of
 * bytes may begin or end inside an element, because a frame that carries a part of a message may end there.
 */
final class ElementMemory extends Memory {
    private final Elements elements;
    private final Object typed;

    ElementMemory(Elements elements, Object typed) {
        this.elements = elements;
        this.typed = typed;
    }

    @Override
    void copyOut(long at, int length, ByteBuffer target) {
        ByteOrder order = target.order();
        int limit = target.limit();
        target.order(ByteOrder.nativeOrder()).limit(target.position() + length);
        elements.writeBytes(typed, at, target);
        target.order(order).limit(limit);
    }

    @Override
    void copyIn(long at, int length, ByteBuffer source) {
        ByteOrder order = source.order();
        int limit = source.limit();
        source.order(ByteOrder.nativeOrder()).limit(source.position() + length);
        elements.readBytes(typed, at, source);
        source.order(order).limit(limit);
    }

    @Override
    void copyOutBlocks(long at, int length, long stride, int count, ByteBuffer target) {
        ByteOrder order = target.order();
        target.order(ByteOrder.nativeOrder());
        int size = elements.sizeBytes;
        int first = (int) (at / size);
        int step = (int) (stride / size);
        int each = length / size;
        if (each == 1) {
            elements.gather(typed, first, step, target, count);
        } else {
            for (int i = 0; i < count; i++) {
                elements.write(typed, first + i * step, target, each);
            }
        }
        target.order(order);
    }

    @Override
    void copyInBlocks(long at, int length, long stride, int count, ByteBuffer source) {
        ByteOrder order = source.order();
        source.order(ByteOrder.nativeOrder());
        int size = elements.sizeBytes;
        int first = (int) (at / size);
        int step = (int) (stride / size);
        int each = length / size;
        if (each == 1) {
            elements.scatter(typed, first, step, source, count);
        } else {
            for (int i = 0; i < count; i++) {
                elements.read(typed, first + i * step, source, each);
            }
        }
        source.order(order);
    }
}
