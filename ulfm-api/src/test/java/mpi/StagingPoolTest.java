package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class StagingPoolTest {
    private final StagingPool pool = new StagingPool();

    @Test
    void shouldGiveDirectBuffersOfTheLengthAskedFor() {
        for (int bytes : new int[] {0, 1, 255, 256, 257, 4096, 100_000}) {
            ByteBuffer buffer = pool.acquire(bytes);

            assertThat(buffer.isDirect()).isTrue();
            assertThat(buffer.remaining()).isEqualTo(bytes);
            assertThat(buffer.order()).isEqualTo(ByteOrder.nativeOrder());
        }
    }

    @Test
    void shouldReuseWhatWasReleasedWithANewLimit() {
        ByteBuffer first = pool.acquire(1000);
        first.position(500);
        pool.release(first);

        ByteBuffer second = pool.acquire(600);

        assertThat(second).isSameAs(first);
        assertThat(second.position()).isZero();
        assertThat(second.limit()).isEqualTo(600);
        assertThat(pool.acquire(600)).isNotSameAs(first);
    }

    @Test
    void shouldKeepNoMoreThanItsBound() {
        int half = (int) (StagingPool.MAX_KEPT_BYTES / 2);
        ByteBuffer first = pool.acquire(half);
        ByteBuffer second = pool.acquire(half);
        ByteBuffer third = pool.acquire(256);
        pool.release(first);
        pool.release(second);
        pool.release(third);

        assertThat(pool.acquire(256)).isNotSameAs(third);
        assertThat(pool.acquire(half)).isSameAs(second);
        assertThat(pool.acquire(half)).isSameAs(first);
    }

    @Test
    void shouldTakeNoMoreThanIsAskedForWhereNothingIsKept() {
        int more = (int) StagingPool.MAX_KEPT_BYTES + 1;
        ByteBuffer buffer = pool.acquire(more);
        assertThat(buffer.capacity()).isEqualTo(more);
        pool.release(buffer);
        assertThat(pool.acquire(more)).isNotSameAs(buffer);
    }
}
