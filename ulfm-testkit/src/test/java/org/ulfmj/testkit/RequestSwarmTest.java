package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.program;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Starts, tests and cancels requests at random, while ranks die; rank 0 revokes in the end, and each rank waits for its
 * requests. No rank hangs, calls raise only the errors of fault tolerance, and the receives for a sender and tag get
 * its messages in order, each at most once, and without content of another message.
 */
class RequestSwarmTest {
    private static final int STEPS = 120;
    private static final int TAGS = 3;

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldDeliverInOrderAndEndEveryRequest(long seed) {
        Random random = new Random(seed);
        int size = 2 + random.nextInt(4);
        LocalWorld world = LocalWorld.of(size);
        for (int i = random.nextInt(size); i > 0; i--) {
            world.killing(1 + random.nextInt(size - 1), "*", 1 + random.nextInt(2 * STEPS));
        }
        LocalResult result = world.run(swarm(seed));
        result.requireSurvivorsSucceeded();
        assertThat(result.end(0)).as("seed %d: %s", seed, result).isEqualTo(RankEnd.FINALIZED);
    }

    /** The main of each rank. */
    static RankMain swarm(long seed) {
        return program(rank -> new Player(seed, rank).play());
    }

    /** A receive under way, with its number in the order in which this rank posted its receives. */
    private record Receive(int order, LongBuffer buffer, Request request) {}

    private static final class Player {
        private final long seed;
        private final Random random;
        private final Intracomm comm = MPI.COMM_WORLD;
        private final int rank = comm.getRank();
        private final int size = comm.getSize();
        private final long[][] sent = new long[size][TAGS];
        private final List<Request> sends = new ArrayList<>();
        private final List<Receive> receives = new ArrayList<>();
        /**
         * For each sender and tag: the number of the message that each receive got, under the receive's number in the
         * order of posting.
         */
        private final Map<Integer, Map<Integer, Long>> got = new HashMap<>();

        private int posted;

        Player(long seed, int rank) {
            this.seed = seed;
            this.random = new Random(1000 * seed + rank);
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> send();
                    case 3, 4 -> receive();
                    case 5 -> look(random.nextInt(4));
                    case 6 -> cancel();
                    default -> testSends();
                }
            }
            if (rank == 0) {
                comm.revoke();
            }
            while (!receives.isEmpty()) {
                end(receives.remove(0), true);
            }
            while (!sends.isEmpty()) {
                guarded(Request::waitFor, sends.remove(0));
            }
            for (Map<Integer, Long> stream : got.values()) {
                List<Integer> orders = new ArrayList<>(stream.keySet());
                orders.sort(null);
                long last = -1;
                for (int order : orders) {
                    assertThat(stream.get(order))
                            .as("seed %d, rank %d", seed, rank)
                            .isGreaterThan(last);
                    last = stream.get(order);
                }
            }
        }

        private void send() {
            int dest = random.nextInt(size);
            int tag = random.nextInt(TAGS);
            int count = new int[] {1, 20, 3_000, 12_000}[random.nextInt(4)];
            long number = sent[dest][tag]++;
            LongBuffer buffer = MPI.newLongBuffer(count);
            for (int i = 0; i < count; i++) {
                buffer.put(i, number);
            }
            sends.add(
                    random.nextInt(4) == 0
                            ? comm.isSend(buffer, count, MPI.LONG, dest, tag)
                            : comm.iSend(buffer, count, MPI.LONG, dest, tag));
        }

        private void receive() {
            int source = random.nextInt(size + 1) - 1;
            int tag = random.nextInt(TAGS + 1) - 1;
            LongBuffer buffer = MPI.newLongBuffer(12_000);
            receives.add(new Receive(posted++, buffer, comm.iRecv(buffer, 12_000, MPI.LONG, source, tag)));
        }

        private void look(int many) {
            for (int i = 0; i < many && !receives.isEmpty(); i++) {
                Receive receive = receives.get(random.nextInt(receives.size()));
                if (end(receive, false)) {
                    receives.remove(receive);
                }
            }
        }

        private void cancel() {
            if (!receives.isEmpty()) {
                receives.get(random.nextInt(receives.size())).request().cancel();
            }
        }

        private void testSends() {
            guarded(all -> Request.testSome(sends.toArray(new Request[0])), null);
            sends.removeIf(Request::isNull);
        }

        /** Tests a receive, or waits for it. Returns whether the receive is over. */
        private boolean end(Receive receive, boolean waits) {
            Status[] status = new Status[1];
            do {
                guarded(request -> status[0] = waits ? request.waitStatus() : request.testStatus(), receive.request());
            } while (waits && !receive.request().isNull());
            if (status[0] != null && !status[0].isCancelled()) {
                check(receive, status[0]);
            }
            return receive.request().isNull();
        }

        private void check(Receive receive, Status status) {
            int count = status.getCount(MPI.LONG);
            long number = receive.buffer().get(0);
            for (int i = 0; i < count; i++) {
                assertThat(receive.buffer().get(i)).isEqualTo(number);
            }
            got.computeIfAbsent(TAGS * status.getSource() + status.getTag(), key -> new HashMap<>())
                    .put(receive.order(), number);
        }

        private interface Call {
            void on(Request request);
        }

        private void guarded(Call call, Request request) {
            try {
                call.on(request);
            } catch (MPIException e) {
                assertThat(e.getErrorClass())
                        .as("seed %d, rank %d: %s", seed, rank, e)
                        .isIn(MPI.ERR_PROC_FAILED, MPI.ERR_PROC_FAILED_PENDING, MPI.ERR_REVOKED);
                comm.ackFailed();
            }
        }
    }
}
