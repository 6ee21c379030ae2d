package mpi;

import java.nio.ByteBuffer;

/** Copies between the program's arrays or buffers and packed buffers in native order. Arguments were checked. */
final class Packing {
    private Packing() {}

    /** Copies {@code count} items from item {@code at} of {@code buffer} on to the position of {@code target}. */
    static void pack(Object buffer, int at, int count, Datatype type, ByteBuffer target) {
        if (count == 0) {
            return;
        }
        if (!type.isPlain()) {
            ByteBuffer part = target.slice().limit(count * type.sizeBytes());
            Strided.items(buffer, at, count, type).copyOut(0, part);
            target.position(target.position() + part.position());
            return;
        }
        if (buffer instanceof ByteBuffer raw) {
            int bytes = count * type.sizeBytes();
            target.put(target.position(), Elements.whole(raw), at * type.sizeBytes(), bytes);
            target.position(target.position() + bytes);
        } else {
            type.elements().write(buffer, at * type.elementsEach(), target, count * type.elementsEach());
        }
    }

    /** Copies {@code count} items from the position of {@code source} to {@code buffer}, from item {@code at} on. */
    static void unpack(ByteBuffer source, Object buffer, int at, int count, Datatype type) {
        if (count == 0) {
            return;
        }
        if (!type.isPlain()) {
            ByteBuffer part = source.slice().limit(count * type.sizeBytes());
            Strided.items(buffer, at, count, type).copyIn(0, part);
            source.position(source.position() + part.position());
            return;
        }
        if (buffer instanceof ByteBuffer raw) {
            int bytes = count * type.sizeBytes();
            Elements.whole(raw).put(at * type.sizeBytes(), source, source.position(), bytes);
            source.position(source.position() + bytes);
        } else {
            type.elements().read(buffer, at * type.elementsEach(), source, count * type.elementsEach());
        }
    }
}
