package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.util.List;
import org.ulfmj.sim.fuzz.FuzzTarget;

/**
 * Feeds the reader of {@code Snapshot}, a checkpoint on a disk, with damaged bytes: as they are, and once more with the
 * checksum corrected, so that the fields behind the checksum are tried too.
 */
final class SnapshotFuzz implements FuzzTarget {
    private static final int CRC_AT = Integer.BYTES;
    private static final int CHECKED_FROM = 2 * Integer.BYTES;

    @Override
    public List<byte[]> samples() {
        Parcel model = new Parcel(
                new Item(Item.Kind.CHECKPOINT, 0), null, null, 0, 3, 1, 77, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        Parcel result = new Parcel(
                new Item(Item.Kind.BOOTSTRAP, 1),
                Shape.allReduce("double", 8, 2, "MPI.SUM"),
                Place.ofSite("Boost.main(Boost.java:12)"),
                1,
                0,
                0,
                0,
                ByteBuffer.wrap(new byte[16]));
        return List.of(bytes(Snapshot.of(List.of())), bytes(Snapshot.of(List.of(model, result))));
    }

    private static byte[] bytes(Snapshot snapshot) {
        ByteBuffer content = snapshot.toBytes();
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        return bytes;
    }

    @Override
    public void parse(byte[] input) {
        Snapshot.fromBytes(ByteBuffer.wrap(input));
        if (input.length > CHECKED_FROM) {
            ByteBuffer content = ByteBuffer.wrap(input);
            content.putInt(CRC_AT, Checkpoint.crc(content.duplicate().position(CHECKED_FROM)));
            Snapshot.fromBytes(content);
        }
    }
}
