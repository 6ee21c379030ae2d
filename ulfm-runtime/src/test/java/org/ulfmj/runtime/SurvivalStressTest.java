package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.runtime.collective.AllReduceSchedule;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.runtime.transfer.Operation;

/**
 * Ranks exchange checked messages of many sizes and reduce, while some of them die at calls that a seed chooses, or
 * after pauses. Survivors revoke, shrink and go on until enough rounds are done. No rank may hang or receive a wrong
 * byte.
 */
class SurvivalStressTest {
    private static final PlainReduction MAX = (in, inout, count) -> {
        for (int i = 0; i < count; i++) {
            int at = inout.position() + 4 * i;
            inout.putInt(at, Math.max(inout.getInt(at), in.getInt(in.position() + 4 * i)));
        }
    };

    private static final int RANKS = 8;
    private static final int ROUNDS = 40;
    private static final int[] LENGTHS = {0, 1, 100, 5_000, 65_536, 70_000, 300_000};

    /** {@code -Dulfm.stress.first=17 -Dulfm.stress.seeds=1} repeats seed 17. */
    static LongStream seeds() {
        long first = Long.getLong("ulfm.stress.first", 1);
        return LongStream.range(first, first + Long.getLong("ulfm.stress.seeds", 12));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldEndWithRightBytesUnderAnyDeaths(long seed) throws Exception {
        dieAtCalls(seed, LocalRanks.inMemory(RANKS));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldEndWithRightBytesUnderAnyDeathsOverTcp(long seed) throws Exception {
        dieAtCalls(seed, new TcpMedia(RANKS));
    }

    private static void dieAtCalls(long seed, LocalRanks.Media media) throws Exception {
        Random random = new Random(seed);
        FaultTrigger[] deaths = new FaultTrigger[RANKS];
        int killed = 1 + random.nextInt(RANKS - 1);
        List<Integer> slots = shuffledSlots(random);
        for (int slot : slots.subList(0, killed)) {
            deaths[slot] = new FaultTrigger(slot, FaultTrigger.ANY_OPERATION, 1 + random.nextInt(ROUNDS * 6));
        }
        try (LocalRanks ranks = new LocalRanks(
                RANKS,
                media,
                (slot, settings) -> deaths[slot] == null ? settings : settings.withTriggers(List.of(deaths[slot])))) {
            ranks.run(rank -> new Survivor(rank, seed).run());
            for (int slot : slots.subList(killed, RANKS)) {
                assertThat(ranks.rank(slot).isFinished())
                        .as("rank %d, seed %d", slot, seed)
                        .isTrue();
            }
            assertThat(ranks.fenced).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldEndWithRightBytesWhenDeathComesFromOutside(long seed) throws Exception {
        Random random = new Random(~seed);
        int killed = 1 + random.nextInt(RANKS - 1);
        List<Integer> slots = shuffledSlots(random);
        try (LocalRanks ranks = new LocalRanks(RANKS)) {
            Thread killer = new Thread(() -> {
                for (int slot : slots.subList(0, killed)) {
                    LockSupport.parkNanos(random.nextInt(5_000_000));
                    ranks.kill(slot);
                }
            });
            killer.start();
            ranks.run(rank -> new Survivor(rank, seed).run());
            killer.join();
            for (int slot : slots.subList(killed, RANKS)) {
                assertThat(ranks.rank(slot).isFinished())
                        .as("rank %d, seed %d", slot, seed)
                        .isTrue();
            }
            assertThat(ranks.fenced).isEmpty();
        }
    }

    private static List<Integer> shuffledSlots(Random random) {
        List<Integer> slots = new ArrayList<>();
        for (int slot = 0; slot < RANKS; slot++) {
            slots.add(slot);
        }
        Collections.shuffle(slots, random);
        return slots;
    }

    /** One rank's program. */
    private static final class Survivor {
        private final RankRuntime rank;
        private final long seed;
        private Communicator current;

        Survivor(RankRuntime rank, long seed) {
            this.rank = rank;
            this.seed = seed;
            this.current = rank.world();
        }

        /**
         * Runs all rounds. A rank that has finished all rounds, and a rank that met a failure, enters one agreement; if
         * not all ranks have finished, all shrink. So all ranks make the same agreements and shrinks, however the
         * failure showed itself at each.
         */
        void run() {
            int round = 0;
            boolean recovered = false;
            while (true) {
                try {
                    if (recovered) {
                        round = smallest(current, round);
                        recovered = false;
                    }
                    for (; round < ROUNDS; round++) {
                        exchange(round);
                        sum(round);
                    }
                } catch (CallError fault) {
                    assertThat(fault.error()).isIn(ErrorClass.PROC_FAILED, ErrorClass.REVOKED);
                    rank.enterCall("revoke");
                    current.recovery().revoke();
                }
                if (allAreDone(round == ROUNDS && !recovered)) {
                    break;
                }
                shrink();
                recovered = true;
            }
            rank.enterCall("finalize");
            rank.finish();
        }

        private boolean allAreDone(boolean done) {
            rank.enterCall("agree");
            try {
                return current.recovery().agree(done ? 1 : 0) == 1;
            } catch (CallError fault) {
                assertThat(fault.error()).isEqualTo(ErrorClass.PROC_FAILED);
                return false;
            }
        }

        private void shrink() {
            rank.enterCall("shrink");
            Communicator next = current.recovery().shrink();
            if (current != rank.world()) {
                rank.enterCall("free");
                current.free();
            }
            current = next;
        }

        /** Returns the earliest round that a survivor has not finished; all ranks go on from there. */
        private int smallest(Communicator on, int round) {
            ByteBuffer value = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder());
            value.putInt(0, -round);
            rank.enterCall("allReduce");
            on.collectives().run(new AllReduceSchedule(value, value, 4, MAX));
            return -value.getInt(0);
        }

        private void exchange(int round) {
            int size = current.size();
            int right = (current.rank() + 1) % size;
            int left = (current.rank() + size - 1) % size;
            int length = LENGTHS[round % LENGTHS.length];
            byte[] got = new byte[length];
            int source = round % 3 == 0 ? Communicator.ANY_SOURCE : left;
            rank.enterCall("receive");
            Operation receive = current.receive(Messages.payload(got), source, round);
            rank.enterCall("send");
            Operation send = current.send(
                    Messages.payload(Messages.bytes(content(current.rank(), round), length)),
                    right,
                    round,
                    round % 5 == 0 ? SendMode.SYNCHRONOUS : SendMode.STANDARD);
            CallError first = null;
            for (Operation half : new Operation[] {receive, send}) {
                try {
                    current.await(half);
                } catch (CallError fault) {
                    first = first == null ? fault : first;
                }
            }
            if (first != null) {
                throw first;
            }
            assertThat(receive.source()).isEqualTo(left);
            assertThat(Arrays.equals(got, Messages.bytes(content(left, round), length)))
                    .as("bytes of round %d", round)
                    .isTrue();
            current.release(receive);
            current.release(send);
        }

        private long content(int from, int round) {
            return seed << 32 | (long) from << 16 | round;
        }

        private void sum(int round) {
            int elements = round % 4 == 0 ? 20_000 : 10;
            ByteBuffer values = ByteBuffer.allocateDirect(4 * elements).order(ByteOrder.nativeOrder());
            for (int i = 0; i < elements; i++) {
                values.putInt(4 * i, current.rank() + i);
            }
            rank.enterCall("allReduce");
            current.collectives().run(new AllReduceSchedule(values, values, 4, MAX));
            for (int i = 0; i < elements; i++) {
                assertThat(values.getInt(4 * i)).isEqualTo(current.size() - 1 + i);
            }
            rank.enterCall("barrier");
            current.collectives().run(new BarrierSchedule());
        }
    }
}
