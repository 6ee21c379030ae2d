package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.awaitRevoked;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.slots;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import mpi.Comm;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests making communicators, mostly when members die or have revoked the parent, or when some members are left out.
 */
class CommunicatorCreationTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private static Group group(int... ranks) {
        return WORLD.getGroup().incl(ranks);
    }

    /**
     * Returns ways to make a communicator that ranks 0 and 1 of the parent belong to; rank 1 need not wait for rank 0
     * to make it.
     */
    static Stream<Named<Function<Intracomm, Intracomm>>> makers() {
        return Stream.of(
                Named.of("dup", Intracomm::dup),
                Named.of("iDup", CommunicatorCreationTest::duplicate),
                Named.of("create", parent -> parent.create(group(1, 0))),
                Named.of("createGroup", parent -> parent.createGroup(group(0, 1, 3), 2)));
    }

    @ParameterizedTest
    @MethodSource("makers")
    void shouldNotLetAMemberWaitOnACommunicatorThatAnotherCouldNotMake(Function<Intracomm, Intracomm> maker) {
        CountDownLatch made = new CountDownLatch(1);
        survivorsSucceed(4, rank -> {
            switch (rank) {
                case 0 -> {
                    made.await();
                    awaitFailed(WORLD, 3);
                    raises(MPI.ERR_PROC_FAILED, () -> maker.apply(WORLD));
                }
                case 1 -> {
                    Intracomm mine = maker.apply(WORLD);
                    made.countDown();
                    int zero = mine.getRank() == 0 ? 1 : 0;
                    raises(MPI.ERR_REVOKED, () -> mine.recv(new int[1], 1, MPI.INT, zero, 0));
                    mine.free();
                }
                case 3 -> {
                    made.await();
                    Faults.die();
                }
                default -> {}
            }
        });
    }

    @ParameterizedTest
    @MethodSource("makers")
    void shouldNotLetAMemberWaitWhereAnotherKnewThatTheParentIsRevoked(Function<Intracomm, Intracomm> maker) {
        CountDownLatch made = new CountDownLatch(1);
        survivorsSucceed(4, rank -> {
            Intracomm parent = WORLD.dup();
            if (rank == 1) {
                Intracomm mine = maker.apply(parent);
                made.countDown();
                int zero = mine.getRank() == 0 ? 1 : 0;
                raises(MPI.ERR_REVOKED, () -> mine.recv(new int[1], 1, MPI.INT, zero, 0));
                mine.free();
            } else if (rank == 0) {
                made.await();
                parent.revoke();
                raises(MPI.ERR_REVOKED, () -> maker.apply(parent));
            }
            awaitRevoked(parent);
            raises(MPI.ERR_REVOKED, () -> parent.split(0, 0));
            parent.free();
        });
    }

    private static Intracomm duplicate(Intracomm parent) {
        Intracomm made = parent.iDup();
        made.getRequest().waitFor();
        return made;
    }

    @Test
    void shouldDuplicateWithoutWaiting() {
        survivorsSucceed(3, rank -> {
            Intracomm first = WORLD.iDup();
            Intracomm second = WORLD.iDup();
            Request.waitAll(new Request[] {second.getRequest(), first.getRequest()});
            assertThat(first.getRequest().isNull()).isTrue();
            assertThat(Comm.compare(first, WORLD)).isEqualTo(MPI.CONGRUENT);
            assertThat(Comm.compare(first, second)).isEqualTo(MPI.CONGRUENT);
            first.setErrhandler(MPI.ERRORS_ABORT);
            assertThat(second.getErrhandler()).isSameAs(MPI.ERRORS_RETURN);
            second.barrier();
            WORLD.barrier();
            first.free();
            assertThat(first.isNull()).isTrue();
            second.revoke();
            Intracomm none = second.iDup();
            assertThat(none.isNull()).isTrue();
            assertThat(raises(MPI.ERR_REVOKED, () -> none.getRequest().waitFor()))
                    .hasMessageContaining("iDup on");
            assertThat(none.isNull()).isTrue();
        });
    }

    @Test
    void shouldMakeAGroupsCommunicatorWhateverHappensToTheOthers() {
        survivorsSucceed(5, rank -> {
            dieIf(rank == 2);
            if (rank == 4) {
                return;
            }
            awaitFailed(WORLD, 2);
            raises(MPI.ERR_PROC_FAILED, () -> WORLD.create(group(0, 1)));
            raises(MPI.ERR_PROC_FAILED, () -> WORLD.createGroup(group(0, 1, 2, 3), 0));
            Intracomm three = WORLD.createGroup(group(3, 0, 1), 0);
            assertThat(slots(three)).containsExactly(3, 0, 1);
            int[] sum = {rank};
            three.allReduce(sum, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(4);
            // The same call again, with the same tag, makes another communicator.
            Intracomm again = WORLD.createGroup(group(3, 0, 1), 0);
            assertThat(Comm.compare(three, again)).isEqualTo(MPI.CONGRUENT);
            // The revocation of three may overtake the sum at a slow rank, so the members of three meet first.
            again.barrier();
            three.revoke();
            again.barrier();
            assertThat(again.isRevoked()).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndASplitThatWaitsWhenAMemberRevokesOrDies(boolean dies) {
        Meeting made = new Meeting(4);
        survivorsSucceed(4, rank -> {
            Intracomm parent = WORLD.dup();
            made.attend();
            if (rank == 3 && dies) {
                Faults.die();
            } else if (rank == 3) {
                parent.revoke();
            } else {
                int error = dies ? MPI.ERR_PROC_FAILED : MPI.ERR_REVOKED;
                raises(error, () -> parent.split(rank % 2, 0));
            }
            parent.free();
            assertThat(parent.isNull()).isTrue();
        });
    }

    @Test
    void shouldNameWhoIsNoMember() {
        survivorsSucceed(3, rank -> {
            Intracomm low = WORLD.split(rank < 2 ? 0 : MPI.UNDEFINED, -rank);
            if (rank < 2) {
                assertThat(raises(MPI.ERR_GROUP, () -> low.create(group(1, 2))))
                        .hasMessageContaining("create")
                        .hasMessageContaining("rank 1 of group (process 2) is no member");
                Group freed = group(0);
                freed.free();
                assertThat(raises(MPI.ERR_GROUP, () -> low.createGroup(freed, 0)))
                        .hasMessageContaining("group was freed");
                assertThat(slots(low)).containsExactly(1, 0);
                assertThat(low.getGroup().getRank()).isEqualTo(low.getRank());
            }
        });
    }

    /**
     * Makes the rows and columns of a grid. Rank 4 dies at its second split: the survivors agree that the grid is not
     * complete, drop it, and make another one after a shrink.
     */
    @Test
    void shouldMakeAGridOrNoneWhenARankDiesInTheMiddle() {
        survivorsSucceed(LocalWorld.of(6).killing(4, "split", 2), rank -> {
            Intracomm[] rows = new Intracomm[1];
            Intracomm[] columns = new Intracomm[1];
            int error = Programs.errorClass(() -> {
                rows[0] = WORLD.split(rank / 3, rank);
                columns[0] = WORLD.split(rank % 3, rank);
            });
            int[] all = {error == MPI.SUCCESS ? 1 : 0};
            raises(MPI.ERR_PROC_FAILED, () -> WORLD.agree(all));
            assertThat(all[0]).as("the dead rank never came to its second call").isZero();
            for (Intracomm[] made : new Intracomm[][] {rows, columns}) {
                if (made[0] != null) {
                    made[0].revoke();
                    made[0].free();
                }
            }
            Intracomm world = MpichProgramsTest.shrinkUntil(WORLD, 5);
            Intracomm row = world.split(world.getRank() / 3, 0);
            Intracomm column = world.split(world.getRank() % 3, 0);
            int[] sums = {1, 1};
            row.allReduce(new int[] {1}, sums, 1, MPI.INT, MPI.SUM);
            assertThat(sums[0]).isEqualTo(world.getRank() < 3 ? 3 : 2);
            column.allReduce(new int[] {1}, sums, 1, MPI.INT, MPI.SUM);
            assertThat(sums[0]).isEqualTo(world.getRank() % 3 == 2 ? 1 : 2);
        });
    }

    /**
     * Shows that two communicators with common members are separate: collectives on one succeed while those on the
     * other fail, and after the other is revoked.
     */
    @Test
    void shouldKeepCommunicatorsApart() {
        Meeting made = new Meeting(4);
        survivorsSucceed(4, rank -> {
            Intracomm whole = WORLD.dup();
            Intracomm living = WORLD.split(rank == 3 ? MPI.UNDEFINED : 0, 0);
            made.attend();
            dieIf(rank == 3);
            for (int i = 0; i < 20; i++) {
                living.barrier();
                raises(MPI.ERR_PROC_FAILED, () -> {
                    while (true) {
                        whole.barrier();
                    }
                });
            }
            living.barrier();
            whole.revoke();
            int[] sum = {rank};
            living.allReduce(sum, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(3);
            assertThat(living.isRevoked()).isFalse();
            assertThat(WORLD.isRevoked()).isFalse();
        });
    }
}
