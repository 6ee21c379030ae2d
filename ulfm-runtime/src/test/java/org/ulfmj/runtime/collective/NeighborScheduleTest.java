package org.ulfmj.runtime.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.runtime.message.MessageKey;

/**
 * Tests neighbour collectives on random graphs, with several edges between two ranks, edges from a rank to itself, and
 * neighbours that are no rank (PROC_NULL).
 */
class NeighborScheduleTest {
    private static final byte UNTOUCHED = -1;

    /** An edge of the graph, with the length and the content of the message that goes along it. */
    private record Edge(int from, int to, int length, byte content) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void shouldBringTheMessageOfEachEdge(int size) {
        for (long seed = 1; seed <= 60; seed++) {
            List<Edge> edges = edges(size, new Random(seed));
            ByteBuffer[] received = new ByteBuffer[size];
            MemoryNetwork.run(size, seed, rank -> {
                List<Edge> in = edges.stream().filter(edge -> edge.to == rank).toList();
                List<Edge> out =
                        edges.stream().filter(edge -> edge.from == rank).toList();
                Blocks sent = blocks(out);
                ByteBuffer send = MemoryNetwork.bytes(end(sent));
                for (int i = 0; i < out.size(); i++) {
                    fill(send, sent, i, out.get(i).content);
                }
                Blocks places = blocks(in);
                received[rank] = MemoryNetwork.bytes(end(places));
                fillAll(received[rank]);
                Neighborhood neighbors = Neighborhood.ofGraph(
                        in.stream().mapToInt(Edge::from).toArray(),
                        out.stream().mapToInt(Edge::to).toArray());
                return new NeighborSchedule("exchange", neighbors, send, sent, received[rank], places);
            });
            for (int rank = 0; rank < size; rank++) {
                int at = rank;
                List<Edge> in = edges.stream().filter(edge -> edge.to == at).toList();
                Blocks places = blocks(in);
                ByteBuffer expected = MemoryNetwork.bytes(end(places));
                fillAll(expected);
                for (int i = 0; i < in.size(); i++) {
                    if (in.get(i).from != MessageKey.NO_RANK) {
                        fill(expected, places, i, in.get(i).content);
                    }
                }
                assertThat(received[rank]).as("rank %d, seed %d", rank, seed).isEqualTo(expected);
            }
        }
    }

    /** Makes random edges. Their order in the list is also their order among the edges of each of their two ends. */
    private static List<Edge> edges(int size, Random random) {
        List<Edge> edges = new ArrayList<>();
        for (int count = random.nextInt(6 * size); count > 0; count--) {
            int from = random.nextInt(12) == 0 ? MessageKey.NO_RANK : random.nextInt(size);
            int to = from >= 0 && random.nextInt(12) == 0 ? MessageKey.NO_RANK : random.nextInt(size);
            edges.add(new Edge(from, to, random.nextInt(5), (byte) random.nextInt(100)));
        }
        return edges;
    }

    private static Blocks blocks(List<Edge> edges) {
        int[] lengths = edges.stream().mapToInt(Edge::length).toArray();
        int[] offsets = new int[lengths.length];
        for (int i = 1; i < offsets.length; i++) {
            offsets[i] = offsets[i - 1] + lengths[i - 1] + 2;
        }
        return Blocks.at(offsets, lengths);
    }

    private static int end(Blocks blocks) {
        return IntStream.range(0, blocks.size())
                .map(i -> blocks.offset(i) + blocks.length(i))
                .max()
                .orElse(0);
    }

    private static void fill(ByteBuffer buffer, Blocks blocks, int part, byte content) {
        byte[] bytes = new byte[blocks.length(part)];
        Arrays.fill(bytes, content);
        buffer.put(blocks.offset(part), bytes);
    }

    private static void fillAll(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, UNTOUCHED);
        }
    }

    /**
     * Tests a ring of one rank and of two ranks, where both neighbours are the same rank: what is sent upwards must
     * arrive as the message from below.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldBringToTheLowerPartWhatIsSentUpwards(int size) {
        for (long seed = 1; seed <= 20; seed++) {
            byte[][] received = new byte[size][2];
            MemoryNetwork.run(size, seed, rank -> {
                int other = size - 1 - rank;
                ByteBuffer send =
                        MemoryNetwork.bytes(2).put(0, (byte) (10 * rank + 1)).put(1, (byte) (10 * rank + 2));
                Blocks both = Blocks.equal(2, 1);
                return new NeighborSchedule(
                        "exchange",
                        Neighborhood.ofGrid(new int[] {other, other}),
                        send,
                        both,
                        ByteBuffer.wrap(received[rank]),
                        both);
            });
            for (int rank = 0; rank < size; rank++) {
                int other = size - 1 - rank;
                assertThat(received[rank]).containsExactly((byte) (10 * other + 2), (byte) (10 * other + 1));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void shouldRefuseOwnPartsOfDifferentLengths(int length) {
        Neighborhood self = Neighborhood.ofGraph(new int[1], new int[1]);
        NeighborSchedule schedule = new NeighborSchedule(
                "exchange",
                self,
                MemoryNetwork.bytes(8),
                Blocks.same(1, length),
                MemoryNetwork.bytes(8),
                Blocks.same(1, 2));
        assertThatThrownBy(() -> schedule.prepare(0, 1))
                .hasMessageContaining("exchange sends " + length + " bytes and has room for 2");
    }
}
