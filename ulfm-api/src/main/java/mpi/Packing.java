package mpi;

import java.nio.ByteBuffer;

/** Copies between the program's arrays or buffers and packed buffers in native order. Arguments were checked. */
final class Packing {
    private Packing() {}

    /** Appends {@code count} items from item {@code at} of {@code buffer} to {@code target}. */
    static void pack(Object buffer, int at, int count, Datatype type, ByteBuffer target) {
        if (count == 0) {
            return;
        }
        Elements elements = type.elements();
        if (buffer instanceof ByteBuffer raw) {
            int bytes = count * elements.sizeBytes;
            target.put(target.position(), Elements.whole(raw), at * elements.sizeBytes, bytes);
            target.position(target.position() + bytes);
        } else {
            elements.write(buffer, at, target, count);
        }
    }

    /** Takes {@code count} items from {@code source} into {@code buffer}, from item {@code at} on. */
    static void unpack(ByteBuffer source, Object buffer, int at, int count, Datatype type) {
        if (count == 0) {
            return;
        }
        Elements elements = type.elements();
        if (buffer instanceof ByteBuffer raw) {
            int bytes = count * elements.sizeBytes;
            Elements.whole(raw).put(at * elements.sizeBytes, source, source.position(), bytes);
            source.position(source.position() + bytes);
        } else {
            elements.read(buffer, at, source, count);
        }
    }
}
