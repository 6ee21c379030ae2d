package org.ulfmj.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;

/**
 * Shows that ranks read nothing outside of a member's shared memory when that member, by a defect, has written wrong
 * places into it.
 */
class WrongPlaceTest {
    private static final int SEGMENT_BYTES = 64 * 1024;
    private static final int BYTES = 512;
    private static final HostMemory MEMORY = (HostMemory) Proxy.newProxyInstance(
            WrongPlaceTest.class.getClassLoader(),
            new Class<?>[] {HostMemory.class},
            (proxy, method, arguments) -> null);

    private final Segment[] segments = {segment(0), segment(1)};
    private final HostGroup reader = group(0);
    private final HostGroup writer = group(1);

    private static Segment segment(int rank) {
        return new Segment(
                ProcessId.of(rank),
                rank + 1L,
                ByteBuffer.allocateDirect(SEGMENT_BYTES).order(ByteOrder.nativeOrder()));
    }

    private HostGroup group(int rank) {
        return new HostGroup(MEMORY, new ProcessId[] {ProcessId.of(0), ProcessId.of(1)}, rank, segments.clone());
    }

    @BeforeEach
    void use() {
        HostWaiting none = new UnlockedWaiting() {
            @Override
            public void await(boolean isHurried) {}
        };
        reader.use(none);
        writer.use(none);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                -1,
                Integer.MIN_VALUE,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE - BYTES,
                SEGMENT_BYTES,
                SEGMENT_BYTES - BYTES + 1
            })
    void shouldReadNothingOutsideOfTheMemoryOfAMember(int place) {
        writer.placeNothing();
        long operation = writer.publish(0, place);

        assertThatThrownBy(() -> reader.read(1, reader.placeOf(operation, 1), BYTES))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("rank 1 shows bytes at " + place + ", outside of its shared memory of " + SEGMENT_BYTES
                        + " bytes");
        assertThatThrownBy(() -> reader.memory(1, reader.placeOf(operation, 1), BYTES))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("rank 1 shows bytes at " + place + ", outside of its shared memory");
    }

    @Test
    void shouldReadTheLastBytesOfTheMemoryOfAMember() {
        writer.placeNothing();
        long operation = writer.publish(0, SEGMENT_BYTES - BYTES);

        assertThat(reader.read(1, reader.placeOf(operation, 1), BYTES).remaining())
                .isEqualTo(BYTES);
    }
}
