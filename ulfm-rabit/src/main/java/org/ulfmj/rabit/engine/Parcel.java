package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.util.SortedMap;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * One thing that a rank gives to another, with all that is to be known of it.
 *
 * @param shape of a result; else null
 * @param place of a result of the bootstrap phase; else null
 * @param occurrence of that place
 * @param version of a model; else 0
 * @param epoch in which a model was made; else 0
 * @param crc of a model's bytes; else 0
 * @param bytes the whole of it
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

    /** A file's content. */
    public static Parcel ofSpill(Item item, ByteBuffer content) {
        return new Parcel(item, null, null, 0, (int) item.number(), 0, 0, content);
    }

    /** Everything but the bytes; their number is written, so that room can be made for them. */
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
     * What {@link #writeHeader} wrote, with room for the bytes.
     *
     * @param begun things of which other pieces come from elsewhere: all pieces of one share its room
     */
    public static Parcel readHeader(WireReader in, SortedMap<Item, Parcel> begun) {
        Item item = new Item(KINDS[in.getByte() % KINDS.length], in.getLong());
        int length = in.getInt();
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
