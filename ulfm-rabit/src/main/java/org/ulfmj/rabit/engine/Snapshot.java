package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * All that a rank needs to go on from a checkpoint, as it lies on a disk: the models and the results of the bootstrap
 * phase, with a checksum of all that follows in front.
 */
public final class Snapshot {
    private static final int MAGIC = 0x52424931;
    private static final int HEAD_BYTES = 2 * Integer.BYTES;

    private final List<Parcel> parcels;

    private Snapshot(List<Parcel> parcels) {
        this.parcels = parcels;
    }

    /** A snapshot of these items. */
    static Snapshot of(List<Parcel> parcels) {
        return new Snapshot(parcels);
    }

    List<Parcel> parcels() {
        return parcels;
    }

    /** The length of what {@link #toBytes} returns. {@code toBytes} throws if the length is no int. */
    public long lengthBytes() {
        return lengthBytes(headers());
    }

    private long lengthBytes(byte[] head) {
        long length = HEAD_BYTES + Integer.BYTES + head.length;
        for (Parcel parcel : parcels) {
            length += parcel.bytes().remaining();
        }
        return length;
    }

    private byte[] headers() {
        WireWriter headers = new WireWriter(1 << 28).putInt(parcels.size());
        for (Parcel parcel : parcels) {
            parcel.writeHeader(headers);
        }
        return headers.toByteArray();
    }

    public ByteBuffer toBytes() {
        byte[] head = headers();
        ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(lengthBytes(head)));
        content.putInt(MAGIC).putInt(0).putInt(head.length).put(head);
        for (Parcel parcel : parcels) {
            content.put(parcel.bytes().duplicate());
        }
        content.flip();
        return content.putInt(Integer.BYTES, crc(content));
    }

    /**
     * Reads a snapshot; null if these are not the bytes that were written.
     *
     * @throws WireFormatException if the checksum is right, and the bytes are no snapshot all the same
     */
    public static Snapshot fromBytes(ByteBuffer written) {
        ByteBuffer content = written.slice();
        if (content.remaining() < HEAD_BYTES + Integer.BYTES
                || content.getInt(0) != MAGIC
                || content.getInt(Integer.BYTES) != crc(content)) {
            return null;
        }
        content.position(HEAD_BYTES + Integer.BYTES);
        int headBytes = content.getInt(HEAD_BYTES);
        if (headBytes < 0 || headBytes > content.remaining()) {
            throw new WireFormatException("headers of " + headBytes + " bytes in a snapshot of " + written.remaining());
        }
        byte[] head = new byte[headBytes];
        content.get(head);
        WireReader in = new WireReader(head);
        int count = in.getInt();
        List<Parcel> parcels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Parcel parcel = Parcel.readHeader(in, Collections.emptySortedMap(), content.remaining());
            ByteBuffer room = parcel.bytes().duplicate();
            content.get(room.array(), room.arrayOffset(), room.remaining());
            parcels.add(parcel);
        }
        return new Snapshot(parcels);
    }

    private static int crc(ByteBuffer content) {
        return Checkpoint.crc(content.duplicate().position(HEAD_BYTES));
    }
}
