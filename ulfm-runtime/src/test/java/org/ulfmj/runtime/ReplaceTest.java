package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.runtime.Raised.fault;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.recovery.AgreedNotes;
import org.ulfmj.runtime.transfer.Operation;

/** Tests replace, by which a world keeps its size and ranks, as survivors and newcomers see it. */
class ReplaceTest {
    /**
     * Exchanges a message with the neighbours in a ring of all ranks, calls a barrier and agreements, checks that no
     * member has failed, and finalizes.
     */
    private static void useTheWorld(RankRuntime rank) {
        Communicator world = rank.world();
        int size = world.size();
        int right = (world.rank() + 1) % size;
        int left = (world.rank() + size - 1) % size;
        Operation sent = world.send(Messages.payload(new byte[] {(byte) world.rank()}), right, 3, SendMode.STANDARD);
        assertThat(Messages.receive(world, 1, left, 3)).containsExactly(left);
        world.await(sent);
        world.collectives().run(new BarrierSchedule());
        assertThat(world.recovery().failedRanks()).isEmpty();
        assertThat(world.recovery().agree(6 + (world.rank() & 1))).isEqualTo(6);
        assertThat(world.creation().dup().recovery().agree(7)).isEqualTo(7);
        rank.finish();
    }

    @Test
    void shouldGiveTheWorldItsSizeAndRanksBackWhenAMemberWasRestarted() throws Exception {
        try (LocalRanks ranks = new LocalRanks(4)) {
            LocalRanks.Program survivor = rank -> {
                Communicator before = rank.world();
                RankPolling.untilFailed(ranks, before, 1);
                before.recovery().revoke();
                if (rank.id().slot() == 0) {
                    ranks.restart(2, newcomer -> {
                        assertThat(newcomer.world().rank()).isEqualTo(2);
                        assertThat(newcomer.world().process(2)).isEqualTo(new ProcessId(2, 1));
                        assertThat(newcomer.self().size()).isEqualTo(1);
                        useTheWorld(newcomer);
                    });
                }
                Communicator world = before.recovery().replace();
                assertThat(world).isSameAs(rank.world()).isNotSameAs(before);
                assertThat(world.id()).isNotEqualTo(before.id());
                assertThat(world.label()).isEqualTo("COMM_WORLD");
                assertThat(world.size()).isEqualTo(4);
                assertThat(world.rank()).isEqualTo(rank.id().slot());
                assertThat(world.isRevoked()).isFalse();
                assertThat(world.process(2)).isEqualTo(new ProcessId(2, 1));
                assertThat(before.isFreed()).isTrue();
                useTheWorld(rank);
            };
            ranks.run(survivor, survivor, rank -> ranks.kill(2), survivor);
            assertThat(ranks.goodbyes)
                    .allSatisfy(goodbye -> assertThat(goodbye.isEmpty()).isTrue());
        }
    }

    @Test
    void shouldReplaceOneMemberAgainAndAgain() throws Exception {
        int rounds = 3;
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        for (int round = 1; round <= rounds; round++) {
                            RankPolling.untilFailed(ranks, rank.world(), 1);
                            boolean isLast = round == rounds;
                            ranks.restart(1, newcomer -> {
                                newcomer.world().collectives().run(new BarrierSchedule());
                                if (isLast) {
                                    useTheWorld(newcomer);
                                } else {
                                    ranks.kill(1);
                                }
                            });
                            rank.world().recovery().replace().collectives().run(new BarrierSchedule());
                            assertThat(rank.world().process(1)).isEqualTo(new ProcessId(1, round));
                        }
                        useTheWorld(rank);
                    },
                    rank -> ranks.kill(1));
        }
    }

    @Test
    void shouldBeTheSameWorldForAllWhenOneThatCameInHelpsToReplaceAnother() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            LocalRanks.Program second = rank -> {
                RankPolling.untilFailed(ranks, rank.world(), 1);
                rank.world().recovery().replace();
                useTheWorld(rank);
            };
            ranks.run(
                    rank -> {
                        RankPolling.untilFailed(ranks, rank.world(), 1);
                        rank.world().recovery().replace();
                        ranks.kill(0);
                        ranks.restart(0, ReplaceTest::useTheWorld);
                    },
                    rank -> {
                        RankPolling.untilFailed(ranks, rank.world(), 1);
                        ranks.restart(2, second);
                        rank.world().recovery().replace();
                        second.run(rank);
                    },
                    rank -> ranks.kill(2));
            assertThat(ranks.fenced).isEmpty();
        }
    }

    @Test
    void shouldBeginAnewWhenAllHaveDiedWithThoseThatWaitedAndThoseThatCameLater() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(
                    rank -> {
                        RankPolling.untilFailed(ranks, rank.world(), 1);
                        ranks.restart(1, ReplaceTest::useTheWorld);
                        RankPolling.until(ranks, () -> ranks.describe().contains("the others to call replace()"));
                        ranks.kill(2);
                        ranks.kill(0);
                        ranks.gather(ReplaceTest::useTheWorld, 0, 2);
                    },
                    rank -> ranks.kill(1),
                    rank -> RankPolling.untilFailed(ranks, rank.world(), 1));
            assertThat(ranks.rank(0).world().process(0)).isEqualTo(new ProcessId(0, 1));
        }
    }

    @Test
    void shouldOnlyRenameTheWorldWhenNoRankHasFailed() throws Exception {
        new LocalRanks(3).runOnce(rank -> {
            long before = rank.world().id();
            assertThat(rank.world().creation().dup().recovery().replace()).isSameAs(rank.world());
            assertThat(rank.world().id()).isNotEqualTo(before);
            useTheWorld(rank);
        });
    }

    @Test
    void shouldRaiseAtAllAndLeaveShrinkWhenNoReplacementWillCome() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            LocalRanks.Program survivor = rank -> {
                Communicator world = rank.world();
                RankPolling.untilFailed(ranks, world, 1);
                rank.news().onNoMore(1, "its 3 restarts are used up");
                CallError fault = fault(world.recovery()::replace);
                assertThat(fault.error()).isEqualTo(ErrorClass.SPAWN);
                assertThat(fault.failedRanks()).containsExactly(1);
                assertThat(fault)
                        .hasMessageStartingWith(
                                "replace on COMM_WORLD (3 ranks): no process took the place of rank 1 (")
                        .hasMessageContaining("shrink() goes on with those that are left");
                // A rank to which the launcher's news came later may have learned it from another member.
                assertThat(fault.getMessage())
                        .containsAnyOf("its 3 restarts are used up", "another member has been told that no process");
                assertThat(rank.world()).isSameAs(world);
                assertThat(world.recovery().shrink().recovery().agree(3)).isEqualTo(3);
            };
            ranks.run(survivor, rank -> ranks.kill(1), survivor);
        }
    }

    @Test
    void shouldGoOnSmallerWhenThePolicyIsToShrinkAndTheLauncherIsGone() throws Exception {
        ReplaceTerms terms = new ReplaceTerms(false, 4, TimeUnit.SECONDS.toNanos(60));
        try (LocalRanks ranks = new LocalRanks(3, settings -> settings.withReplace(terms))) {
            LocalRanks.Program survivor = rank -> {
                RankPolling.untilFailed(ranks, rank.world(), 1);
                rank.news().onNoMoreReplacements("the launcher is gone");
                Communicator world = rank.world().recovery().replace();
                assertThat(world.size()).isEqualTo(2);
                assertThat(rank.world()).isSameAs(world);
                assertThat(world.recovery().replace().size()).isEqualTo(2);
                useTheWorld(rank);
            };
            ranks.run(survivor, rank -> ranks.kill(1), survivor);
            assertThat(ranks.goodbyes[0].toArray()).containsExactly(1);
        }
    }

    @Test
    void shouldRaiseAtAllWhenTheTimeIsOver() throws Exception {
        ReplaceTerms terms = new ReplaceTerms(true, 4, TimeUnit.MILLISECONDS.toNanos(50));
        try (LocalRanks ranks = new LocalRanks(3, settings -> settings.withReplace(terms))) {
            LocalRanks.Program survivor = rank -> {
                RankPolling.untilFailed(ranks, rank.world(), 1);
                assertThat(fault(rank.world().recovery()::replace).error()).isEqualTo(ErrorClass.SPAWN);
            };
            ranks.run(survivor, rank -> ranks.kill(1), survivor);
        }
    }

    @Test
    void shouldRefuseCommunicatorsThatAreNotTheWorld() throws Exception {
        new LocalRanks(3).runOnce(rank -> {
            Communicator part = rank.world().creation().split(rank.id().slot() % 2, 0);
            CallError fault = fault(part.recovery()::replace);
            assertThat(fault.error()).isEqualTo(ErrorClass.COMM);
            assertThat(fault)
                    .hasMessageContaining("it does not have the members of the present world, which has 3 of epoch 0")
                    .hasMessageContaining("Call it on COMM_WORLD");
            Communicator copy = rank.world().creation().dup();
            rank.world().recovery().replace();
            assertThat(fault(copy.recovery()::replace).error()).isEqualTo(ErrorClass.COMM);
            assertThat(fault(rank.self().recovery()::replace).error()).isEqualTo(ErrorClass.COMM);
            useTheWorld(rank);
        });
    }

    @Test
    void shouldNameTheCallsWhenOneReplacesAndAnotherShrinks() throws Exception {
        new LocalRanks(2)
                .runOnce(
                        rank -> {
                            CallError fault =
                                    fault(() -> rank.world().recovery().replace());
                            assertThat(fault.error()).isEqualTo(ErrorClass.ARG);
                            assertThat(fault)
                                    .hasMessageContaining("this rank called replace at ")
                                    .hasMessageContaining("rank 1 called shrink");
                        },
                        rank -> {
                            CallError fault =
                                    fault(() -> rank.world().recovery().shrink());
                            assertThat(fault.error()).isEqualTo(ErrorClass.ARG);
                            assertThat(fault).hasMessageContaining("rank 0 called replace");
                        });
    }

    @Test
    void shouldEndWhatIsUnderWayInTheOldWorld() throws Exception {
        new LocalRanks(2).runOnce(rank -> {
            Communicator before = rank.world();
            Operation never = before.receive(Messages.payload(new byte[1]), 1 - before.rank(), 9);
            before.recovery().replace();
            assertThat(fault(() -> before.await(never)).error()).isEqualTo(ErrorClass.REVOKED);
            assertThat(fault(() -> before.recovery().agree(1)).error()).isEqualTo(ErrorClass.COMM);
            useTheWorld(rank);
        });
    }

    @Test
    void shouldKeepTheDeadMemberInOlderCommunicators() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            LocalRanks.Program survivor = rank -> {
                Communicator old = rank.world().creation().dup();
                rank.world().collectives().run(new BarrierSchedule());
                Messages.send(rank.world(), new byte[1], 1, 8);
                RankPolling.untilFailed(ranks, rank.world(), 1);
                if (rank.id().slot() == 0) {
                    ranks.restart(1, ReplaceTest::useTheWorld);
                }
                rank.world().recovery().replace();
                assertThat(old.process(1)).isEqualTo(ProcessId.of(1));
                assertThat(old.recovery().failedRanks()).containsExactly(1);
                assertThat(fault(() -> old.collectives().run(new BarrierSchedule()))
                                .error())
                        .isEqualTo(ErrorClass.PROC_FAILED);
                assertThat(fault(() -> Messages.send(old, new byte[1], 1, 1)).error())
                        .isEqualTo(ErrorClass.PROC_FAILED);
                Communicator rest = old.recovery().shrink();
                assertThat(rest.size()).isEqualTo(2);
                rest.collectives().run(new BarrierSchedule());
                rest.free();
                old.free();
                useTheWorld(rank);
            };
            ranks.run(
                    survivor,
                    rank -> {
                        rank.world().creation().dup();
                        rank.world().collectives().run(new BarrierSchedule());
                        Messages.receive(rank.world(), 1, 0, 8);
                        Messages.receive(rank.world(), 1, 2, 8);
                        ranks.kill(1);
                    },
                    survivor);
        }
    }

    @Test
    void shouldSayWhatReplaceAndANewcomerWaitFor() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(
                    rank -> {
                        RankPolling.untilFailed(ranks, rank.world(), 1);
                        rank.world().recovery().replace();
                        useTheWorld(rank);
                    },
                    rank -> ranks.kill(1),
                    rank -> {
                        RankPolling.untilFailed(ranks, rank.world(), 1);
                        RankPolling.until(ranks, () -> ranks.describe()
                                .contains("replace on COMM_WORLD for rank 2, agreement 1"));
                        Thread helper = new Thread(() -> {
                            RankPolling.until(ranks, () -> ranks.describe()
                                    .contains("replace on COMM_WORLD, for a new process in the place of rank 1"));
                            ranks.restart(1, ReplaceTest::useTheWorld);
                        });
                        helper.start();
                        rank.world().recovery().replace();
                        helper.join();
                        useTheWorld(rank);
                    });
        }
    }

    @Test
    void shouldTellANewcomerThatTheOthersHaveGoneOn() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        RankPolling.untilFailed(ranks, rank.world(), 1);
                        ranks.restart(1, newcomer -> {
                            throw new AssertionError("admitted");
                        });
                        RankPolling.until(ranks, () -> ranks.describe().contains("the others to call replace()"));
                        ranks.rank(1).news().onGoneOnWithout("all others have finalized");
                    },
                    rank -> ranks.kill(1));
            assertThat(ranks.refused[1]).isEqualTo("all others have finalized");
            assertThat(fault(() -> ranks.rank(1).enterCall("barrier")))
                    .hasMessage("process 1'1 is no member of the world: all others have finalized");
        }
    }

    @Test
    void shouldRefuseWithoutFaultTolerance() throws Exception {
        new LocalRanks(2, settings -> settings.withFaultTolerance(false)).runOnce(rank -> {
            CallError fault = fault(() -> rank.world().recovery().replace());
            assertThat(fault.error()).isEqualTo(ErrorClass.UNSUPPORTED_OPERATION);
            assertThat(fault).hasMessageContaining("--with-ft none");
        });
    }

    @Test
    void shouldShowEachMemberTheNotesOfAll() throws Exception {
        new LocalRanks(3).runOnce(rank -> {
            for (Kind kind : new Kind[] {Kind.SUMMARY, Kind.COMMIT}) {
                byte[] mine = {(byte) (10 + rank.id().slot())};
                AgreedNotes notes = rank.world().recovery().agreeNotes(kind, mine);
                assertThat(notes.isOfThisKindOnly()).isTrue();
                assertThat(notes.failed().isEmpty()).isTrue();
                assertThat(notes.notes().keySet()).containsExactly(0, 1, 2);
                assertThat(notes.notes().get(2)).containsExactly(12);
            }
        });
    }
}
