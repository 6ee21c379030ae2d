package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.api.RankAccess;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.EngineCommunicators;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.hint.ErrorHints;
import org.ulfmj.transport.Payload;

/**
 * Tests a non-blocking collective operation whose begin fails with an exception that its buffer throws: the
 * communicator is revoked, a barrier on it raises REVOKED, and when it is freed, no operation is open on it.
 */
class FailedBeginTest {
    /** A buffer that cannot take its result. */
    private static final class Throwing implements CollectiveBuffer {
        private final ByteBuffer bytes =
                ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());

        @Override
        public Payload payload() {
            return null;
        }

        @Override
        public ByteBuffer packed() {
            return bytes;
        }

        @Override
        public Blocks blocks() {
            return Blocks.equal(1, Integer.BYTES);
        }

        @Override
        public void pack() {}

        @Override
        public void packPart(int rank) {}

        @Override
        public int bytesToUnpack() {
            return Integer.BYTES;
        }

        @Override
        public int unpackPiece(int from, int mostBytes) {
            throw new IllegalStateException("no room");
        }

        @Override
        public void unpack() {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "coll"})
    void shouldRevokeTheCommunicatorAndLeaveNothingOpen(String uniform) {
        Worlds.run(1, (world, rank) -> {
            Communicator comm = RankAccess.get().join("test").self().creation().dup();
            comm.creation().setErrorHints(ErrorHints.of(Map.of(ErrorHints.UNIFORM, uniform)));
            Throwing buffer = new Throwing();
            assertThatThrownBy(() -> comm.started().allGather("iAllGather", null, buffer))
                    .hasMessage("no room");
            assertThat(comm.isRevoked()).isTrue();
            assertThatThrownBy(comm.collectives()::barrier)
                    .isInstanceOfSatisfying(
                            CallError.class, fault -> assertThat(fault.error()).isEqualTo(ErrorClass.REVOKED));
            comm.free();
            assertThat(EngineCommunicators.has(comm))
                    .as("an operation is open on it")
                    .isFalse();
        });
    }
}
