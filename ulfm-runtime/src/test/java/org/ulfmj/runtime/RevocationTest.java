package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.runtime.Raised.error;
import static org.ulfmj.runtime.Raised.fault;

import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.transfer.Operation;

/** Tests what a revocation ends, and which few calls it still allows. */
class RevocationTest {
    @Test
    void shouldEndEverythingOnARevokedCommunicator() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                Communicator other = world.creation().dup();
                if (world.rank() == 2) {
                    Messages.send(other, new byte[100], 0, 9);
                    Messages.receive(world, 0, 0, 1);
                    Messages.receive(world, 0, 1, 1);
                    other.recovery().revoke();
                    assertThat(other.isRevoked()).isTrue();
                    other.recovery().revoke();
                } else if (world.rank() == 1) {
                    Operation large = other.send(Messages.payload(new byte[1 << 20]), 2, 2, SendMode.STANDARD);
                    Messages.send(world, new byte[0], 2, 1);
                    assertThat(error(() -> other.await(large))).isEqualTo(ErrorClass.REVOKED);
                    assertThat(error(() -> Messages.receive(other, 1, 0, 5))).isEqualTo(ErrorClass.REVOKED);
                } else {
                    Messages.send(world, new byte[0], 2, 1);
                    CallError fault = fault(() -> other.collectives().run(new BarrierSchedule()));
                    assertThat(fault.error()).isEqualTo(ErrorClass.REVOKED);
                    assertThat(fault)
                            .hasMessage(
                                    "barrier on dup of COMM_WORLD (3 ranks): the communicator is revoked. Only agree(),"
                                            + " shrink(), replace() and free() work on it; shrink() gives a communicator of the"
                                            + " survivors.");
                    assertThat(error(() -> Messages.receive(other, 100, 2, 9))).isEqualTo(ErrorClass.REVOKED);
                }
                assertThat(error(() -> Messages.send(other, new byte[1], 0, 0))).isEqualTo(ErrorClass.REVOKED);
                assertThat(error(() -> other.probe(0, 0, new Arrival()))).isEqualTo(ErrorClass.REVOKED);
                assertThat(error(() -> other.checkRevoked("send"))).isEqualTo(ErrorClass.REVOKED);
                assertThat(error(other.creation()::dup)).isEqualTo(ErrorClass.REVOKED);
                assertThat(error(() -> other.creation().split(0, 0))).isEqualTo(ErrorClass.REVOKED);
                assertThat(other.recovery().agree(0b110 | world.rank() & 1)).isEqualTo(0b110);
                Communicator shrunk = other.recovery().shrink();
                assertThat(shrunk.isRevoked()).isFalse();
                shrunk.collectives().run(new BarrierSchedule());
                other.free();
                assertThat(error(() -> other.recovery().agree(1))).isEqualTo(ErrorClass.COMM);
                world.collectives().run(new BarrierSchedule());
            });
        }
    }

    @Test
    void shouldTellOfARevokedReceiveWhatItWasWhenAnotherHasUsedItsOperation() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                Communicator other = world.creation().dup();
                if (world.rank() == 0) {
                    Messages.receive(world, 0, 1, 1);
                    other.recovery().revoke();
                    Messages.send(world, new byte[0], 1, 2);
                } else {
                    Operation waits = other.receive(Messages.payload(new byte[8]), 0, 77);
                    Messages.send(world, new byte[0], 0, 1);
                    CallError fault = fault(() -> other.await(waits));
                    other.release(waits);
                    Messages.receive(world, 0, 0, 2);
                    assertThat(fault)
                            .hasMessageStartingWith(
                                    "receive from rank 0, tag 77 on dup of COMM_WORLD (2 ranks): the communicator is"
                                            + " revoked. Only");
                }
            });
        }
    }
}
