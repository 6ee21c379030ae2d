package org.ulfmj.runtime.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.runtime.collective.inter.InterAllGatherSchedule;
import org.ulfmj.runtime.collective.inter.InterAllReduceSchedule;
import org.ulfmj.runtime.collective.inter.InterAllToAllSchedule;
import org.ulfmj.runtime.collective.inter.InterBroadcastSchedule;
import org.ulfmj.runtime.collective.inter.InterGatherSchedule;
import org.ulfmj.runtime.collective.inter.InterReduceScatterSchedule;
import org.ulfmj.runtime.collective.inter.InterReduceSchedule;
import org.ulfmj.runtime.collective.inter.InterScatterSchedule;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * Tests collectives between the two groups of an inter-communicator, also with more ranks than one rank may have open
 * messages at a time.
 */
class InterSchedulesTest {
    private static final int[] COUNTS = {0, 1, 5000};
    private static final long UNTOUCHED = -7;
    private static final Reduction SUM = Reductions.ofLongs(Long::sum);
    private static final Reduction LEFT = Reductions.left();

    /** Sizes of the two groups. */
    record Sizes(int first, int second) {
        int all() {
            return first + second;
        }

        TwoGroups at(int member) {
            return new TwoGroups(first, all(), member < first);
        }

        /** Returns the first member of the other group; the next method returns how many members that group has. */
        int remoteStart(int member) {
            return member < first ? first : 0;
        }

        int remote(int member) {
            return member < first ? second : first;
        }

        int local(int member) {
            return member < first ? first : second;
        }

        int rank(int member) {
            return member < first ? member : member - first;
        }
    }

    static Stream<Sizes> sizes() {
        return Stream.of(new Sizes(1, 1), new Sizes(1, 40), new Sizes(40, 1), new Sizes(3, 2), new Sizes(9, 17));
    }

    private static long item(int member, int i) {
        return 1000L * member + i;
    }

    private static ByteBuffer longs(int count, IntToLongFunction value) {
        ByteBuffer data = MemoryNetwork.bytes(8 * count);
        for (int i = 0; i < count; i++) {
            data.putLong(8 * i, value.applyAsLong(i));
        }
        return data;
    }

    private static ByteBuffer untouched(int count) {
        return longs(count, i -> UNTOUCHED);
    }

    /** Runs schedules that write to a buffer of each member, and checks the contents of these buffers at the end. */
    private static void check(
            Sizes sizes,
            long seed,
            BiFunction<Integer, ByteBuffer, CollectiveSchedule> schedule,
            IntFunction<ByteBuffer> before,
            IntFunction<ByteBuffer> after) {
        ByteBuffer[] data = new ByteBuffer[sizes.all()];
        MemoryNetwork.run(sizes.all(), seed, member -> {
            data[member] = before.apply(member);
            return schedule.apply(member, data[member]);
        });
        for (int member = 0; member < data.length; member++) {
            assertThat(data[member]).as("member %d of %s", member, sizes).isEqualTo(after.apply(member));
        }
    }

    /**
     * Returns the roots that are tried: the last member of the first group and the first member of the second group.
     */
    private static int[] roots(Sizes sizes) {
        return new int[] {sizes.first - 1, sizes.first};
    }

    private static boolean isMember(Sizes sizes, int member, int root) {
        return member < sizes.first != root < sizes.first;
    }

    private static int rootAt(Sizes sizes, int member, int root) {
        return member == root || isMember(sizes, member, root) ? root : -2;
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldBroadcastToTheOtherGroup(Sizes sizes) {
        for (int count : COUNTS) {
            for (int root : roots(sizes)) {
                check(
                        sizes,
                        count,
                        (member, data) -> new InterBroadcastSchedule(
                                sizes.at(member),
                                rootAt(sizes, member, root) < 0 ? null : data,
                                rootAt(sizes, member, root)),
                        member -> member == root ? longs(count, i -> item(root, i)) : untouched(count),
                        member ->
                                rootAt(sizes, member, root) < 0 ? untouched(count) : longs(count, i -> item(root, i)));
            }
        }
    }

    /** Makes parts of different lengths, in descending order of ranks, with gaps between them. */
    private static Blocks spread(int size, int count) {
        int[] lengths = IntStream.range(0, size).map(r -> 8 * length(r, count)).toArray();
        int[] offsets = IntStream.range(0, size)
                .map(r -> 8 * (size - 1 - r) * (count + 3))
                .toArray();
        return Blocks.at(offsets, lengths);
    }

    private static int length(int rank, int count) {
        return count == 0 ? 0 : count + rank % 3;
    }

    private static int room(int size, int count) {
        return size * (count + 3);
    }

    /**
     * Returns the buffer that is expected after a receive from the members of a group: from each of them the items from
     * number {@code from} on.
     */
    private static ByteBuffer received(int start, int size, int count, int from) {
        ByteBuffer all = untouched(room(size, count));
        Blocks blocks = spread(size, count);
        for (int r = 0; r < size; r++) {
            for (int i = 0; i < blocks.length(r) / 8; i++) {
                all.putLong(blocks.offset(r) + 8 * i, item(start + r, from + i));
            }
        }
        return all;
    }

    private static ByteBuffer part(Sizes sizes, int member, int count) {
        return longs(length(sizes.rank(member), count), i -> item(member, i));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldGatherFromTheOtherGroupAndScatterToIt(Sizes sizes) {
        for (int count : new int[] {0, 1, 300}) {
            for (int root : roots(sizes)) {
                int remote = sizes.remote(root);
                Blocks blocks = spread(remote, count);
                check(
                        sizes,
                        count,
                        (member, data) -> new InterGatherSchedule(
                                sizes.at(member),
                                isMember(sizes, member, root) ? part(sizes, member, count) : null,
                                member == root ? data : null,
                                member == root ? blocks : null,
                                rootAt(sizes, member, root)),
                        member -> untouched(room(remote, count)),
                        member -> member == root
                                ? received(sizes.remoteStart(root), remote, count, 0)
                                : untouched(room(remote, count)));
                ByteBuffer parts = received(sizes.remoteStart(root), remote, count, 0);
                check(
                        sizes,
                        count,
                        (member, data) -> new InterScatterSchedule(
                                sizes.at(member),
                                member == root ? parts : null,
                                member == root ? blocks : null,
                                isMember(sizes, member, root) ? data : null,
                                rootAt(sizes, member, root)),
                        member -> untouched(length(sizes.rank(member), count)),
                        member -> isMember(sizes, member, root)
                                ? part(sizes, member, count)
                                : untouched(length(sizes.rank(member), count)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldGatherAtAllRanksOfTheOtherGroup(Sizes sizes) {
        for (int count : new int[] {0, 1, 300}) {
            check(
                    sizes,
                    count,
                    (member, data) -> new InterAllGatherSchedule(
                            sizes.at(member), part(sizes, member, count), data, spread(sizes.remote(member), count)),
                    member -> untouched(room(sizes.remote(member), count)),
                    member -> received(sizes.remoteStart(member), sizes.remote(member), count, 0));
            check(
                    sizes,
                    count,
                    (member, data) -> new InterAllGatherSchedule(
                            sizes.at(member),
                            longs(count, i -> item(member, i)),
                            data,
                            Blocks.equal(sizes.remote(member), 8 * count)),
                    member -> untouched(sizes.remote(member) * count),
                    member -> longs(
                            sizes.remote(member) * count, i -> item(sizes.remoteStart(member) + i / count, i % count)));
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldExchangeWithEachRankOfTheOtherGroup(Sizes sizes) {
        for (int count : new int[] {0, 1, 300}) {
            check(
                    sizes,
                    count,
                    (member, data) -> new InterAllToAllSchedule(
                            sizes.at(member),
                            longs(sizes.remote(member) * count, i -> item(member, i)),
                            Blocks.equal(sizes.remote(member), 8 * count),
                            data,
                            Blocks.equal(sizes.remote(member), 8 * count)),
                    member -> untouched(sizes.remote(member) * count),
                    member -> longs(
                            sizes.remote(member) * count,
                            i -> item(sizes.remoteStart(member) + i / count, sizes.rank(member) * count + i % count)));
        }
    }

    /** Returns the sum of item i of the vectors of all members of the group that the member is not in. */
    private static long sum(Sizes sizes, int member, int i) {
        return IntStream.range(0, sizes.remote(member))
                .mapToLong(r -> item(sizes.remoteStart(member) + r, i))
                .sum();
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldCombineTheVectorsOfTheOtherGroup(Sizes sizes) {
        for (int count : COUNTS) {
            for (int root : roots(sizes)) {
                check(
                        sizes,
                        count,
                        (member, data) -> new InterReduceSchedule(
                                sizes.at(member),
                                isMember(sizes, member, root) ? longs(count, i -> item(member, i)) : null,
                                member == root ? data : null,
                                8,
                                SUM,
                                rootAt(sizes, member, root)),
                        member -> untouched(count),
                        member -> member == root ? longs(count, i -> sum(sizes, root, i)) : untouched(count));
            }
            check(
                    sizes,
                    count,
                    (member, data) -> new InterAllReduceSchedule(
                            sizes.at(member), longs(count, i -> item(member, i)), data, 8, SUM),
                    member -> untouched(count),
                    member -> longs(count, i -> sum(sizes, member, i)));
            check(
                    sizes,
                    count,
                    (member, data) -> new InterAllReduceSchedule(
                            sizes.at(member), longs(count, i -> item(member, i)), data, 8, LEFT),
                    member -> untouched(count),
                    member -> longs(count, i -> item(sizes.remoteStart(member), i)));
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldScatterTheCombinedVectorsOfTheOtherGroup(Sizes sizes) {
        for (int each : new int[] {0, 1, 20}) {
            int total = sizes.first * sizes.second * each;
            check(
                    sizes,
                    each,
                    (member, data) -> new InterReduceScatterSchedule(
                            sizes.at(member),
                            longs(total, i -> item(member, i)),
                            data,
                            Blocks.equal(sizes.local(member), 8 * sizes.remote(member) * each),
                            8,
                            SUM),
                    member -> untouched(sizes.remote(member) * each),
                    member -> longs(
                            sizes.remote(member) * each,
                            i -> sum(sizes, member, sizes.rank(member) * sizes.remote(member) * each + i)));
        }
    }

    /**
     * Shows how many messages a broadcast and an allReduce take. In a broadcast the root and its own group send each
     * other nothing, and one message goes to the other group's leader, which passes it on.
     */
    @Test
    void shouldSendAsManyMessagesAsItHasToReach() {
        Sizes sizes = new Sizes(4, 5);
        int messages = MemoryNetwork.run(
                9,
                1,
                member -> new InterBroadcastSchedule(
                        sizes.at(member),
                        rootAt(sizes, member, 2) < 0 ? null : longs(3, i -> i),
                        rootAt(sizes, member, 2)));
        assertThat(messages).isEqualTo(5);
        int exchanged = MemoryNetwork.run(
                9,
                1,
                member -> new InterAllReduceSchedule(sizes.at(member), longs(3, i -> i), longs(3, i -> 0), 8, SUM));
        assertThat(exchanged).isEqualTo(2 + 2 * (3 + 4));
    }
}
