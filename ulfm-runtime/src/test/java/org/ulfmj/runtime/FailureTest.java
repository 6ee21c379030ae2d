package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.collective.BarrierSchedule;

/** What operations meet when a member fails or the communicator is revoked: the table of errors, by row. */
class FailureTest {
    private static Fault fault(ThrowingCallable call) {
        Fault fault = catchThrowableOfType(Fault.class, call);
        assertThat(fault).as("the call did not raise a fault").isNotNull();
        return fault;
    }

    private static ErrorClass error(ThrowingCallable call) {
        return fault(call).error();
    }

    private static void awaitFailures(Communicator on, int count) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (on.failedRanks().length < count && System.nanoTime() - deadlineNs < 0) {
            Thread.onSpinWait();
        }
        assertThat(on.failedRanks()).hasSizeGreaterThanOrEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 200_000})
    void shouldRaiseAtNamedReceiveWhenTheSenderDies(int length) throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        Fault fault = fault(() -> Messages.receive(world, length, 1, 4));
                        assertThat(fault.error()).isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(fault.failedRanks()).containsExactly(1);
                        assertThat(fault)
                                .hasMessageContaining(
                                        "receive from rank 1, tag 4 on COMM_WORLD (3 ranks): rank 1 (process"
                                                + " 1) has failed: declared by process 1, thread 1 was killed, ")
                                .hasMessageContaining("shrink() leaves it out");
                        Messages.send(world, new byte[] {1}, 2, 1);
                        rank.finish();
                    },
                    rank -> ranks.kill(1),
                    rank -> {
                        assertThat(Messages.receive(rank.world(), 1, 0, 1)).containsExactly(1);
                        rank.finish();
                    });
            assertThat(ranks.goodbyes[0].toArray()).containsExactly(1);
        }
    }

    @Test
    void shouldRaiseAtSendsToTheDead() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        Operation large = world.send(Messages.payload(new byte[1 << 20]), 1, 1, SendMode.STANDARD);
                        Operation matched = world.send(Messages.payload(new byte[1]), 1, 1, SendMode.SYNCHRONOUS);
                        assertThat(error(() -> world.await(large))).isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(error(() -> world.await(matched))).isEqualTo(ErrorClass.PROC_FAILED);
                        Operation posted = world.send(Messages.payload(new byte[1]), 1, 1, SendMode.STANDARD);
                        assertThat(error(() -> world.await(posted))).isEqualTo(ErrorClass.PROC_FAILED);
                        rank.finish();
                    },
                    rank -> ranks.kill(1));
        }
    }

    @Test
    void shouldDeliverWhatTheDeadHadSentWhole() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        awaitFailures(world, 1);
                        assertThat(world.probe(Communicator.ANY_SOURCE, 3)).isEqualTo(new Envelope(1, 3, 100));
                        assertThat(Messages.receive(world, 100, 1, 3)).isEqualTo(Messages.bytes(1, 100));
                        assertThat(Messages.receive(world, 100, Communicator.ANY_SOURCE, 3))
                                .isEqualTo(Messages.bytes(2, 100));
                        assertThat(error(() -> Messages.receive(world, 100, 1, 3)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        rank.finish();
                    },
                    rank -> {
                        Messages.send(rank.world(), Messages.bytes(1, 100), 0, 3);
                        Messages.send(rank.world(), Messages.bytes(2, 100), 0, 3);
                        rank.world().send(Messages.payload(new byte[100_000]), 0, 3, SendMode.STANDARD);
                        ranks.kill(1);
                    });
        }
    }

    /** Waits as a request does. */
    private static Fault whyHeldUp(RankRuntime rank, Operation operation) {
        try (OperationSet set = rank.operations("wait")) {
            set.add(operation);
            set.awaitAll();
            return set.fault(operation);
        }
    }

    @Test
    void shouldHoldUpWildcardsUntilEveryFailureIsAcknowledged() throws Exception {
        CountDownLatch secondMayDie = new CountDownLatch(1);
        CountDownLatch thirdMayDie = new CountDownLatch(1);
        try (LocalRanks ranks = new LocalRanks(4)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        assertThat(error(() -> Messages.receive(world, 1, Communicator.ANY_SOURCE, 1)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        secondMayDie.countDown();
                        awaitFailures(world, 2);
                        assertThat(world.failedRanks()).containsExactly(3, 2);
                        byte[] got = new byte[1];
                        Operation request = world.receive(Messages.payload(got), Communicator.ANY_SOURCE, 1);
                        assertThat(world.acknowledge(0)).isZero();
                        assertThat(whyHeldUp(rank, request).error()).isEqualTo(ErrorClass.PROC_FAILED_PENDING);
                        assertThat(world.acknowledge(1)).isEqualTo(1);
                        Fault pending = whyHeldUp(rank, request);
                        assertThat(pending.error()).isEqualTo(ErrorClass.PROC_FAILED_PENDING);
                        assertThat(pending).hasMessageContaining("ackFailed()");
                        assertThat(error(() -> world.probe(Communicator.ANY_SOURCE, 1)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(error(() -> world.tryProbe(Communicator.ANY_SOURCE, 1)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(world.acknowledge(4)).isEqualTo(2);
                        assertThat(world.tryProbe(Communicator.ANY_SOURCE, 2)).isNull();
                        Messages.send(world, new byte[0], 1, 0);
                        assertThat(whyHeldUp(rank, request)).isNull();
                        assertThat(request.error()).isEqualTo(ErrorClass.SUCCESS);
                        assertThat(got).containsExactly(6);
                        thirdMayDie.countDown();
                        awaitFailures(world, 3);
                        assertThat(world.failedRanks()).containsExactly(3, 2, 1);
                        assertThat(world.acknowledge(0)).isEqualTo(2);
                        assertThat(error(() -> Messages.receive(world, 1, Communicator.ANY_SOURCE, 1)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        rank.finish();
                    },
                    rank -> {
                        Messages.receive(rank.world(), 0, 0, 0);
                        Messages.send(rank.world(), new byte[] {6}, 0, 1);
                        thirdMayDie.await();
                        ranks.kill(1);
                    },
                    rank -> {
                        secondMayDie.await();
                        ranks.kill(2);
                    },
                    rank -> ranks.kill(3));
        }
    }

    @Test
    void shouldNotCallHeldUpWhatTheSameLookEnds() throws Exception {
        CountDownLatch maySend = new CountDownLatch(1);
        CountDownLatch hasSent = new CountDownLatch(1);
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        awaitFailures(world, 1);
                        Operation request = world.receive(Messages.payload(new byte[1]), Communicator.ANY_SOURCE, 1);
                        // The set holds the engine: nobody else takes the message out of its lane.
                        try (OperationSet set = rank.operations("test")) {
                            maySend.countDown();
                            hasSent.await();
                            set.add(request);
                            assertThat(set.isTroubled()).as("before the look").isTrue();
                            set.poll();
                            assertThat(set.hasOpen()).isFalse();
                            assertThat(set.isTroubled()).isFalse();
                        }
                        rank.finish();
                    },
                    rank -> {
                        maySend.await();
                        Messages.send(rank.world(), new byte[1], 0, 1);
                        hasSent.countDown();
                        rank.finish();
                    },
                    rank -> ranks.kill(2));
        }
    }

    @Test
    void shouldNotDisturbOthersWhenAMemberDies() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            // Creation is checked on entry: a member must not die before the others have entered.
            CountDownLatch made = new CountDownLatch(3);
            ranks.run(rank -> {
                Communicator world = rank.world();
                Communicator pair = world.create(new int[] {0, 1});
                made.countDown();
                made.await();
                if (world.rank() == 2) {
                    assertThat(pair).isNull();
                    ranks.kill(2);
                    return;
                }
                awaitFailures(world, 1);
                assertThat(error(() -> world.run(new BarrierSchedule()))).isEqualTo(ErrorClass.PROC_FAILED);
                assertThat(error(world::dup)).isEqualTo(ErrorClass.PROC_FAILED);
                world.acknowledge(1);
                assertThat(error(() -> world.run(new BarrierSchedule()))).isEqualTo(ErrorClass.PROC_FAILED);
                pair.run(new BarrierSchedule());
                assertThat(pair.failedRanks()).isEmpty();
                Communicator again = pair.dup();
                again.run(new BarrierSchedule());
                Messages.send(world, new byte[] {3}, 1 - world.rank(), 0);
                assertThat(Messages.receive(world, 1, 1 - world.rank(), 0)).containsExactly(3);
                Communicator group = world.createGroup(new int[] {1, 0}, 5);
                assertThat(group.rank()).isEqualTo(1 - world.rank());
                group.run(new BarrierSchedule());
                rank.finish();
            });
        }
    }

    @Test
    void shouldEndWaitingCollectivesWhenAMemberDies() throws Exception {
        try (LocalRanks ranks = new LocalRanks(4)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                if (world.rank() == 3) {
                    ranks.kill(3);
                    return;
                }
                Fault fault = fault(() -> world.run(new BarrierSchedule()));
                assertThat(fault.error()).isEqualTo(ErrorClass.PROC_FAILED);
                assertThat(fault)
                        .hasMessageContaining("barrier on COMM_WORLD (4 ranks): rank 3 (process 3) has failed");
                rank.finish();
            });
        }
    }

    @Test
    void shouldTellOfARevokedReceiveWhatItWasWhenAnotherHasUsedItsOperation() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                Communicator other = world.dup();
                if (world.rank() == 0) {
                    Messages.receive(world, 0, 1, 1);
                    other.revoke();
                    Messages.send(world, new byte[0], 1, 2);
                } else {
                    Operation waits = other.receive(Messages.payload(new byte[8]), 0, 77);
                    Messages.send(world, new byte[0], 0, 1);
                    Fault fault = fault(() -> other.await(waits));
                    other.release(waits);
                    Messages.receive(world, 0, 0, 2);
                    assertThat(fault)
                            .hasMessageStartingWith(
                                    "receive from rank 0, tag 77 on dup of COMM_WORLD (2 ranks): the communicator is"
                                            + " revoked. Only");
                }
                rank.finish();
            });
        }
    }

    @Test
    void shouldEndEverythingOnARevokedCommunicator() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                Communicator other = world.dup();
                if (world.rank() == 2) {
                    Messages.send(other, new byte[100], 0, 9);
                    Messages.receive(world, 0, 0, 1);
                    Messages.receive(world, 0, 1, 1);
                    other.revoke();
                    assertThat(other.isRevoked()).isTrue();
                    other.revoke();
                } else if (world.rank() == 1) {
                    Operation large = other.send(Messages.payload(new byte[1 << 20]), 2, 2, SendMode.STANDARD);
                    Messages.send(world, new byte[0], 2, 1);
                    assertThat(error(() -> other.await(large))).isEqualTo(ErrorClass.REVOKED);
                    assertThat(error(() -> Messages.receive(other, 1, 0, 5))).isEqualTo(ErrorClass.REVOKED);
                } else {
                    Messages.send(world, new byte[0], 2, 1);
                    Fault fault = fault(() -> other.run(new BarrierSchedule()));
                    assertThat(fault.error()).isEqualTo(ErrorClass.REVOKED);
                    assertThat(fault)
                            .hasMessage(
                                    "barrier on dup of COMM_WORLD (3 ranks): the communicator is revoked. Only agree(),"
                                            + " shrink(), replace() and free() work on it; shrink() gives a communicator of the"
                                            + " survivors.");
                    assertThat(error(() -> Messages.receive(other, 100, 2, 9))).isEqualTo(ErrorClass.REVOKED);
                }
                assertThat(error(() -> Messages.send(other, new byte[1], 0, 0))).isEqualTo(ErrorClass.REVOKED);
                assertThat(error(() -> other.probe(0, 0))).isEqualTo(ErrorClass.REVOKED);
                assertThat(error(() -> other.checkRevoked("send"))).isEqualTo(ErrorClass.REVOKED);
                assertThat(error(other::dup)).isEqualTo(ErrorClass.REVOKED);
                assertThat(error(() -> other.split(0, 0))).isEqualTo(ErrorClass.REVOKED);
                assertThat(other.agree(0b110 | world.rank() & 1)).isEqualTo(0b110);
                Communicator shrunk = other.shrink();
                assertThat(shrunk.isRevoked()).isFalse();
                shrunk.run(new BarrierSchedule());
                other.free();
                assertThat(error(() -> other.agree(1))).isEqualTo(ErrorClass.COMM);
                world.run(new BarrierSchedule());
                rank.finish();
            });
        }
    }

    @Test
    void shouldAgreeOnTheAndAndRaiseUntilFailuresAreAcknowledged() throws Exception {
        try (LocalRanks ranks = new LocalRanks(4)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                assertThat(world.agree(0b1011 | world.rank() << 4)).isEqualTo(0b1011);
                if (world.rank() == 1) {
                    ranks.kill(1);
                    return;
                }
                Fault fault = fault(() -> world.agree(world.rank() == 0 ? 0b1101 : 0b1110));
                assertThat(fault.error()).isEqualTo(ErrorClass.PROC_FAILED);
                assertThat(fault.agreedValue()).isEqualTo(0b1100);
                assertThat(fault.failedRanks()).containsExactly(1);
                assertThat(fault).hasMessageContaining("not every member has acknowledged the failure of rank 1");
                world.acknowledge(4);
                assertThat(world.agree(3)).isEqualTo(3);
                assertThat(world.agreeFailed()).containsExactly(1);
                rank.finish();
            });
        }
    }

    @Test
    void shouldShrinkAgainAndAgainUntilOneIsLeft() throws Exception {
        int size = 6;
        try (LocalRanks ranks = new LocalRanks(size)) {
            ranks.run(rank -> {
                Communicator current = rank.world();
                while (current.size() > 1) {
                    if (current.rank() == current.size() - 1) {
                        ranks.kill(rank.id().slot());
                    }
                    current.revoke();
                    int expected = current.size() - 1;
                    Communicator next = current.shrink();
                    while (next.size() > expected) {
                        next = next.shrink();
                    }
                    assertThat(next.size()).isEqualTo(expected);
                    assertThat(next.rank()).isEqualTo(current.rank());
                    try {
                        next.run(new BarrierSchedule());
                    } catch (Fault failedAgain) {
                        assertThat(failedAgain.error()).isIn(ErrorClass.PROC_FAILED, ErrorClass.REVOKED);
                    }
                    current = next;
                }
                assertThat(rank.id().slot()).isZero();
                rank.finish();
            });
            assertThat(ranks.goodbyes[0].toArray()).containsExactly(1, 2, 3, 4, 5);
        }
    }

    @Test
    void shouldTellEverybodyWhenCallsAreMixed() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                Fault fault = fault(() -> {
                    if (world.rank() == 0) {
                        world.shrink();
                    } else if (world.rank() == 1) {
                        world.agree(1);
                    } else {
                        rank.finish();
                    }
                });
                assertThat(fault.error()).isEqualTo(ErrorClass.ARG);
                String[] calls = {"shrink", "agree", "Finalize"};
                for (int other = 0; other < 3; other++) {
                    assertThat(fault)
                            .hasMessageContaining(
                                    (other == world.rank() ? "this rank called " : "rank " + other + " called ")
                                            + calls[other]);
                }
                world.run(new BarrierSchedule());
                rank.finish();
            });
        }
    }

    @Test
    void shouldFenceARankThatOthersHoldForFailed() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(
                    rank -> {
                        rank.onEvidence(
                                ProcessId.of(2),
                                new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(0), "silent in this test"));
                        assertThat(error(() -> Messages.receive(rank.world(), 1, 2, 0)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(rank.world().shrink().size()).isEqualTo(2);
                        rank.finish();
                    },
                    rank -> {
                        assertThat(rank.world().shrink().size()).isEqualTo(2);
                        rank.finish();
                    },
                    rank -> {
                        Fault fault = fault(() -> Messages.receive(rank.world(), 1, 0, 0));
                        assertThat(fault.error()).isEqualTo(ErrorClass.PROC_ABORTED);
                        assertThat(error(() -> rank.enterCall("send"))).isEqualTo(ErrorClass.PROC_ABORTED);
                    });
            assertThat(ranks.fenced).hasSize(1).first().asString().startsWith("2: ");
        }
    }

    @Test
    void shouldStopAtTheCallThatATriggerNames() throws Exception {
        FaultTrigger third = new FaultTrigger(1, "barrier", 3);
        try (LocalRanks ranks = new LocalRanks(
                2, (slot, settings) -> slot == 1 ? settings.withTriggers(java.util.List.of(third)) : settings)) {
            int[] passed = new int[2];
            ranks.run(rank -> {
                try {
                    for (int i = 0; i < 5; i++) {
                        rank.enterCall("barrier");
                        rank.world().run(new BarrierSchedule());
                        passed[rank.id().slot()]++;
                    }
                } catch (Fault failed) {
                    assertThat(failed.error()).isEqualTo(ErrorClass.PROC_FAILED);
                }
                rank.finish();
            });
            assertThat(passed).containsExactly(2, 2);
            assertThat(catchThrowableOfType(
                            LocalRanks.Killed.class, () -> ranks.rank(1).enterCall("barrier")))
                    .isNotNull();
        }
    }

    @Test
    void shouldReduceAgreeToAnAllreduceWithoutFaultTolerance() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3, settings -> settings.withFaultTolerance(false))) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                assertThat(world.agree(6 | world.rank() & 1)).isEqualTo(6);
                assertThat(world.agreeFailed()).isEmpty();
                Communicator same = world.shrink();
                assertThat(same.size()).isEqualTo(3);
                same.run(new BarrierSchedule());
                rank.finish();
            });
        }
    }

    @Test
    void shouldEndTheJobAtAFailureWithoutFaultTolerance() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2, settings -> settings.withFaultTolerance(false))) {
            ranks.run(
                    rank -> {
                        ranks.kill(1);
                        while (ranks.abortCount() == 0) {
                            rank.world().tryProbe(1, 0);
                        }
                    },
                    rank -> {});
            assertThat(ranks.aborts).first().asString().contains("process 1 failed (thread 1 was killed)");
        }
    }

    @Test
    void shouldHoldMessagesForACommunicatorThatIsMadeLater() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                if (world.rank() == 0) {
                    Communicator made = world.dup();
                    Messages.send(made, Messages.bytes(1, 1000), 1, 1);
                    Operation large = made.send(Messages.payload(Messages.bytes(2, 100_000)), 1, 1, SendMode.STANDARD);
                    Messages.send(world, new byte[0], 1, 0);
                    made.await(large);
                } else {
                    Messages.receive(world, 0, 0, 0);
                    Communicator made = world.dup();
                    assertThat(Messages.receive(made, 1000, 0, 1)).isEqualTo(Messages.bytes(1, 1000));
                    assertThat(Messages.receive(made, 100_000, 0, 1)).isEqualTo(Messages.bytes(2, 100_000));
                }
                rank.finish();
            });
        }
    }

    /** A communicator whose id all members know, as after a recovery call that this rank is slow to return from. */
    private static Communicator make(RankRuntime rank, long id) {
        rank.engine().enter();
        try {
            Membership members = Membership.initial(rank.world().size());
            return rank.factory().create(id, members.slots(), members, "late");
        } finally {
            rank.engine().leave();
        }
    }

    private static void awaitUnderLock(RankRuntime rank, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        boolean isReached = false;
        while (!isReached) {
            assertThat(System.nanoTime() - deadlineNs).as("time left").isNegative();
            rank.engine().enter();
            try {
                isReached = condition.getAsBoolean();
            } finally {
                rank.engine().leave();
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldDeliverWhatTheDeadHadSentWholeOnACommunicatorMadeLater() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        awaitFailures(rank.world(), 1);
                        Communicator late = make(rank, 77);
                        assertThat(Messages.receive(late, 100, 1, 3)).isEqualTo(Messages.bytes(1, 100));
                        assertThat(error(() -> Messages.receive(late, 100_000, 1, 3)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        late.acknowledge(1);
                        assertThat(late.tryProbe(Communicator.ANY_SOURCE, 3)).isNull();
                        rank.finish();
                    },
                    rank -> {
                        Communicator early = make(rank, 77);
                        Messages.send(early, Messages.bytes(1, 100), 0, 3);
                        early.send(Messages.payload(new byte[100_000]), 0, 3, SendMode.STANDARD);
                        ranks.kill(1);
                    });
        }
    }

    @Test
    void shouldLetNoMessageOvertakeOneThatWasLostWithItsSender() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        Messages.receive(world, 0, 1, 9);
                        Messages.send(world, new byte[0], 1, 0);
                        awaitFailures(world, 1);
                        world.acknowledge(1);
                        assertThat(world.tryProbe(Communicator.ANY_SOURCE, 3)).isNull();
                        assertThat(world.tryProbe(Communicator.ANY_SOURCE, Communicator.ANY_TAG))
                                .isNull();
                        assertThat(error(() -> world.tryProbe(1, 3))).isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(Messages.receive(world, 1, Communicator.ANY_SOURCE, 4))
                                .containsExactly(4);
                        assertThat(error(() -> Messages.receive(world, 100_000, 1, 3)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(world.tryProbe(1, 3).lengthBytes()).isOne();
                        assertThat(Messages.receive(world, 1, Communicator.ANY_SOURCE, Communicator.ANY_TAG))
                                .containsExactly(3);
                        assertThat(error(() -> Messages.receive(world, 1, 1, 3)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        rank.finish();
                    },
                    rank -> {
                        Communicator world = rank.world();
                        world.send(Messages.payload(new byte[100_000]), 0, 3, SendMode.STANDARD);
                        Messages.send(world, new byte[] {3}, 0, 3);
                        Messages.send(world, new byte[] {4}, 0, 4);
                        Messages.send(world, new byte[0], 0, 9);
                        Messages.receive(world, 0, 0, 0);
                        ranks.kill(1);
                    });
        }
    }

    @Test
    void shouldLetNoMessageOvertakeOneThatWasLostOnACommunicatorMadeLater() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        awaitFailures(rank.world(), 1);
                        Communicator late = make(rank, 77);
                        assertThat(error(() -> Messages.receive(late, 100_000, 1, 3)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(Messages.receive(late, 1, 1, 3)).containsExactly(3);
                        rank.finish();
                    },
                    rank -> {
                        Communicator early = make(rank, 77);
                        early.send(Messages.payload(new byte[100_000]), 0, 3, SendMode.STANDARD);
                        Messages.send(early, new byte[] {3}, 0, 3);
                        ranks.kill(1);
                    });
        }
    }

    @Test
    void shouldNotOfferWhatTheDeadCanNoLongerSend() throws Exception {
        CountDownLatch otherMaySend = new CountDownLatch(1);
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        assertThat(world.probe(1, 3).lengthBytes()).isEqualTo(100_000);
                        Messages.send(world, new byte[0], 1, 0);
                        awaitFailures(world, 1);
                        world.acknowledge(1);
                        assertThat(world.tryProbe(Communicator.ANY_SOURCE, 3)).isNull();
                        otherMaySend.countDown();
                        assertThat(Messages.receive(world, 1, Communicator.ANY_SOURCE, 3))
                                .containsExactly(2);
                        rank.finish();
                    },
                    rank -> {
                        rank.world().send(Messages.payload(new byte[100_000]), 0, 3, SendMode.STANDARD);
                        Messages.receive(rank.world(), 0, 0, 0);
                        ranks.kill(1);
                    },
                    rank -> {
                        otherMaySend.await();
                        Messages.send(rank.world(), new byte[] {2}, 0, 3);
                        rank.finish();
                    });
        }
    }

    @Test
    void shouldDropWhatIsHeldForACommunicatorThatIsRevokedBeforeItIsMadeHere() throws Exception {
        int length = 1000;
        try (LocalRanks ranks = new LocalRanks(2, settings -> settings.withEager(length, 2 * length))) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        Communicator early = make(rank, 77);
                        Messages.send(early, new byte[length], 1, 1);
                        Messages.send(early, new byte[length], 1, 1);
                        Operation offered = early.send(Messages.payload(new byte[100_000]), 1, 1, SendMode.STANDARD);
                        Messages.receive(world, 0, 1, 0);
                        EagerCredit credit = rank.engine().peers().of(ProcessId.of(1)).credit;
                        assertThat(credit.allows(1)).isFalse();
                        early.revoke();
                        assertThat(error(() -> early.await(offered))).isEqualTo(ErrorClass.REVOKED);
                        awaitUnderLock(rank, () -> credit.allows(length));
                        Messages.send(world, new byte[0], 1, 2);
                        rank.finish();
                    },
                    rank -> {
                        awaitUnderLock(rank, () -> rank.engine().held().size() == 3);
                        Messages.send(rank.world(), new byte[0], 0, 0);
                        awaitUnderLock(rank, () -> rank.engine().held().size() == 0);
                        Messages.receive(rank.world(), 0, 0, 2);
                        Communicator late = make(rank, 77);
                        assertThat(late.isRevoked()).isTrue();
                        assertThat(error(() -> Messages.receive(late, length, 0, 1)))
                                .isEqualTo(ErrorClass.REVOKED);
                        rank.finish();
                    });
        }
    }

    @Test
    void shouldDropWhatIsHeldForWhatARevokedParentWillNeverMakeHere() throws Exception {
        int length = 1000;
        try (LocalRanks ranks = new LocalRanks(2, settings -> settings.withEager(length, 2 * length))) {
            ranks.run(
                    rank -> {
                        Communicator loop = rank.world().dup();
                        loop.revokeOffspring(true);
                        Communicator made = loop.dup();
                        Messages.send(made, new byte[length], 1, 1);
                        Messages.send(made, new byte[length], 1, 1);
                        EagerCredit credit = rank.engine().peers().of(ProcessId.of(1)).credit;
                        assertThat(credit.allows(1)).isFalse();
                        Messages.receive(rank.world(), 0, 1, 0);
                        loop.revoke();
                        assertThat(made.isRevoked()).isTrue();
                        assertThat(error(() -> Messages.receive(made, length, 1, 1)))
                                .isEqualTo(ErrorClass.REVOKED);
                        awaitUnderLock(rank, () -> credit.allows(length));
                        Messages.send(rank.world(), new byte[0], 1, 2);
                        rank.finish();
                    },
                    rank -> {
                        Communicator loop = rank.world().dup();
                        loop.revokeOffspring(true);
                        awaitUnderLock(rank, () -> rank.engine().held().size() == 2);
                        Messages.send(rank.world(), new byte[0], 0, 0);
                        awaitUnderLock(rank, () -> rank.engine().held().size() == 0);
                        assertThat(error(loop::dup)).isEqualTo(ErrorClass.REVOKED);
                        Messages.receive(rank.world(), 0, 0, 2);
                        rank.finish();
                    });
        }
    }

    @Test
    void shouldSplitByColourAndOrderByKey() throws Exception {
        try (LocalRanks ranks = new LocalRanks(5)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                int colour = world.rank() == 4 ? Communicator.UNDEFINED : world.rank() % 2;
                Communicator part = world.split(colour, -world.rank());
                if (world.rank() == 4) {
                    assertThat(part).isNull();
                } else {
                    assertThat(part.size()).isEqualTo(2);
                    assertThat(part.rank()).isEqualTo(world.rank() < 2 ? 1 : 0);
                    ByteBuffer mine = ByteBuffer.allocate(4).putInt(0, world.rank());
                    Messages.send(part, mine.array(), 1 - part.rank(), 0);
                    byte[] got = Messages.receive(part, 4, 1 - part.rank(), 0);
                    assertThat(ByteBuffer.wrap(got).getInt()).isEqualTo(world.rank() ^ 2);
                    part.free();
                }
                rank.finish();
            });
        }
    }
}
