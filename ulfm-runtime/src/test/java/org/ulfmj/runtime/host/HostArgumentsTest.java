package org.ulfmj.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.transport.BufferPayload;

class HostArgumentsTest {
    private static final Reduction ANY = new Reduction() {
        @Override
        public void apply(ByteBuffer in, ByteBuffer inout, int count) {}

        @Override
        public boolean isCommutative() {
            return true;
        }

        @Override
        public boolean isUserCode() {
            return false;
        }
    };

    @ParameterizedTest
    @CsvSource({"8, false", "128, false", "256, true", "24, true"})
    void shouldRefuseElementsForWhichPlacesHaveNoRoom(int width, boolean areUnfit) {
        BufferPayload data = new BufferPayload(ByteBuffer.allocate(8 * width));
        HostArguments arguments = HostArguments.allReduce("iAllReduce", data, data, width, ANY);

        assertThat(arguments.areUnfit(2)).isEqualTo(areUnfit);
    }
}
