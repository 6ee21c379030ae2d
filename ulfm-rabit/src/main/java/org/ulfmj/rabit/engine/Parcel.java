package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.util.SortedMap;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * An item that a rank gives to another or writes to a disk, with all that must be known about it.
 *
 * @param shape the operation of a result; else null
 * @param place the place of a result of the bootstrap phase; else null
 * @param occurrence which operation at that place it is
 * @param version the version of a model or a spilled file; else 0
 * @param epoch the epoch in which a model was made; else 0
 * @param crc the checksum of a model's bytes; else 0
 * @param bytes the whole content
 */
public record Parcel(
        Item item, Shape shape, Place place, int occurrence, int version, long epoch, int crc, ByteBuffer bytes) {
    private static final Item.Kind[] KINDS = Item.Kind.values();

    static Parcel of(Item item, Entry entry, Place place, int occurrence) {
        return new Parcel(
                item, entry.shape(), place, occurrence, 0, 0, 0, entry.bytes().duplicate());
    }

    static Parcel of(Item item, Checkpoint saved) {
        return new Parcel(item, null, null, 0, saved.version(), saved.epoch(), saved.crc(), saved.unchanged());
    }

    /** The content of a spilled file. */
    public static Parcel ofSpill(Item item, ByteBuffer content) {
        return new Parcel(item, null, null, 0, (int) item.number(), 0, 0, content);
    }

    /** Writes everything but the bytes. Their number is written, so that the reader can make room for them. */
    public void writeHeader(WireWriter out) {
        out.putByte(item.kind().ordinal()).putLong(item.number());
        out.putInt(bytes.remaining());
        switch (item.kind()) {
            case BOOTSTRAP -> {
                shape.writeTo(out);
                out.putText(place.name()).putByte(place.isKey() ? 1 : 0).putText(place.site());
                out.putInt(occurrence);
            }
            case RESULT -> shape.writeTo(out);
            default -> out.putInt(version).putLong(epoch).putInt(crc);
        }
    }

    /**
     * Reads what {@link #writeHeader} wrote, and makes room for the bytes.
     *
     * @param begun items of which other ranks send other pieces: all pieces of an item share one room
     * @param mostBytes how many bytes the item may have
     */
    public static Parcel readHeader(WireReader in, SortedMap<Item, Parcel> begun, int mostBytes) {
        Item item = new Item(KINDS[in.getByte() % KINDS.length], in.getLong());
        int length = in.getInt();
        if (length < 0 || length > mostBytes) {
            throw new WireFormatException(item + " has " + length + " bytes, at most " + mostBytes + " are possible");
        }
        Parcel other = begun.get(item);
        if (other != null && other.bytes.capacity() != length) {
            throw new IllegalStateException(
                    item + " has " + length + " bytes at one rank and " + other.bytes.capacity() + " at another");
        }
        ByteBuffer room = other == null ? ByteBuffer.allocate(length) : other.bytes;
        return switch (item.kind()) {
            case BOOTSTRAP -> {
                Shape shape = Shape.readFrom(in);
                Place place = new Place(in.getText(), in.getByte() != 0, in.getText());
                yield new Parcel(item, shape, place, in.getInt(), 0, 0, 0, room);
            }
            case RESULT -> new Parcel(item, Shape.readFrom(in), null, 0, 0, 0, 0, room);
            default -> new Parcel(item, null, null, 0, in.getInt(), in.getLong(), in.getInt(), room);
        };
    }
}
