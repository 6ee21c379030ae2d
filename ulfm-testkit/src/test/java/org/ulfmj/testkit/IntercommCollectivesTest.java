package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.IntercommCases.BLANK;
import static org.ulfmj.testkit.IntercommCases.between;
import static org.ulfmj.testkit.IntercommCases.blank;
import static org.ulfmj.testkit.IntercommCases.item;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import mpi.Datatype;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.testkit.IntercommCases.Case;

/**
 * Tests collective operations of inter-communicators among threads: what each gives, which arguments it refuses, and
 * its errors.
 */
class IntercommCollectivesTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    /** Tests all blocking collective operations of an inter-communicator, with short, long and empty data. */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "3, 2", "4, 5"})
    void shouldGiveEachGroupTheDataOfTheOtherOne(int first, int second) {
        survivorsSucceed(first + second, rank -> {
            Intercomm inter = between(first);
            for (int count : new int[] {0, 1, 9000}) {
                for (Case each : IntercommCases.all(inter, first, count)) {
                    IntBuffer receive = each.received();
                    each.blocking().accept(each.sent(), receive);
                    check(each, receive);
                }
            }
            inter.free();
        });
    }

    /**
     * All non-blocking collective operations are under way at once, and the inter-communicator is freed before the
     * program waits for any of them.
     */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "3, 2"})
    void shouldGiveTheSameWithoutWaiting(int first, int second) {
        survivorsSucceed(first + second, rank -> {
            Intercomm inter = between(first);
            List<Request> requests = new ArrayList<>();
            List<Runnable> checks = new ArrayList<>();
            for (int count : new int[] {0, 1, 9000}) {
                for (Case each : IntercommCases.all(inter, first, count)) {
                    IntBuffer receive = each.received();
                    requests.add(each.started().apply(each.sent(), receive));
                    checks.add(() -> check(each, receive));
                }
            }
            inter.free();
            Request.waitAll(requests.toArray(new Request[0]));
            checks.forEach(Runnable::run);
        });
    }

    private static void check(Case each, IntBuffer receive) {
        if (each.expected() != null) {
            int[] got = new int[each.expected().length];
            receive.clear().get(got);
            assertThat(got).as(each.name()).isEqualTo(each.expected());
        }
    }

    /**
     * Sends one item of a derived type, two pairs of ints with a gap between, which is received as four ints without a
     * gap; and the other way round.
     */
    @Test
    void shouldMoveItemsOfADerivedType() {
        survivorsSucceed(5, rank -> {
            Intercomm inter = between(3);
            int base = rank < 3 ? 3 : 0;
            int peers = inter.getRemoteSize();
            Datatype pairs = Datatype.createVector(2, 2, 3, MPI.INT);
            pairs.commit();
            int[] mine = {item(rank, 0), item(rank, 1), BLANK, item(rank, 2), item(rank, 3)};
            int[] all = blank(4 * peers);
            int[] expected = IntStream.range(0, 4 * peers)
                    .map(i -> item(base + i / 4, i % 4))
                    .toArray();
            inter.allGather(mine, 1, pairs, all, 4, MPI.INT);
            assertThat(all).isEqualTo(expected);
            IntBuffer later = ints(blank(4 * peers));
            inter.iAllGather(ints(mine), 1, pairs, later, 4, MPI.INT).waitFor();
            assertThat(later).isEqualTo(ints(expected));

            int root = rank == 0 ? MPI.ROOT : rank < 3 ? MPI.PROC_NULL : 0;
            int[] got = rank == 0 ? new int[] {1, 2, 3, 4} : blank(5);
            inter.bcast(got, rank == 0 ? 4 : 1, rank == 0 ? MPI.INT : pairs, root);
            if (rank >= 3) {
                assertThat(got).containsExactly(1, 2, BLANK, 3, 4);
            }
            int[] spread = blank(5 * peers);
            inter.gather(mine, 1, pairs, spread, 4, MPI.INT, root);
            assertThat(spread).isEqualTo(rank == 0 ? head(expected, spread.length) : blank(spread.length));
            int[] parts = blank(5);
            inter.scatter(expected, 4, MPI.INT, parts, 1, pairs, root);
            int[] part =
                    IntStream.range(0, 4).map(i -> item(3 + inter.getRank(), i)).toArray();
            int[] spaced = {part[0], part[1], BLANK, part[2], part[3]};
            assertThat(parts).isEqualTo(rank < 3 ? blank(5) : spaced);
            pairs.free();
        });
    }

    private static int[] head(int[] values, int length) {
        int[] all = blank(length);
        System.arraycopy(values, 0, all, 0, Math.min(values.length, length));
        return all;
    }

    /**
     * Tests the rooted operations in the form that takes one buffer: the root uses the buffer only to receive (or only
     * to send), and the other ranks only for the opposite.
     */
    @Test
    void shouldTakeTheRootedFormsWithOneBuffer() {
        survivorsSucceed(4, rank -> {
            Intercomm inter = between(1);
            int root = rank == 0 ? MPI.ROOT : 0;
            int[] all = {1, 2, 3};
            int[] one = {10 * rank};
            int[] ones = {1, 1, 1};
            int[] places = {2, 1, 0};
            inter.gather(rank == 0 ? all : one, 1, MPI.INT, root);
            assertThat(all).containsExactly(rank == 0 ? new int[] {10, 20, 30} : new int[] {1, 2, 3});
            inter.scatter(rank == 0 ? new int[] {7, 8, 9} : one, 1, MPI.INT, root);
            assertThat(one[0]).isEqualTo(rank == 0 ? 0 : 6 + rank);
            inter.reduce(one, 1, MPI.INT, MPI.SUM, root);
            assertThat(one[0]).isEqualTo(rank == 0 ? 24 : 6 + rank);
            if (rank == 0) {
                inter.gatherv(all, ones, places, MPI.INT, root);
                assertThat(all).containsExactly(9, 8, 7);
                inter.scatterv(new int[] {4, 5, 6}, ones, places, MPI.INT, root);
            } else {
                inter.gatherv(one, 1, MPI.INT, root);
                inter.scatterv(one, 1, MPI.INT, root);
                assertThat(one[0]).isEqualTo(7 - rank);
            }
            IntBuffer buffer = ints(rank, rank, rank);
            inter.iGather(buffer, 1, MPI.INT, root).waitFor();
            assertThat(buffer).isEqualTo(rank == 0 ? ints(1, 2, 3) : ints(rank, rank, rank));
            inter.iReduce(buffer, 3, MPI.INT, MPI.MAX, root).waitFor();
            assertThat(buffer)
                    .isEqualTo(ints(
                            new int[] {rank == 0 ? 3 : rank, rank == 0 ? 3 : rank, 3 - (rank == 0 ? 0 : 3 - rank)}));
        });
    }

    @Test
    void shouldLetNoRankPastABarrierBeforeTheOtherGroupHasEntered() {
        AtomicInteger entered = new AtomicInteger();
        survivorsSucceed(5, rank -> {
            Intercomm inter = between(2);
            entered.incrementAndGet();
            inter.barrier();
            assertThat(entered.get()).isEqualTo(5);
        });
    }

    @Test
    void shouldRefuseARootThatIsNone() {
        survivorsSucceed(3, rank -> {
            Intercomm inter = between(1);
            int peers = inter.getRemoteSize();
            String allowed =
                    "; allowed: MPI.ROOT at the root, MPI.PROC_NULL at the other ranks of its group, and in the"
                            + " other group the root's rank, 0 to " + (peers - 1);
            for (int root : new int[] {peers, -1, -3}) {
                assertThat(raises(MPI.ERR_ROOT, () -> inter.bcast(new int[1], 1, MPI.INT, root)))
                        .hasMessageContaining("root is " + root + allowed);
                raises(MPI.ERR_ROOT, () -> inter.iReduce(ints(0), ints(0), 1, MPI.INT, MPI.SUM, root));
                raises(MPI.ERR_ROOT, () -> inter.scatter(new int[3], 1, MPI.INT, root));
                raises(MPI.ERR_ROOT, () -> inter.gatherv(new int[1], 1, MPI.INT, root));
            }
            assertThat(raises(MPI.ERR_ROOT, () -> inter.gatherv(new int[1], 1, MPI.INT, MPI.ROOT)))
                    .hasMessageContaining("this form is for the other ranks only");
            int[] none = {0, 0, 0};
            assertThat(raises(MPI.ERR_ROOT, () -> inter.scatterv(none, none, none, MPI.INT, MPI.PROC_NULL)))
                    .hasMessageContaining("this form is for the root only");
            raises(MPI.ERR_ROOT, () -> WORLD.bcast(new int[1], 1, MPI.INT, MPI.ROOT));
            raises(MPI.ERR_ROOT, () -> WORLD.bcast(new int[1], 1, MPI.INT, MPI.PROC_NULL));
        });
    }

    @Test
    void shouldRefuseContributionsInTheirPlace() {
        survivorsSucceed(2, rank -> {
            Intercomm inter = between(1);
            int[] data = {1};
            int[] one = {1};
            int[] zero = {0};
            List<ThrowingCallable> calls = List.of(
                    () -> inter.allGather(data, 1, MPI.INT),
                    () -> inter.iAllGather(ints(1), 1, MPI.INT),
                    () -> inter.allGatherv(data, one, zero, MPI.INT),
                    () -> inter.iAllGatherv(ints(1), one, zero, MPI.INT),
                    () -> inter.allReduce(data, 1, MPI.INT, MPI.SUM),
                    () -> inter.iAllReduce(ints(1), 1, MPI.INT, MPI.SUM),
                    () -> inter.reduceScatter(data, one, MPI.INT, MPI.SUM),
                    () -> inter.iReduceScatter(ints(1), one, MPI.INT, MPI.SUM),
                    () -> inter.reduceScatterBlock(data, 1, MPI.INT, MPI.SUM),
                    () -> inter.iReduceScatterBlock(ints(1), 1, MPI.INT, MPI.SUM));
            for (ThrowingCallable call : calls) {
                assertThat(raises(MPI.ERR_COMM, call))
                        .hasMessageContaining("allowed: the form with a send and a receive buffer");
            }
            assertThat(data).containsExactly(1);
        });
    }

    /**
     * Tests that several calls require one part per rank of the remote group in buffers, counts or types; reduceScatter
     * and reduceScatterBlock require one per rank of the local group. Other wrong arguments are refused, too.
     */
    @Test
    void shouldCheckBuffersAndCountsForTheRightGroup() {
        survivorsSucceed(4, rank -> {
            Intercomm inter = between(1);
            int peers = inter.getRemoteSize();
            int own = inter.getSize();
            int[] few = new int[peers - 1];
            int[] fewOwn = new int[own - 1];
            int[] one = new int[1];
            int root = rank == 0 ? MPI.ROOT : 0;
            raises(MPI.ERR_BUFFER, () -> inter.allGather(one, 1, MPI.INT, few, 1, MPI.INT));
            raises(MPI.ERR_BUFFER, () -> inter.iAllToAll(ints(few), 1, MPI.INT, ints(new int[peers]), 1, MPI.INT));
            raises(MPI.ERR_COUNT, () -> inter.allGatherv(one, 1, MPI.INT, new int[9], few, new int[3], MPI.INT));
            raises(MPI.ERR_ARG, () -> inter.allGatherv(one, 1, MPI.INT, new int[9], new int[3], few, MPI.INT));
            raises(
                    MPI.ERR_TYPE,
                    () -> inter.allToAllw(
                            one,
                            new int[peers],
                            new int[peers],
                            new Datatype[peers - 1],
                            one,
                            new int[peers],
                            new int[peers],
                            new Datatype[peers]));
            raises(MPI.ERR_COUNT, () -> inter.reduceScatter(new int[3], one, fewOwn, MPI.INT, MPI.SUM));
            raises(MPI.ERR_BUFFER, () -> inter.reduceScatterBlock(fewOwn, one, 1, MPI.INT, MPI.SUM));
            raises(MPI.ERR_OP, () -> inter.reduce(one, one, 1, MPI.INT, null, root));
            raises(MPI.ERR_TYPE, () -> inter.reduce(one, one, 1, null, MPI.SUM, root));
            raises(MPI.ERR_BUFFER, () -> inter.bcast(null, 1, MPI.INT, root));
            raises(
                    rank == 0 ? MPI.ERR_BUFFER : MPI.ERR_COUNT,
                    () -> inter.gather(one, -1, MPI.INT, new int[2], 1, MPI.INT, root));
            inter.free();
            raises(MPI.ERR_COMM, inter::barrier);
        });
    }

    /**
     * A rank of the root's group that is not the root passes PROC_NULL, and needs no buffer, count or datatype. A
     * receiver whose bcast is shorter than the root's gets ERR_TRUNCATE.
     */
    @Test
    void shouldAskNothingOfABystanderAndRefuseAMessageOfAnotherLength() {
        survivorsSucceed(3, rank -> {
            Intercomm inter = between(2);
            int root = rank == 1 ? MPI.ROOT : rank == 0 ? MPI.PROC_NULL : 1;
            int[] data = {rank};
            inter.bcast(rank == 0 ? null : data, 1, rank == 0 ? null : MPI.INT, root);
            inter.reduce(
                    rank == 0 ? null : data, data, 1, rank == 0 ? null : MPI.INT, rank == 0 ? null : MPI.SUM, root);
            assertThat(data).containsExactly(rank == 0 ? 0 : 1);
            if (rank == 0) {
                inter.bcast(null, -1, null, MPI.PROC_NULL);
            } else if (rank == 1) {
                inter.bcast(new int[2], 2, MPI.INT, MPI.ROOT);
            } else {
                raises(MPI.ERR_TRUNCATE, () -> inter.bcast(new int[1], 1, MPI.INT, 1));
            }
        });
    }

    /**
     * When all members of the remote group have died, collectives on the shrunken inter-communicator get no data from
     * it: receive buffers of the other group stay unchanged.
     */
    @Test
    void shouldLeaveBuffersAloneWhenTheOtherGroupHasNoRanksAnyMore() {
        Meeting made = new Meeting(3);
        survivorsSucceed(3, rank -> {
            Intercomm inter = between(2);
            made.attend();
            dieIf(rank == 2);
            Intercomm left = inter.shrink();
            assertThat(left.getRemoteSize()).isZero();
            int root = rank == 0 ? MPI.ROOT : MPI.PROC_NULL;
            int[] data = {5};
            left.barrier();
            left.bcast(data, 1, MPI.INT, root);
            left.reduce(data, data, 1, MPI.INT, MPI.SUM, root);
            left.gather(data, 1, MPI.INT, data, 1, MPI.INT, root);
            left.scatter(data, 1, MPI.INT, data, 1, MPI.INT, root);
            left.allReduce(new int[] {1}, data, 1, MPI.INT, MPI.SUM);
            left.allGather(new int[] {1}, 1, MPI.INT, data, 1, MPI.INT);
            left.allToAll(new int[] {1}, 1, MPI.INT, data, 1, MPI.INT);
            left.reduceScatterBlock(new int[] {1, 1}, data, 1, MPI.INT, MPI.SUM);
            assertThat(data).containsExactly(5);
            IntBuffer later = ints(5);
            left.iAllReduce(ints(1), later, 1, MPI.INT, MPI.SUM).waitFor();
            assertThat(later).isEqualTo(ints(5));
            assertThat(raises(MPI.ERR_ROOT, () -> left.bcast(data, 1, MPI.INT, 0)))
                    .hasMessageContaining("the root's rank, of which there is none");
        });
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "3"})
    void shouldRaiseFromEachCallAfterADeathInEitherGroup(int dead) {
        Meeting ready = new Meeting(5);
        survivorsSucceed(5, rank -> {
            Intercomm inter = between(2);
            List<Case> cases = IntercommCases.all(inter, 2, 3);
            ready.attend();
            dieIf(rank == dead);
            boolean isLocal = rank < 2 == dead < 2;
            int there = dead < 2 ? dead : dead - 2;
            awaitFailed(WORLD, dead);
            for (Case each : cases) {
                MPIException blocking =
                        raises(MPI.ERR_PROC_FAILED, () -> each.blocking().accept(each.sent(), each.received()));
                assertThat(blocking.getFailedLocalRanks()).containsExactly(isLocal ? new int[] {there} : new int[0]);
                assertThat(blocking.getFailedRanks()).containsExactly(isLocal ? new int[0] : new int[] {there});
                assertThat(blocking)
                        .hasMessageContaining(
                                "rank " + there + (isLocal ? " of the local group" : " of the remote group"));
                Request request = each.started().apply(each.sent(), each.received());
                raises(MPI.ERR_PROC_FAILED, request::waitFor);
            }
            inter.ackFailed(5); // acknowledging does not help a collective
            raises(MPI.ERR_PROC_FAILED, inter::barrier);
        });
    }

    @Test
    void shouldRaiseFromEachCallAfterARevocation() {
        survivorsSucceed(5, rank -> {
            Intercomm inter = between(2);
            List<Case> cases = IntercommCases.all(inter, 2, 3);
            WORLD.barrier();
            inter.revoke();
            for (Case each : cases) {
                raises(MPI.ERR_REVOKED, () -> each.blocking().accept(each.sent(), each.received()));
                Request request = each.started().apply(each.sent(), each.received());
                raises(MPI.ERR_REVOKED, request::waitFor);
            }
        });
    }

    /**
     * When a member of either group revokes the inter-communicator, the collectives that the other ranks call on it end
     * with ERR_REVOKED.
     */
    @ParameterizedTest
    @CsvSource({"1", "4"})
    void shouldEndWhatWaitsWhenAMemberRevokes(int revoker) {
        survivorsSucceed(5, rank -> {
            Intercomm inter = between(2);
            WORLD.barrier();
            if (rank == revoker) {
                inter.revoke();
            } else {
                Request request = inter.iBarrier();
                raises(MPI.ERR_REVOKED, () -> inter.allReduce(new int[1], new int[1], 1, MPI.INT, MPI.SUM));
                raises(MPI.ERR_REVOKED, request::waitFor);
            }
        });
    }
}
