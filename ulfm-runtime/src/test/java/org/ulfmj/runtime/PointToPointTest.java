package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.ShortPath;

class PointToPointTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 65_536, 65_537, 300_000, 5_000_000})
    void shouldDeliverMessagesOfAnyLengthBothWays(int length) throws Exception {
        new LocalRanks(2).runOnce(rank -> {
            Communicator world = rank.world();
            int other = 1 - world.rank();
            for (int round = 0; round < 5; round++) {
                byte[] mine = Messages.bytes(round * 2 + world.rank(), length);
                byte[] expected = Messages.bytes(round * 2 + other, length);
                if (world.rank() == 0) {
                    Messages.send(world, mine, other, round);
                    assertThat(Messages.receive(world, length, other, round)).isEqualTo(expected);
                } else {
                    assertThat(Messages.receive(world, length, other, round)).isEqualTo(expected);
                    Messages.send(world, mine, other, round);
                }
            }
        });
    }

    @Test
    void shouldKeepOrderOfMessagesWhenLengthsMix() throws Exception {
        int[] lengths = {10, 100_000, 0, 65_536, 3, 200_000, 1};
        new LocalRanks(2)
                .runOnce(
                        rank -> {
                            Operation[] sends = new Operation[lengths.length];
                            for (int i = 0; i < lengths.length; i++) {
                                sends[i] = rank.world()
                                        .send(Messages.payload(Messages.bytes(i, lengths[i])), 1, 5, SendMode.STANDARD);
                            }
                            for (Operation send : sends) {
                                rank.world().await(send);
                            }
                        },
                        rank -> {
                            for (int i = 0; i < lengths.length; i++) {
                                int tag = i % 2 == 0 ? 5 : Communicator.ANY_TAG;
                                int source = i % 3 == 0 ? Communicator.ANY_SOURCE : 0;
                                assertThat(Messages.receive(rank.world(), 1 << 20, source, tag))
                                        .isEqualTo(Messages.bytes(i, lengths[i]));
                            }
                        });
    }

    @Test
    void shouldMatchByTagWhenTagsAreTakenInReverse() throws Exception {
        int count = 2000;
        new LocalRanks(2)
                .runOnce(
                        rank -> {
                            for (int tag = 0; tag < count; tag++) {
                                Messages.send(rank.world(), Messages.bytes(tag, 16), 1, tag);
                            }
                        },
                        rank -> {
                            for (int tag = count - 1; tag >= 0; tag--) {
                                assertThat(Messages.receive(rank.world(), 16, 0, tag))
                                        .isEqualTo(Messages.bytes(tag, 16));
                            }
                        });
    }

    @Test
    void shouldGiveMessagesToTheOldestReceiveThatFits() throws Exception {
        new LocalRanks(2)
                .runOnce(
                        rank -> {
                            Messages.receive(rank.world(), 0, 1, 9);
                            for (int i = 0; i < 4; i++) {
                                Messages.send(rank.world(), new byte[] {(byte) i}, 1, i == 2 ? 8 : 7);
                            }
                        },
                        rank -> {
                            Communicator world = rank.world();
                            byte[][] got = new byte[4][1];
                            Operation[] receives = {
                                world.receive(Messages.payload(got[0]), Communicator.ANY_SOURCE, 7),
                                world.receive(Messages.payload(got[1]), 0, Communicator.ANY_TAG),
                                world.receive(Messages.payload(got[2]), 0, 7),
                                world.receive(Messages.payload(got[3]), Communicator.ANY_SOURCE, Communicator.ANY_TAG),
                            };
                            Messages.send(world, new byte[0], 0, 9);
                            for (Operation receive : receives) {
                                world.await(receive);
                            }
                            assertThat(new byte[] {got[0][0], got[1][0], got[2][0], got[3][0]})
                                    .containsExactly(0, 1, 3, 2);
                            assertThat(receives[3].tag()).isEqualTo(8);
                            assertThat(receives[3].source()).isZero();
                        });
    }

    @Test
    void shouldReachItselfWhenSendingToItself() throws Exception {
        new LocalRanks(1).runOnce(rank -> {
            for (int length : new int[] {0, 10, 65_536, 3_000_000}) {
                byte[] bytes = Messages.bytes(length, length);
                byte[] got = new byte[length];
                Operation receive = rank.self().receive(Messages.payload(got), 0, 1);
                Messages.send(rank.self(), bytes, 0, 1);
                rank.self().await(receive);
                assertThat(got).isEqualTo(bytes);
            }
            Messages.send(rank.world(), new byte[] {4}, 0, 2);
            assertThat(Messages.receive(rank.world(), 1, Communicator.ANY_SOURCE, 2))
                    .containsExactly(4);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 200_000})
    void shouldTruncateWhenTheReceiveIsTooShort(int length) throws Exception {
        new LocalRanks(2)
                .runOnce(
                        rank -> {
                            Messages.send(rank.world(), Messages.bytes(1, length), 1, 3);
                            Messages.send(rank.world(), new byte[] {9}, 1, 3);
                        },
                        rank -> {
                            byte[] room = new byte[60];
                            Operation receive = rank.world().receive(Messages.payload(room), 0, 3);
                            assertThatThrownBy(() -> rank.world().await(receive))
                                    .isInstanceOfSatisfying(CallError.class, fault -> assertThat(fault.error())
                                            .isEqualTo(ErrorClass.TRUNCATE))
                                    .hasMessageContaining(
                                            "a message of " + length + " bytes from rank 0 met room for 60");
                            assertThat(room).isEqualTo(java.util.Arrays.copyOf(Messages.bytes(1, length), 60));
                            assertThat(Messages.receive(rank.world(), 1, 0, 3)).containsExactly(9);
                        });
    }

    @Test
    void shouldCompleteSynchronousSendsOnlyWhenMatched() throws Exception {
        new LocalRanks(2)
                .runOnce(
                        rank -> {
                            Communicator world = rank.world();
                            Operation send = world.send(Messages.payload(new byte[] {1}), 1, 1, SendMode.SYNCHRONOUS);
                            Messages.receive(world, 0, 1, 2);
                            assertThat(send.isDone()).isFalse();
                            Messages.send(world, new byte[0], 1, 3);
                            world.await(send);
                        },
                        rank -> {
                            Communicator world = rank.world();
                            assertThat(Envelope.probe(world, 0, 1)).isEqualTo(new Envelope(0, 1, 1));
                            Messages.send(world, new byte[0], 0, 2);
                            Messages.receive(world, 0, 0, 3);
                            Messages.receive(world, 1, 0, 1);
                        });
    }

    @Test
    void shouldTellTheSameOfAShortSendAsOfALongerOne() throws Exception {
        int shortBytes = ShortPath.MAX_BYTES;
        new LocalRanks(2)
                .runOnce(
                        rank -> {
                            Communicator world = rank.world();
                            // The first message makes the lane, so that the next one can be sent straight into it by
                            // the short path.
                            Messages.send(world, new byte[1], 1, 0);
                            Operation shorter = world.send(payload(shortBytes), 1, 3, SendMode.STANDARD);
                            Operation longer = world.send(payload(shortBytes + 1), 1, 3, SendMode.STANDARD);
                            assertThat(shorter).isNotSameAs(longer);
                            assertThat(textOf(shorter)).isEqualTo(textOf(longer));
                            assertThat(shorter.isDone()).isTrue();
                            assertThat(world.cancel(shorter)).isFalse();
                            world.release(longer);
                            world.release(shorter);
                            // The object of the short send is reused, and for one later send only.
                            Operation next = world.send(payload(shortBytes), 1, 4, SendMode.READY);
                            Operation other = world.send(payload(shortBytes), 1, 4, SendMode.STANDARD);
                            assertThat(next).isSameAs(shorter);
                            assertThat(other).isNotSameAs(shorter);
                            assertThat(next.tag()).isEqualTo(4);
                        },
                        rank -> {
                            Messages.receive(rank.world(), 1, 0, 0);
                            for (int tag : new int[] {3, 3, 4, 4}) {
                                Messages.receive(rank.world(), shortBytes + 1, 0, tag);
                            }
                        });
    }

    private static Payload payload(int bytes) {
        return Messages.payload(new byte[bytes]);
    }

    private static String textOf(Operation send) {
        return send.describe() + ": " + send + ", done " + send.isDone() + ", cancelled " + send.isCancelled()
                + ", error " + send.error() + ", source " + send.source() + ", tag " + send.tag() + ", "
                + send.lengthBytes() + " bytes, to rank " + send.namedPeer() + ", which is " + send.partner();
    }

    @Test
    void shouldNotStopSendersWhenCreditIsSpent() throws Exception {
        int count = 300;
        new LocalRanks(2, settings -> settings.withEager(1000, 10_000))
                .runOnce(
                        rank -> {
                            Operation[] sends = new Operation[count];
                            for (int i = 0; i < count; i++) {
                                sends[i] = rank.world()
                                        .send(Messages.payload(Messages.bytes(i, 1000)), 1, i, SendMode.STANDARD);
                            }
                            Messages.send(rank.world(), new byte[0], 1, count);
                            for (Operation send : sends) {
                                rank.world().await(send);
                            }
                        },
                        rank -> {
                            Messages.receive(rank.world(), 0, 0, count);
                            for (int i = count - 1; i >= 0; i--) {
                                assertThat(Messages.receive(rank.world(), 1000, 0, i))
                                        .isEqualTo(Messages.bytes(i, 1000));
                            }
                        });
    }

    @Test
    void shouldLetASendWaitForItsReceiveOnceCreditIsSpentHoweverShortItIs() throws Exception {
        int paid = 10_000 / 512;
        new LocalRanks(2, settings -> settings.withEager(1000, 10_000))
                .runOnce(
                        rank -> {
                            Operation[] sends = new Operation[3 * paid];
                            for (int i = 0; i < sends.length; i++) {
                                sends[i] =
                                        rank.world().send(Messages.payload(new byte[i % 2]), 1, i, SendMode.STANDARD);
                            }
                            Messages.send(rank.world(), new byte[1], 1, sends.length, SendMode.SYNCHRONOUS);
                            for (int i = 0; i < sends.length; i++) {
                                assertThat(sends[i].isDone()).as("send %d", i).isEqualTo(i < paid);
                            }
                            Messages.send(rank.world(), new byte[0], 1, sends.length + 1);
                            for (Operation send : sends) {
                                rank.world().await(send);
                            }
                        },
                        rank -> {
                            Messages.receive(rank.world(), 1, 0, 3 * paid);
                            Messages.receive(rank.world(), 0, 0, 3 * paid + 1);
                            for (int i = 3 * paid - 1; i >= 0; i--) {
                                assertThat(Messages.receive(rank.world(), i % 2, 0, i))
                                        .hasSize(i % 2);
                            }
                        });
    }

    @Test
    void shouldSendWholeWhatWasAnnouncedWhenThereIsCreditAgain() throws Exception {
        int paid = 10_000 / 512;
        new LocalRanks(2, settings -> settings.withEager(1000, 10_000))
                .runOnce(
                        rank -> {
                            Operation[] sends = new Operation[2 * paid];
                            for (int i = 0; i < sends.length; i++) {
                                sends[i] = rank.world()
                                        .send(Messages.payload(Messages.bytes(i, i % 3)), 1, i, SendMode.STANDARD);
                            }
                            // The other rank posts receives for the rest only after the synchronous message below,
                            // which tells it that these sends have ended.
                            for (int i = 0; i < paid + paid / 2; i++) {
                                rank.world().await(sends[i]);
                            }
                            Messages.send(rank.world(), new byte[0], 1, sends.length, SendMode.SYNCHRONOUS);
                            for (Operation send : sends) {
                                rank.world().await(send);
                            }
                        },
                        rank -> {
                            for (int i = 0; i < paid; i++) {
                                assertThat(Messages.receive(rank.world(), 2, 0, i))
                                        .isEqualTo(Messages.bytes(i, i % 3));
                            }
                            Messages.receive(rank.world(), 0, 0, 2 * paid);
                            for (int i = 2 * paid - 1; i >= paid; i--) {
                                assertThat(Messages.receive(rank.world(), 2, 0, i))
                                        .isEqualTo(Messages.bytes(i, i % 3));
                            }
                        });
    }

    @Test
    void shouldWithdrawWhatIsCancelledInTime() throws Exception {
        new LocalRanks(1).runOnce(rank -> {
            Operation receive = rank.self().receive(Messages.payload(new byte[1]), 0, 1);
            assertThat(rank.self().cancel(receive)).isTrue();
            assertThat(receive.isDone()).isTrue();
            assertThat(receive.isCancelled()).isTrue();
            Messages.send(rank.self(), new byte[] {5}, 0, 1);
            assertThat(Messages.receive(rank.self(), 1, 0, 1)).containsExactly(5);
        });
    }

    @Test
    void shouldServeSeveralThreadsOfOneRank() throws Exception {
        int threads = 4;
        int rounds = 300;
        new LocalRanks(2).runOnce(rank -> {
            Communicator world = rank.world();
            Thread[] others = new Thread[threads];
            Throwable[] thrown = new Throwable[threads];
            for (int t = 0; t < threads; t++) {
                int tag = t;
                others[t] = new Thread(() -> {
                    try {
                        for (int round = 0; round < rounds; round++) {
                            byte[] mine = Messages.bytes(round * threads + tag, 40);
                            if (world.rank() == 0) {
                                Messages.send(world, mine, 1, tag);
                                assertThat(Messages.receive(world, 40, 1, tag)).isEqualTo(mine);
                            } else {
                                assertThat(Messages.receive(world, 40, 0, tag)).isEqualTo(mine);
                                Messages.send(world, mine, 0, tag);
                            }
                        }
                    } catch (Throwable e) {
                        thrown[tag] = e;
                    }
                });
                others[t].start();
            }
            for (Thread other : others) {
                other.join();
            }
            assertThat(thrown).containsOnlyNulls();
        });
    }

    @Test
    void shouldKeepTheInterruptFlagAndWaitOn() throws Exception {
        new LocalRanks(2)
                .runOnce(
                        rank -> {
                            Thread.currentThread().interrupt();
                            assertThat(Messages.receive(rank.world(), 1, 1, 1)).containsExactly(7);
                            assertThat(Thread.interrupted()).isTrue();
                        },
                        rank -> {
                            Messages.send(rank.world(), new byte[] {7}, 0, 1);
                        });
    }

    @Test
    void shouldRefuseWorkAfterFinalize() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(rank -> {
                rank.finish();
                assertThat(rank.isOver()).isTrue();
                assertThatThrownBy(() -> rank.enterCall("send")).hasMessageContaining("MPI is finalized");
            });
            assertThat(ranks.goodbyes).doesNotContainNull();
        }
    }
}
