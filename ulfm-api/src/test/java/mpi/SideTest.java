package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.collective.Blocks;

class SideTest {
    private final StagingPool pool = new StagingPool();

    @Test
    void shouldPackPartsInRankOrder() {
        int[] buffer = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        Layout layout = new Layout().at(3, new int[] {2, 0, 3}, new int[] {7, 99, 1});

        Side side = side(buffer, layout);
        side.pack();

        assertThat(ints(side.packed())).containsExactly(7, 8, 1, 2, 3);
        assertBlocks(side.blocks(), new int[] {0, 8, 8}, new int[] {8, 0, 12});
    }

    @Test
    void shouldUnpackPartsToTheirPlaces() {
        int[] buffer = new int[10];
        Side side = side(buffer, new Layout().at(2, new int[] {1, 2}, new int[] {9, 3}));
        side.packed().putInt(0, 50).putInt(4, 60).putInt(8, 70);

        side.unpack();

        assertThat(buffer).containsExactly(0, 0, 0, 60, 70, 0, 0, 0, 0, 50);
    }

    @Test
    void shouldKeepNothingOfTheProgramsBufferOnceForgotten() {
        ByteBuffer program = MPI.newByteBuffer(8);
        Side side = new Side().begin(null, pool, "iBcast").set(program, 8, MPI.BYTE);
        assertThat(side.payload().holder()).isSameAs(program);

        side.forget();

        assertThat(side.payload().holder()).isNull();
        assertThat(side.isReleased()).isFalse();
    }

    @Test
    void shouldLoadTheOwnPartOnly() {
        int[] buffer = {10, 20, 30};
        Side side = equal(buffer, 3, 1);
        side.packed().putInt(0, -1).putInt(4, -1).putInt(8, -1);

        side.packPart(1);

        assertThat(ints(side.packed())).containsExactly(-1, 20, -1);
    }

    @Test
    void shouldUseADirectByteBufferWhereItIs() {
        ByteBuffer program = MPI.newByteBuffer(40);
        program.order(ByteOrder.BIG_ENDIAN).position(17);
        Layout layout = new Layout().at(2, new int[] {1, 2}, new int[] {9, 3});

        Side side = side(program, layout);
        side.pack();
        side.packed().putInt(side.blocks().offset(1), 77);
        side.unpack();

        assertThat(program.order(ByteOrder.nativeOrder()).getInt(12)).isEqualTo(77);
        assertBlocks(side.blocks(), new int[] {36, 12}, new int[] {4, 8});
        assertThat(side.packed().remaining()).isEqualTo(40);
    }

    @Test
    void shouldUseACopyAgainOnlyAfterASuccess() {
        ByteBuffer failed = equal(new int[4], 1, 4).packed();
        Side fine = equal(new int[4], 1, 4);
        ByteBuffer used = fine.packed();
        fine.release();

        Side next = equal(new int[4], 1, 4);

        assertThat(next.packed()).isSameAs(used).isNotSameAs(failed);
    }

    private Side side(Object buffer, Layout layout) {
        return new Side().begin(null, pool, "gatherv").set(buffer, "count", layout, MPI.INT);
    }

    private Side equal(Object buffer, int parts, int count) {
        return new Side().begin(null, pool, "gather").set(buffer, "count", parts, count, MPI.INT);
    }

    private static void assertBlocks(Blocks blocks, int[] offsets, int[] lengths) {
        assertThat(blocks.size()).isEqualTo(offsets.length);
        for (int rank = 0; rank < offsets.length; rank++) {
            assertThat(blocks.length(rank)).as("length of %d", rank).isEqualTo(lengths[rank]);
            if (lengths[rank] > 0) {
                assertThat(blocks.offset(rank)).as("offset of %d", rank).isEqualTo(offsets[rank]);
            }
        }
    }

    private static int[] ints(ByteBuffer bytes) {
        int[] ints = new int[bytes.remaining() / Integer.BYTES];
        bytes.asIntBuffer().get(ints);
        return ints;
    }
}
