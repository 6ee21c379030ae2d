package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.runtime.Raised.error;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.transfer.Inside;
import org.ulfmj.runtime.transfer.Operation;

/**
 * Tests sends that may be announced only after their receiver has taken other announced messages, or looks for a
 * message.
 */
class HeldSendsTest {
    private static final int WINDOW = Inside.MOST_ANNOUNCED;
    private static final int CREDIT = 10_240;
    /** How many messages of at most 8 bytes the credit allows. */
    private static final int PAID = CREDIT / 512;

    private static final int MANY = 3 * WINDOW;
    private static final byte[] LONG = new byte[1001];

    private static LocalRanks world(int size) {
        return new LocalRanks(size, settings -> settings.withEager(1000, CREDIT));
    }

    @Test
    void shouldBoundWhatLiesAtAReceiverThatLooksForNothing() throws Exception {
        world(2).runOnce(
                        rank -> {
                            Communicator other = rank.world().creation().dup();
                            Operation[] sends = start(rank.world(), MANY, 1);
                            // These calls do not wait for the held-back sends: a send on another communicator, and a
                            // collective operation.
                            Messages.send(other, new byte[100], 1, 1);
                            rank.world().collectives().run(new BarrierSchedule());
                            finish(rank.world(), sends);
                        },
                        rank -> {
                            Communicator other = rank.world().creation().dup();
                            Messages.receive(other, 100, 0, 1);
                            rank.world().collectives().run(new BarrierSchedule());
                            assertThat(unexpected(rank)).isEqualTo(PAID + WINDOW);
                            receiveAll(rank.world(), MANY);
                            assertThat(unexpected(rank)).isZero();
                        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReceiveInReverseWhatWasStartedBeforeABarrier(boolean toItself) throws Exception {
        int count = 100_000;
        new LocalRanks(toItself ? 1 : 2).runOnce(rank -> {
            Communicator world = rank.world();
            boolean receives = world.rank() == world.size() - 1;
            Operation[] sends = world.rank() == 0 ? start(world, count, world.size() - 1) : new Operation[0];
            world.collectives().run(new BarrierSchedule());
            for (int i = count - 1; receives && i >= 0; i--) {
                byte[] received = Messages.receive(world, 8, 0, i);
                if (received.length != i % 9 || received.length > 0 && received[0] != (byte) i) {
                    throw new AssertionError("message " + i + " has " + received.length + " bytes");
                }
            }
            finish(world, sends);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Communicator.ANY_SOURCE})
    void shouldAskForMoreUntilAReceiveMatches(int source) throws Exception {
        world(3).runOnce(
                        rank -> {
                            Operation[] sends = start(rank.world(), MANY, 1);
                            finish(rank.world(), sends);
                        },
                        rank -> {
                            // The first of these receives may be posted before any message has arrived, and the second
                            // when all that may be announced have arrived.
                            assertThat(Messages.receive(rank.world(), 8, source, MANY - 2))
                                    .hasSize((MANY - 2) % 9);
                            assertThat(Messages.receive(rank.world(), 8, source, MANY - 1))
                                    .hasSize((MANY - 1) % 9);
                            receiveAll(rank.world(), MANY - 2);
                        },
                        RankRuntime::finish);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Communicator.ANY_SOURCE})
    void shouldAskForMoreUntilAProbeMatches(int source) throws Exception {
        world(2).runOnce(
                        rank -> {
                            finish(rank.world(), start(rank.world(), MANY, 1));
                            finish(rank.world(), start(rank.world(), MANY, 1));
                        },
                        rank -> {
                            Communicator world = rank.world();
                            assertThat(Envelope.probe(world, source, MANY - 1))
                                    .isEqualTo(new Envelope(0, MANY - 1, (MANY - 1) % 9));
                            receiveAll(world, MANY);
                            while (Envelope.tryProbe(world, source, MANY - 1) == null) {
                                Thread.onSpinWait();
                            }
                            receiveAll(world, MANY);
                        });
    }

    @Test
    void shouldEndWithItsReceiver() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        try (LocalRanks ranks = world(2)) {
            ranks.run(
                    rank -> {
                        Operation[] sends = start(rank.world(), MANY, 1);
                        started.countDown();
                        for (int i = PAID; i < MANY; i++) {
                            Operation send = sends[i];
                            assertThat(error(() -> rank.world().await(send))).isEqualTo(ErrorClass.PROC_FAILED);
                        }
                    },
                    rank -> {
                        started.await();
                        ranks.kill(1);
                    });
        }
    }

    @Test
    void shouldEndWithItsCommunicatorAndLeaveNothingBehind() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        world(2).runOnce(rank -> {
            Communicator world = rank.world();
            Communicator other = world.creation().dup();
            if (world.rank() == 0) {
                Operation[] sends = start(other, MANY, 1);
                started.countDown();
                for (int i = PAID; i < MANY; i++) {
                    Operation send = sends[i];
                    assertThat(error(() -> other.await(send))).isEqualTo(ErrorClass.REVOKED);
                }
                assertThat(Inside.holdsSends(rank.engine().traffic(), new ProcessId(1, 0)))
                        .isFalse();
            } else {
                started.await();
                other.recovery().revoke();
            }
            other.free();
            // COMM_WORLD has its own window and order of messages, which the freed communicator did not change.
            if (world.rank() == 0) {
                finish(world, start(world, MANY, 1));
            } else {
                receiveAll(world, MANY);
            }
        });
    }

    @Test
    void shouldBeWithdrawnInTimeAndNotHoldUpThoseBehindIt() throws Exception {
        world(2).runOnce(
                        rank -> {
                            Communicator world = rank.world();
                            Communicator other = world.creation().dup();
                            Operation[] sends = start(world, MANY, 1);
                            // Once this message is received, none of the earlier sends still waits for room in the
                            // lane.
                            Messages.send(other, new byte[0], 1, 1, SendMode.SYNCHRONOUS);
                            for (int i = PAID + WINDOW; i < MANY - 1; i++) {
                                assertThat(world.cancel(sends[i])).isTrue();
                            }
                            assertThat(world.cancel(sends[PAID])).isFalse();
                            world.collectives().run(new BarrierSchedule());
                            finish(world, sends);
                        },
                        rank -> {
                            Messages.receive(rank.world().creation().dup(), 0, 0, 1);
                            rank.world().collectives().run(new BarrierSchedule());
                            assertThat(Messages.receive(rank.world(), 8, 0, MANY - 1))
                                    .hasSize((MANY - 1) % 9);
                            receiveAll(rank.world(), PAID + WINDOW);
                        });
    }

    /**
     * Shows that a long message that may not be announced holds back a short one that could be sent whole, and that the
     * short one is sent once the long one is cancelled.
     */
    @Test
    void shouldGoOnceWhatItWaitsBehindIsWithdrawn() throws Exception {
        world(2).runOnce(
                        rank -> {
                            Communicator world = rank.world();
                            Operation[] announced = new Operation[WINDOW];
                            for (int i = 0; i < WINDOW; i++) {
                                announced[i] = world.send(Messages.payload(LONG), 1, 1, SendMode.STANDARD);
                            }
                            Operation withdrawn = world.send(Messages.payload(LONG), 1, 1, SendMode.STANDARD);
                            Operation behind = world.send(Messages.payload(new byte[1]), 1, 2, SendMode.STANDARD);
                            // Once this message has arrived by the same lane, all announcements that are allowed have
                            // been made.
                            Messages.send(world.creation().dup(), new byte[0], 1, 0, SendMode.SYNCHRONOUS);
                            assertThat(behind.isDone()).isFalse();
                            assertThat(world.cancel(withdrawn)).isTrue();
                            world.await(behind);
                            world.collectives().run(new BarrierSchedule());
                            finish(world, announced);
                        },
                        rank -> {
                            Communicator world = rank.world();
                            Messages.receive(world.creation().dup(), 0, 0, 0);
                            world.collectives().run(new BarrierSchedule());
                            for (int i = 0; i < WINDOW; i++) {
                                assertThat(Messages.receive(world, LONG.length, 0, 1))
                                        .hasSize(LONG.length);
                            }
                            assertThat(Messages.receive(world, 1, 0, 2)).hasSize(1);
                        });
    }

    private static Operation[] start(Communicator on, int count, int dest) {
        Operation[] sends = new Operation[count];
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[i % 9];
            if (bytes.length > 0) {
                bytes[0] = (byte) i;
            }
            sends[i] = on.send(Messages.payload(bytes), dest, i, SendMode.STANDARD);
        }
        return sends;
    }

    private static void finish(Communicator on, Operation[] sends) {
        for (Operation send : sends) {
            on.await(send);
            on.release(send);
        }
    }

    /** Receives {@code count} messages and checks that they come in the order in which they were sent. */
    private static void receiveAll(Communicator on, int count) {
        byte[] bytes = new byte[8];
        for (int i = 0; i < count; i++) {
            Operation receive = on.receive(Messages.payload(bytes), 0, Communicator.ANY_TAG);
            on.await(receive);
            if (receive.tag() != i || receive.lengthBytes() != i % 9) {
                throw new AssertionError("tag " + receive.tag() + " came as number " + i);
            }
            on.release(receive);
        }
    }

    private static int unexpected(RankRuntime rank) {
        RankEngine engine = rank.engine();
        engine.lock().lock();
        try {
            return engine.communicators().get(rank.world().id()).unreceived();
        } finally {
            engine.lock().unlock();
        }
    }
}
