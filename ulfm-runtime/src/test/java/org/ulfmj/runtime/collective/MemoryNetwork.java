package org.ulfmj.runtime.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.ulfmj.runtime.progress.Completion;

/**
 * Runs one schedule per rank over queues in memory, in one thread, in an order that a seed decides: which rank advances
 * next, whether a send is buffered or waits for its receive, and which message arrives next. Messages between two ranks
 * in one direction keep their order.
 */
final class MemoryNetwork {
    private static final class Operation implements Completion {
        private final ByteBuffer data;
        private final int offset;
        private final int length;
        private boolean done;

        Operation(ByteBuffer data, int offset, int length) {
            this.data = data;
            this.offset = offset;
            this.length = length;
        }

        @Override
        public boolean isDone() {
            return done;
        }
    }

    private final class Port implements Messenger {
        private final int rank;

        Port(int rank) {
            this.rank = rank;
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public Completion send(int peer, ByteBuffer data, int offset, int lengthBytes) {
            assertThat(peer).isNotEqualTo(rank).isBetween(0, size - 1);
            messages++;
            crossings += hostOf[rank] == hostOf[peer] ? 0 : 1;
            Operation operation = new Operation(data, offset, lengthBytes);
            if (random.nextBoolean()) {
                ByteBuffer copy = ByteBuffer.allocate(lengthBytes).put(0, data, offset, lengthBytes);
                sent(rank, peer).add(new Operation(copy, 0, lengthBytes));
                operation.done = true;
            } else {
                sent(rank, peer).add(operation);
            }
            return operation;
        }

        @Override
        public Completion receive(int peer, ByteBuffer data, int offset, int lengthBytes) {
            assertThat(peer).isNotEqualTo(rank).isBetween(0, size - 1);
            Operation operation = new Operation(data, offset, lengthBytes);
            posted(peer, rank).add(operation);
            return operation;
        }
    }

    private final int size;
    private final Random random;
    private final List<ArrayDeque<Operation>> sent = new ArrayList<>();
    private final List<ArrayDeque<Operation>> posted = new ArrayList<>();
    /** The host number of each rank. */
    private int[] hostOf;

    private int messages;
    private int crossings;

    private MemoryNetwork(int size, long seed) {
        this.size = size;
        this.random = new Random(seed);
        this.hostOf = new int[size];
        for (int pair = 0; pair < size * size; pair++) {
            sent.add(new ArrayDeque<>());
            posted.add(new ArrayDeque<>());
        }
    }

    /**
     * Runs the ranks' schedules to their end and returns how many messages they sent in all; fails if they get stuck,
     * or leave a message or a receive over.
     */
    static int run(int size, long seed, IntFunction<CollectiveSchedule> scheduleOfRank) {
        return run(size, seed, scheduleOfRank, () -> {}, () -> {});
    }

    /**
     * As the other {@code run}, with actions before and after each call of {@link CollectiveSchedule#advance}, by which
     * a test knows whether the engine lock would be held.
     */
    static int run(
            int size, long seed, IntFunction<CollectiveSchedule> scheduleOfRank, Runnable lock, Runnable unlock) {
        MemoryNetwork network = new MemoryNetwork(size, seed);
        network.runToEnd(seed, scheduleOfRank, lock, unlock);
        return network.messages;
    }

    private void runToEnd(long seed, IntFunction<CollectiveSchedule> scheduleOfRank, Runnable lock, Runnable unlock) {
        boolean[] done = runUntilNothingMoves(scheduleOfRank, lock, unlock);
        assertThat(done).as("ranks that are done, seed %d", seed).doesNotContain(false);
        for (int pair = 0; pair < size * size; pair++) {
            assertThat(sent.get(pair)).as("messages without a receive").isEmpty();
            assertThat(posted.get(pair)).as("receives without a message").isEmpty();
        }
    }

    /** Runs the ranks' schedules to their end and returns how many messages went from one host to another. */
    static int crossings(int[] hostOf, long seed, IntFunction<CollectiveSchedule> scheduleOfRank) {
        MemoryNetwork network = new MemoryNetwork(hostOf.length, seed);
        network.hostOf = hostOf;
        network.runToEnd(seed, scheduleOfRank, () -> {}, () -> {});
        return network.crossings;
    }

    /** Runs until all ranks are done or nothing has moved for many turns. Returns for each rank whether it is done. */
    static boolean[] runUntilNothingMoves(int size, long seed, IntFunction<CollectiveSchedule> scheduleOfRank) {
        return new MemoryNetwork(size, seed).runUntilNothingMoves(scheduleOfRank, () -> {}, () -> {});
    }

    private boolean[] runUntilNothingMoves(
            IntFunction<CollectiveSchedule> scheduleOfRank, Runnable lock, Runnable unlock) {
        List<Port> ports = new ArrayList<>();
        List<CollectiveSchedule> schedules = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            ports.add(new Port(rank));
            schedules.add(scheduleOfRank.apply(rank));
        }
        boolean[] done = new boolean[size];
        for (int idle = 0; idle < 200 * size && isUnfinished(done); idle++) {
            int rank = random.nextInt(size);
            lock.run();
            CollectiveSchedule.State state = schedules.get(rank).advance(ports.get(rank));
            unlock.run();
            boolean moved = random.nextBoolean() && deliverOne();
            if (state == CollectiveSchedule.State.STEP_DUE) {
                schedules.get(rank).runDueStep();
                moved = true;
            } else if (state == CollectiveSchedule.State.DONE && !done[rank]) {
                done[rank] = true;
                moved = true;
            }
            idle = moved ? 0 : idle;
        }
        return done;
    }

    static ByteBuffer bytes(int count) {
        return ByteBuffer.allocateDirect(count).order(ByteOrder.nativeOrder());
    }

    private boolean isUnfinished(boolean[] done) {
        for (boolean one : done) {
            if (!one) {
                return true;
            }
        }
        return false;
    }

    private boolean deliverOne() {
        int start = random.nextInt(size * size);
        for (int i = 0; i < size * size; i++) {
            int pair = (start + i) % (size * size);
            if (!sent.get(pair).isEmpty() && !posted.get(pair).isEmpty()) {
                Operation send = sent.get(pair).poll();
                Operation receive = posted.get(pair).poll();
                assertThat(send.length).as("length of a message").isEqualTo(receive.length);
                receive.data.put(receive.offset, send.data, send.offset, send.length);
                send.done = true;
                receive.done = true;
                return true;
            }
        }
        return false;
    }

    private ArrayDeque<Operation> sent(int from, int to) {
        return sent.get(from * size + to);
    }

    private ArrayDeque<Operation> posted(int from, int to) {
        return posted.get(from * size + to);
    }
}
