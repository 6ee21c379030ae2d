package org.ulfmj.runtime.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.collective.hosts.HostsAllGatherSchedule;
import org.ulfmj.runtime.collective.hosts.HostsAllReduceSchedule;
import org.ulfmj.runtime.collective.hosts.HostsBarrierSchedule;
import org.ulfmj.runtime.collective.hosts.HostsBroadcastSchedule;
import org.ulfmj.runtime.collective.hosts.HostsGatherSchedule;
import org.ulfmj.runtime.collective.hosts.HostsReduceSchedule;
import org.ulfmj.runtime.member.HostedRanks;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * Tests collectives of ranks on several hosts against expected values, for 3 to 13 ranks that are placed on hosts in
 * rank order or at random.
 */
class HostsSchedulesTest {
    private static final int TRIALS = Boolean.getBoolean("tests.whole") ? 3 : 2;
    /** Between the roots that are tried. */
    private static final int STEP = Boolean.getBoolean("tests.whole") ? 1 : 3;

    private static final int[] COUNTS = {0, 1, 3, 700, 4100, 20_000};
    private static final Reduction SUM = Reductions.ofLongs(Long::sum);

    /** A placement of some ranks on hosts, given by the number of each rank's host. */
    private record Hosts(int[] hostOf, HostedRanks ranks) {
        static Hosts of(int... hostOf) {
            long[] keys = Arrays.stream(hostOf).asLongStream().toArray();
            SlotRuns members = SlotRuns.range(hostOf.length);
            return new Hosts(hostOf, HostedRanks.of(members, Placement.of(members, keys)));
        }

        int size() {
            return hostOf.length;
        }

        @Override
        public String toString() {
            return Arrays.toString(hostOf);
        }
    }

    static List<Hosts> worlds() {
        List<Hosts> worlds = new ArrayList<>();
        Random random = new Random(3);
        for (int size = 3; size <= 13; size++) {
            for (int trial = 0; trial < TRIALS; trial++) {
                int hosts = 2 + random.nextInt(size - 2);
                int ranks = size;
                boolean isContiguous = trial == 0;
                Hosts each = Hosts.of(IntStream.range(0, size)
                        .map(rank -> isContiguous ? rank * hosts / ranks : random.nextInt(hosts))
                        .toArray());
                if (each.ranks() != null) {
                    worlds.add(each);
                }
            }
        }
        return worlds;
    }

    @Test
    void shouldMakeNoDifferenceWhereAllRanksShareAHostOrNoTwoDo() {
        assertThat(Hosts.of(4, 4, 4).ranks()).isNull();
        assertThat(Hosts.of(2, 0, 1).ranks()).isNull();
        assertThat(Hosts.of(2, 0, 2).ranks()).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldAllReduce(Hosts hosts) {
        for (int count : COUNTS) {
            ByteBuffer[] results = new ByteBuffer[hosts.size()];
            MemoryNetwork.run(hosts.size(), count, rank -> {
                boolean isInPlace = count % 2 == 0;
                ByteBuffer mine = longs(rank, count);
                results[rank] = isInPlace ? mine : MemoryNetwork.bytes(8 * count);
                return new HostsAllReduceSchedule(hosts.ranks(), mine, results[rank], 8, SUM);
            });
            assertThat(results).allSatisfy(result -> assertThat(result).isEqualTo(sum(hosts.size(), count)));
        }
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldReduceToEveryRoot(Hosts hosts) {
        for (int root = 0; root < hosts.size(); root += STEP) {
            for (int count : new int[] {1, 700, 4100}) {
                int theRoot = root;
                ByteBuffer result = MemoryNetwork.bytes(8 * count);
                ByteBuffer[] sent = new ByteBuffer[hosts.size()];
                MemoryNetwork.run(hosts.size(), root, rank -> {
                    sent[rank] = longs(rank, count);
                    ByteBuffer receive = rank == theRoot ? result : null;
                    return new HostsReduceSchedule(hosts.ranks(), sent[rank], receive, 8, SUM, theRoot);
                });
                assertThat(result).isEqualTo(sum(hosts.size(), count));
                for (int rank = 0; rank < hosts.size(); rank++) {
                    assertThat(sent[rank]).as("send buffer of rank %d", rank).isEqualTo(longs(rank, count));
                }
            }
        }
    }

    /**
     * Shows that the order of combination is always the same: on each host along the tree of its ranks, then between
     * hosts along the tree of their leaders.
     */
    @ParameterizedTest
    @MethodSource("worlds")
    void shouldGiveTheBitsOfThePlacementWhateverArrivesFirstWithWhateverRootAndLength(Hosts hosts) {
        Reduction sloppy = Reductions.sloppySum(new boolean[1]);
        int size = hosts.size();
        for (int count : new int[] {1, 4100}) {
            ByteBuffer expected = null;
            for (int seed = 0; seed < 3; seed++) {
                ByteBuffer[] results = new ByteBuffer[size];
                MemoryNetwork.run(size, seed, rank -> {
                    results[rank] = doubles(rank, count);
                    return new HostsAllReduceSchedule(hosts.ranks(), results[rank], results[rank], 8, sloppy);
                });
                expected = expected == null ? results[0] : expected;
                for (ByteBuffer result : results) {
                    assertThat(result).isEqualTo(expected);
                }
            }
            for (int root = 0; root < size; root += STEP) {
                ByteBuffer result = MemoryNetwork.bytes(8 * count);
                int theRoot = root;
                MemoryNetwork.run(
                        size,
                        root,
                        rank -> new HostsReduceSchedule(
                                hosts.ranks(),
                                doubles(rank, count),
                                rank == theRoot ? result : null,
                                8,
                                sloppy,
                                theRoot));
                assertThat(result).isEqualTo(expected);
            }
            assertThat(expected.getDouble(0)).isEqualTo(folded(hosts, sloppy));
        }
    }

    private static double folded(Hosts hosts, Reduction reduction) {
        double[] ofHosts = new double[hosts.ranks().hosts()];
        for (int host = 0; host < ofHosts.length; host++) {
            ofHosts[host] = folded(
                    Arrays.stream(hosts.ranks().ranks(host))
                            .mapToDouble(rank -> doubles(rank, 1).getDouble(0))
                            .toArray(),
                    reduction);
        }
        return folded(ofHosts, reduction);
    }

    private static double folded(double[] values, Reduction reduction) {
        double[] left = values;
        int pairs = left.length - Integer.highestOneBit(left.length);
        while (left.length > 1) {
            // If the number of values is no power of two, the first pass combines as many pairs as make it one. Any
            // other pass combines all values in pairs.
            int folds = pairs > 0 ? pairs : left.length / 2;
            double[] next = new double[left.length - folds];
            for (int i = 0; i < next.length; i++) {
                next[i] = i < folds ? combined(left[2 * i], left[2 * i + 1], reduction) : left[i + folds];
            }
            left = next;
            pairs = 0;
        }
        return left[0];
    }

    private static double combined(double lower, double upper, Reduction reduction) {
        ByteBuffer in = MemoryNetwork.bytes(8).putDouble(0, lower);
        ByteBuffer inout = MemoryNetwork.bytes(8).putDouble(0, upper);
        reduction.apply(in, inout, 1);
        return inout.getDouble(0);
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldCombineInRankOrderWhereHostsHoldContiguousRanks(Hosts hosts) {
        int size = hosts.size();
        if (!hosts.ranks().isContiguous()) {
            return;
        }
        for (int count : new int[] {1, 4100}) {
            ByteBuffer[] results = new ByteBuffer[size];
            MemoryNetwork.run(size, 1, rank -> {
                results[rank] = maps(rank, count);
                return new HostsAllReduceSchedule(hosts.ranks(), results[rank], results[rank], 8, Reductions.affine());
            });
            ByteBuffer[] flat = new ByteBuffer[size];
            MemoryNetwork.run(size, 1, rank -> {
                flat[rank] = maps(rank, count);
                return new AllReduceSchedule(flat[rank], flat[rank], 8, Reductions.affine());
            });
            assertThat(results).isEqualTo(flat);
        }
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldBroadcastFromEveryRoot(Hosts hosts) {
        for (int root = 0; root < hosts.size(); root += STEP) {
            for (int count : new int[] {0, 1, 50_000}) {
                int theRoot = root;
                ByteBuffer[] data = new ByteBuffer[hosts.size()];
                MemoryNetwork.run(hosts.size(), root, rank -> {
                    data[rank] = rank == theRoot ? longs(theRoot, count) : MemoryNetwork.bytes(8 * count);
                    return new HostsBroadcastSchedule(hosts.ranks(), data[rank], theRoot);
                });
                assertThat(data).allSatisfy(each -> assertThat(each).isEqualTo(longs(theRoot, count)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldGatherAtEveryRoot(Hosts hosts) {
        int size = hosts.size();
        for (int root = 0; root < size; root += STEP) {
            for (int part : new int[] {0, 8, 4096}) {
                int theRoot = root;
                boolean isInPlace = root % 2 == 0;
                // The parts lie in another order than that of the ranks, with gaps between them.
                Blocks blocks = blocks(size, rank -> part);
                ByteBuffer all = MemoryNetwork.bytes(size * (part + 8));
                fill(all.slice(blocks.offset(root), part), root);
                MemoryNetwork.run(size, part + root, rank -> {
                    boolean isRoot = rank == theRoot;
                    ByteBuffer mine = isRoot && isInPlace ? null : filled(part, rank);
                    return new HostsGatherSchedule(
                            hosts.ranks(), mine, isRoot ? all : null, isRoot ? blocks : null, theRoot, part);
                });
                assertParts(all, blocks);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldAllGatherPartsOfAnyLength(Hosts hosts) {
        int size = hosts.size();
        for (int scale : new int[] {0, 1, 100, 9000}) {
            for (boolean isInPlace : new boolean[] {false, true}) {
                Blocks blocks = blocks(size, rank -> scale * (1 + rank % 3));
                ByteBuffer[] all = new ByteBuffer[size];
                MemoryNetwork.run(size, scale, rank -> {
                    all[rank] = MemoryNetwork.bytes(size * (3 * scale + 8));
                    ByteBuffer mine = filled(blocks.length(rank), rank);
                    if (isInPlace) {
                        all[rank].put(blocks.offset(rank), mine, 0, mine.capacity());
                    }
                    return new HostsAllGatherSchedule(hosts.ranks(), isInPlace ? null : mine, all[rank], blocks);
                });
                for (ByteBuffer each : all) {
                    assertParts(each, blocks);
                    assertThat(each.get(each.capacity() - 1))
                            .as("a byte of no part")
                            .isZero();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldLeaveABarrierWhenAllHaveEntered(Hosts hosts) {
        int size = hosts.size();
        MemoryNetwork.run(size, 7, rank -> new HostsBarrierSchedule(hosts.ranks()));
        for (int late = 0; late < size; late += STEP) {
            int missing = late;
            boolean[] done = MemoryNetwork.runUntilNothingMoves(
                    size, late, rank -> rank == missing ? new Absent() : new HostsBarrierSchedule(hosts.ranks()));
            for (int rank = 0; rank < size; rank++) {
                assertThat(done[rank])
                        .as("rank %d, while %d is absent", rank, missing)
                        .isEqualTo(rank == missing);
            }
        }
    }

    /** A rank that does not come. */
    private static final class Absent extends CollectiveSchedule {
        Absent() {
            super("absent");
        }

        @Override
        protected void plan(Plan plan) {
            // It does nothing.
        }
    }

    /**
     * Compares how many messages go between hosts with the number that schedules which ignore hosts need. Six ranks run
     * on three hosts, two on each: with neighbouring ranks on the same host, and dealt out in turn.
     */
    @ParameterizedTest
    @CsvSource({"0 0 1 1 2 2", "0 1 2 0 1 2"})
    void shouldSendFewerMessagesBetweenHostsThanIfThereWereNone(String text) {
        Hosts hosts = Hosts.of(
                Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray());
        HostedRanks ranks = hosts.ranks();
        int[] hostOf = hosts.hostOf();
        boolean isContiguous = ranks.isContiguous();

        int flatReduce = MemoryNetwork.crossings(
                hostOf, 1, rank -> new AllReduceSchedule(longs(rank, 1), MemoryNetwork.bytes(8), 8, SUM));
        int reduce = MemoryNetwork.crossings(
                hostOf, 1, rank -> new HostsAllReduceSchedule(ranks, longs(rank, 1), MemoryNetwork.bytes(8), 8, SUM));
        int flatToRoot = MemoryNetwork.crossings(
                hostOf, 1, rank -> new ReduceSchedule(longs(rank, 1), MemoryNetwork.bytes(8), 8, SUM, 1));
        int toRoot = MemoryNetwork.crossings(
                hostOf, 1, rank -> new HostsReduceSchedule(ranks, longs(rank, 1), MemoryNetwork.bytes(8), 8, SUM, 1));
        int flatBarrier = MemoryNetwork.crossings(hostOf, 1, rank -> new BarrierSchedule());
        int barrier = MemoryNetwork.crossings(hostOf, 1, rank -> new HostsBarrierSchedule(ranks));
        int flatBcast = MemoryNetwork.crossings(hostOf, 1, rank -> new BroadcastSchedule(longs(0, 1), 1));
        int bcast = MemoryNetwork.crossings(hostOf, 1, rank -> new HostsBroadcastSchedule(ranks, longs(0, 1), 1));
        Blocks blocks = Blocks.equal(6, 8);
        int flatAll = MemoryNetwork.crossings(
                hostOf, 1, rank -> new AllGatherSchedule(longs(rank, 1), MemoryNetwork.bytes(48), blocks));
        int all = MemoryNetwork.crossings(
                hostOf, 1, rank -> new HostsAllGatherSchedule(ranks, longs(rank, 1), MemoryNetwork.bytes(48), blocks));
        int flatGather = MemoryNetwork.crossings(
                hostOf, 1, rank -> new GatherSchedule(longs(rank, 1), MemoryNetwork.bytes(48), blocks, 1));
        int gather = MemoryNetwork.crossings(
                hostOf,
                1,
                rank -> new HostsGatherSchedule(ranks, longs(rank, 1), MemoryNetwork.bytes(48), blocks, 1, 8));

        assertThat(flatReduce).isEqualTo(isContiguous ? 6 : 10);
        assertThat(reduce).isEqualTo(4);
        assertThat(flatBarrier).isEqualTo(isContiguous ? 15 : 18);
        assertThat(barrier).isEqualTo(6);
        assertThat(flatToRoot).isEqualTo(isContiguous ? 2 : 4);
        assertThat(toRoot).isEqualTo(2);
        assertThat(flatBcast).isEqualTo(5);
        assertThat(bcast).isEqualTo(2);
        assertThat(flatAll).isEqualTo(isContiguous ? 15 : 18);
        assertThat(all).isEqualTo(6);
        assertThat(flatGather).isEqualTo(4);
        assertThat(gather).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldBringEachLongPartToEachHostOnce(Hosts hosts) {
        int size = hosts.size();
        Blocks blocks = Blocks.equal(size, 64 * 1024);
        int crossings = MemoryNetwork.crossings(hosts.hostOf(), 1, rank -> {
            ByteBuffer all = MemoryNetwork.bytes(size * 64 * 1024);
            return new HostsAllGatherSchedule(hosts.ranks(), filled(64 * 1024, rank), all, blocks);
        });
        assertThat(crossings).isEqualTo(hosts.ranks().hosts() * (size - 1));
    }

    private static Blocks blocks(int size, IntUnaryOperator length) {
        int[] offsets = new int[size];
        int[] lengths = new int[size];
        int end = 0;
        for (int rank = size - 1; rank >= 0; rank--) {
            offsets[rank] = end;
            lengths[rank] = length.applyAsInt(rank);
            end += lengths[rank] + 4;
        }
        return Blocks.at(offsets, lengths);
    }

    private static void assertParts(ByteBuffer all, Blocks blocks) {
        for (int rank = 0; rank < blocks.size(); rank++) {
            assertThat(all.slice(blocks.offset(rank), blocks.length(rank)))
                    .as("part of rank %d", rank)
                    .isEqualTo(filled(blocks.length(rank), rank));
        }
    }

    private static ByteBuffer filled(int bytes, int rank) {
        ByteBuffer part = MemoryNetwork.bytes(bytes);
        fill(part, rank);
        return part;
    }

    private static void fill(ByteBuffer part, int rank) {
        for (int i = 0; i < part.capacity(); i++) {
            part.put(i, (byte) (1 + rank * 31 + i * 7));
        }
    }

    private static ByteBuffer longs(int rank, int count) {
        ByteBuffer data = MemoryNetwork.bytes(8 * count);
        for (int i = 0; i < count; i++) {
            data.putLong(8 * i, (rank + 1L) * (i + 3));
        }
        return data;
    }

    private static ByteBuffer sum(int size, int count) {
        ByteBuffer data = MemoryNetwork.bytes(8 * count);
        for (int i = 0; i < count; i++) {
            data.putLong(8 * i, size * (size + 1L) / 2 * (i + 3));
        }
        return data;
    }

    private static ByteBuffer doubles(int rank, int count) {
        ByteBuffer data = MemoryNetwork.bytes(8 * count);
        for (int i = 0; i < count; i++) {
            data.putDouble(8 * i, 1 / (3.0 + rank));
        }
        return data;
    }

    private static ByteBuffer maps(int rank, int count) {
        ByteBuffer data = MemoryNetwork.bytes(8 * count);
        for (int i = 0; i < count; i++) {
            data.putInt(8 * i, 2 * (rank + i) + 3).putInt(8 * i + 4, 5 * rank + i);
        }
        return data;
    }
}
