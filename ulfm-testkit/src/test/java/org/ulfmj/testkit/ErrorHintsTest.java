package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.awaitRevoked;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;

import java.util.concurrent.atomic.AtomicInteger;
import mpi.Comm;
import mpi.Datatype;
import mpi.Group;
import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import mpi.UserFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the hints mpi_error_range and mpi_error_uniform. */
class ErrorHintsTest {
    private static final String RANGE = "mpi_error_range";
    private static final String UNIFORM = "mpi_error_uniform";

    @Test
    void shouldShowWhatWasSetAndHandItDownToDuplicatesOnly() {
        Worlds.run(3, (world, rank) -> {
            Intracomm comm = world.dupWithInfo(info(RANGE, "group", UNIFORM, "create"));
            comm.setInfo(info(UNIFORM, "coll"));
            for (Intracomm each : new Intracomm[] {comm, comm.dup()}) {
                assertThat(each.getInfo().get(RANGE)).isEqualTo("group");
                assertThat(each.getInfo().get(UNIFORM)).isEqualTo("coll");
                assertThat(sum(each)).isEqualTo(3);
            }
            assertThat(comm.split(0, 0).getInfo().size()).isZero();
            assertThat(comm.dupWithInfo(MPI.INFO_NULL).getInfo().size()).isZero();
            comm.setInfo(info(RANGE, "local", UNIFORM, "local"));
            assertThat(sum(comm)).isEqualTo(3);
            assertThat(world.getInfo().size()).isZero();
        });
    }

    @Test
    void shouldNameKeyAndValueAndWhatIsAllowedAtTheRankThatIsWrong() {
        Worlds.run(3, (world, rank) -> {
            Info info = rank == 1 ? info(RANGE, "all", UNIFORM, "COLL") : info(RANGE, "group", UNIFORM, "coll");
            for (boolean isDup : new boolean[] {false, true}) {
                String said = raises(MPI.ERR_INFO_VALUE, () -> set(world, info, isDup))
                        .getMessage();
                assertThat(said)
                        .startsWith((isDup ? "dupWithInfo" : "setInfo") + " on COMM_WORLD")
                        .contains(
                                rank == 1
                                        ? "mpi_error_range is \"all\"; allowed: local, group, universe; "
                                                + "mpi_error_uniform is \"COLL\"; allowed: local, coll, create"
                                        : "this rank gave mpi_error_range group and mpi_error_uniform coll, and another"
                                                + " member gave other values, or one that is not allowed");
            }
            assertThat(world.getInfo().size()).isZero();
            assertThat(sum(world)).isEqualTo(3);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {RANGE, UNIFORM})
    void shouldRefuseValuesThatDifferAtAllMembers(String key) {
        Worlds.run(2, (world, rank) -> {
            String[][] pairs = {
                {"local", key.equals(RANGE) ? "group" : "coll"},
                {key.equals(RANGE) ? "universe" : "create", "local"},
                {key.equals(RANGE) ? "universe" : "create", key.equals(RANGE) ? "group" : "coll"}
            };
            for (String[] pair : pairs) {
                raises(MPI.ERR_INFO_VALUE, () -> world.setInfo(info(key, pair[rank])));
                raises(MPI.ERR_INFO_VALUE, () -> world.dupWithInfo(info(key, pair[rank])));
            }
            // One member gives a key that the other one does not give.
            Info one = rank == 0 ? info(RANGE, "local") : info(RANGE, "local", UNIFORM, "local");
            assertThat(raises(MPI.ERR_INFO_VALUE, () -> world.setInfo(one)))
                    .hasMessageContaining(
                            rank == 0
                                    ? "gave mpi_error_range local and no mpi_error_uniform"
                                    : "gave mpi_error_range local and mpi_error_uniform local");
            assertThat(world.getInfo().size()).isZero();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {RANGE, UNIFORM})
    void shouldRefuseAKeyThatOnlySomeMembersGiveAtAllMembers(String key) {
        Worlds.run(3, (world, rank) -> {
            for (boolean isDup : new boolean[] {false, true}) {
                Info info = rank == 1 ? info(key, "local") : info("of the program", Integer.toString(rank));
                assertThat(raises(MPI.ERR_INFO_VALUE, () -> set(world, info, isDup)))
                        .hasMessageContaining(rank == 1 ? key + " local" : "no " + key)
                        .hasMessageContaining("another member gave other values");
            }
            raises(MPI.ERR_INFO_VALUE, () -> world.dupWithInfo(rank == 1 ? info(key, "local") : MPI.INFO_NULL));
            assertThat(world.getInfo().size()).isZero();
            assertThat(sum(world)).isEqualTo(3);
            world.setInfo(info("of the program", Integer.toString(rank)));
            assertThat(world.dupWithInfo(world.getInfo()).getInfo().get("of the program"))
                    .isEqualTo(Integer.toString(rank));
        });
    }

    private static void set(Intracomm comm, Info info, boolean byDup) {
        if (byDup) {
            comm.dupWithInfo(info);
        } else {
            comm.setInfo(info);
        }
    }

    @Test
    void shouldRevokeACommunicatorOfRangeGroupWhenAMemberDies() {
        Programs.survivorsSucceed(4, rank -> {
            Intracomm group = MPI.COMM_WORLD.dupWithInfo(info(RANGE, "group"));
            Intracomm without = MPI.COMM_WORLD.split(rank == 3 ? 1 : 0, 0);
            without.setInfo(info(RANGE, "group"));
            Intracomm local = MPI.COMM_WORLD.dup();
            dieWhenAllAreReady(rank);
            if (rank < 2) {
                // Ranks 0 and 1 wait for each other here, and not for rank 3, which dies. The revocation ends their
                // receives nevertheless.
                raises(MPI.ERR_REVOKED, () -> group.recv(new int[1], 1, MPI.INT, 1 - rank, 0));
            }
            awaitRevoked(group);
            awaitFailed(local, 3);
            assertThat(without.isRevoked()).isFalse();
            assertThat(local.isRevoked()).isFalse();
            assertThat(sum(without)).isEqualTo(3);
            // The communicator is also revoked if one of its members is known to be dead already when the hint is set.
            local.setInfo(info(RANGE, "group"));
            awaitRevoked(local);
            assertThat(sum(group.shrink())).isEqualTo(3);
        });
    }

    @Test
    void shouldRevokeACommunicatorOfRangeUniverseWhenAnyProcessDies() {
        Programs.survivorsSucceed(4, rank -> {
            Intracomm half = MPI.COMM_WORLD.split(rank / 2, 0);
            half.setInfo(info(RANGE, "universe"));
            Intracomm dup = half.dup();
            Intracomm local = half.dupWithInfo(MPI.INFO_NULL);
            dieWhenAllAreReady(rank);
            awaitRevoked(half);
            awaitRevoked(dup);
            awaitFailed(MPI.COMM_WORLD, 3);
            if (rank < 2) {
                raises(MPI.ERR_REVOKED, half::barrier);
                // The death of a process that is no member does not revoke the communicator if it was known before the
                // hint is set.
                local.setInfo(info(RANGE, "universe"));
                assertThat(sum(local)).isEqualTo(2);
                assertThat(local.isRevoked()).isFalse();
            }
        });
    }

    @Test
    void shouldTellAllMembersWhereOnlyOneMeetsTheError() {
        Worlds.run(3, (world, rank) -> {
            Intracomm comm = world.dupWithInfo(info(UNIFORM, "coll"));
            // Only rank 0 meets the error itself, because it receives longer messages than it has room for.
            int count = rank == 0 ? 2 : 1;
            for (int round = 0; round < 2; round++) {
                String said = raises(
                                MPI.ERR_TRUNCATE,
                                () -> comm.gather(new int[2], count == 2 ? 1 : 2, MPI.INT, new int[6], 1, MPI.INT, 0))
                        .getMessage();
                if (rank > 0) {
                    assertThat(said)
                            .contains("gather on dup of COMM_WORLD (3 ranks)")
                            .contains("it succeeded at this rank, and failed with TRUNCATE at another member");
                }
            }
            assertThat(sum(comm)).isEqualTo(3);
        });
    }

    @Test
    void shouldRaiseWhatAnOperatorThrowsAndTellTheOthers() {
        IllegalStateException thrown = new IllegalStateException("of the program");
        Op throwing = new Op(
                new UserFunction() {
                    @Override
                    public void call(Object in, Object inOut, int count, Datatype type) {
                        throw thrown;
                    }
                },
                true);
        AtomicInteger throwers = new AtomicInteger();
        Worlds.run(3, (world, rank) -> {
            for (boolean isBlocking : new boolean[] {true, false}) {
                Intracomm comm = world.dupWithInfo(info(UNIFORM, "coll"));
                Throwable raised = catchThrowable(() -> {
                    if (isBlocking) {
                        comm.reduce(ints(1), ints(0), 1, MPI.INT, throwing, 0);
                    } else {
                        comm.iReduce(ints(1), ints(0), 1, MPI.INT, throwing, 0).waitFor();
                    }
                });
                if (raised == thrown) {
                    throwers.incrementAndGet();
                } else {
                    // REVOKED is right, too: some member may still have needed the rank whose operator threw.
                    assertThat(raised).isInstanceOf(MPIException.class);
                    assertThat(((MPIException) raised).getErrorClass()).isIn(MPI.ERR_OTHER, MPI.ERR_REVOKED);
                }
                awaitRevoked(comm);
                raises(MPI.ERR_REVOKED, () -> sum(comm));
            }
        });
        assertThat(throwers.get()).isBetween(2, 4);
    }

    @Test
    void shouldEndOnlyCreationsAlikeWithCreate() {
        Worlds.run(2, (world, rank) -> {
            Intracomm comm = world.dupWithInfo(info(UNIFORM, "create"));
            Request barrier = comm.iBarrier();
            assertThat(comm.split(0, -rank).getRank()).isEqualTo(1 - rank);
            assertThat(comm.splitType(Comm.TYPE_SHARED, 0, MPI.INFO_NULL).getSize())
                    .isEqualTo(2);
            assertThat(comm.create(comm.getGroup()).getSize()).isEqualTo(2);
            assertThat(comm.createCart(new int[] {2}, new boolean[1], false).getSize())
                    .isEqualTo(2);
            assertThat(comm.createDistGraph(new int[] {rank}, new int[] {1}, new int[] {1 - rank}, MPI.INFO_NULL, false)
                            .getSize())
                    .isEqualTo(2);
            Intracomm later = comm.iDup();
            later.getRequest().waitFor();
            assertThat(sum(later)).isEqualTo(2);
            barrier.waitFor();
            Intracomm own = comm.split(rank, 0);
            own.setInfo(info(UNIFORM, "coll"));
            Intercomm inter = comm.createIntercomm(own, 0, 1 - rank, 0);
            inter.setInfo(info(UNIFORM, "coll", RANGE, "group"));
            assertThat(sum(inter.merge(rank == 1))).isEqualTo(2);
            assertThat(inter.dup().getInfo().get(UNIFORM)).isEqualTo("coll");
            assertThat(raises(MPI.ERR_INFO_VALUE, () -> inter.setInfo(info(UNIFORM, rank == 0 ? "coll" : "local"))))
                    .hasMessageContaining("another member gave other values");
            comm.free();
        });
    }

    @Test
    void shouldMakeACommunicatorOfAGroupAtAllOfItsMembersOrNone() {
        Meeting left = new Meeting(2);
        Worlds.run(4, (world, rank) -> {
            Intracomm comm = world.dupWithInfo(info(UNIFORM, "create"));
            int[] ranks = {0, 1, 3};
            Group group = comm.getGroup().incl(ranks);
            assertThat(comm.createGroup(comm.getGroup().incl(new int[] {rank}), rank)
                            .getSize())
                    .isOne();
            if (rank == 2) {
                assertThat(comm.createGroup(group, 7).isNull()).isTrue();
                left.attend();
                return;
            }
            Intracomm made = comm.createGroup(group, 7);
            assertThat(sum(made)).isEqualTo(3);
            if (rank == 3) {
                // Ranks 0 and 1 may have done their part of the next createGroup before they hear of the revocation.
                // Rank 2 must have returned from its calls on this communicator by then.
                left.attend();
                comm.revoke();
            }
            String said = raises(MPI.ERR_REVOKED, () -> {
                        Intracomm another = comm.createGroup(group, 7);
                        // Without the agreement that the hint asks for, a quick rank could return from createGroup with
                        // a communicator, and fail only later.
                        throw new AssertionError("made " + another.getSize());
                    })
                    .getMessage();
            assertThat(said).startsWith("createGroup on dup of COMM_WORLD");
            assertThat(sum(made)).isEqualTo(3);
        });
    }

    @Test
    void shouldDeleteTheAttributesOfADuplicateThatAnotherMemberDoesNotHave() {
        Worlds.run(2, (world, rank) -> {
            for (boolean isOneOfMany : new boolean[] {false, true}) {
                Intracomm comm = world.dupWithInfo(info(UNIFORM, "create"));
                AtomicInteger copies = new AtomicInteger();
                int key = Comm.createKeyval(
                        (from, keyval, value) -> {
                            copies.incrementAndGet();
                            return value;
                        },
                        (from, keyval, value) -> copies.decrementAndGet());
                comm.setAttr(key, "kept");
                if (rank == 1) {
                    world.recv(new int[1], 1, MPI.INT, 0, 0);
                    comm.revoke();
                }
                Intracomm made = comm.iDup();
                assertThat(copies).hasValue(1);
                if (rank == 0) {
                    world.send(new int[1], 1, MPI.INT, 1, 0);
                }
                raises(MPI.ERR_REVOKED, () -> {
                    if (isOneOfMany) {
                        Request.waitAll(new Request[] {made.getRequest()});
                    } else {
                        made.getRequest().waitFor();
                    }
                });
                assertThat(copies).hasValue(0);
            }
        });
    }

    @Test
    void shouldHaveNoEffectWithoutFaultTolerance() {
        Worlds.run(LocalWorld.of(2).settings(settings -> settings.withFaultTolerance(false)), (world, rank) -> {
            world.setErrhandler(MPI.ERRORS_RETURN);
            Intracomm comm = world.dupWithInfo(info(UNIFORM, "coll", RANGE, "universe"));
            assertThat(comm.getInfo().get(RANGE)).isEqualTo("universe");
            assertThat(sum(comm)).isEqualTo(2);
            raises(MPI.ERR_INFO_VALUE, () -> comm.setInfo(info(UNIFORM, rank == 0 ? "coll" : "local")));
            raises(MPI.ERR_INFO_VALUE, () -> comm.dupWithInfo(info(RANGE, "none")));
        });
    }

    /** Kills rank 3 when all other ranks have called this method. The other ranks wait for no answer of rank 3. */
    private static void dieWhenAllAreReady(int rank) {
        if (rank != 3) {
            MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, 3, 0);
            return;
        }
        for (int other = 0; other < 3; other++) {
            MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, other, 0);
        }
        Faults.die();
    }

    private static int sum(Intracomm comm) {
        int[] sum = {1};
        comm.allReduce(sum, 1, MPI.INT, MPI.SUM);
        return sum[0];
    }

    private static Info info(String... keysAndValues) {
        Info info = new Info();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            info.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        return info;
    }
}
