package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.Payload;

class ProgressTest {
    /**
     * Timeouts that are short compared to the default, and long compared to the delays of a thread on a busy machine.
     */
    private static final Timing SHORT = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(4));

    private static RankSettings withTiming(RankSettings settings, Timing timing) {
        return RankSettings.of(timing).withWait(settings.politeWait(), settings.crowded());
    }

    private static void computeFor(long ns) {
        long endNs = System.nanoTime() + ns;
        while (System.nanoTime() - endNs < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldBeHeardWhileItComputes() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2, settings -> withTiming(settings, SHORT))) {
            ranks.run(rank -> {
                rank.world().collectives().run(new BarrierSchedule());
                computeFor(SHORT.detectorTimeoutNs() * 3 / 2);
                rank.world().collectives().run(new BarrierSchedule());
                assertThat(rank.world().recovery().failedRanks()).isEmpty();
            });
            assertThat(ranks.fenced).isEmpty();
        }
    }

    @Test
    void shouldBeHeardWhileItWaitsInEveryWay() throws Exception {
        try (LocalRanks ranks =
                new LocalRanks(3, (slot, settings) -> withTiming(settings.withWait(slot == 1, true), SHORT))) {
            LocalRanks.Program waits =
                    rank -> assertThat(Messages.receive(rank.world(), 1, 2, 0)).containsExactly(1);
            ranks.run(waits, waits, rank -> {
                computeFor(SHORT.detectorTimeoutNs() * 5 / 4);
                Messages.send(rank.world(), new byte[] {1}, 0, 0);
                Messages.send(rank.world(), new byte[] {1}, 1, 0);
            });
            assertThat(ranks.fenced).isEmpty();
        }
    }

    @Test
    void shouldNoticeSilenceWhileItComputesAndWhileItWaits() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3, settings -> withTiming(settings, SHORT))) {
            ranks.run(
                    rank -> {
                        try {
                            Messages.receive(rank.world(), 1, 2, 0);
                            throw new AssertionError("received from the dead");
                        } catch (CallError fault) {
                            assertThat(fault.error()).isEqualTo(ErrorClass.PROC_FAILED);
                            assertThat(fault).hasMessageContaining("no heartbeat");
                        }
                    },
                    rank -> {
                        long boundNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
                        while (rank.world().recovery().failedRanks().length == 0 && System.nanoTime() - boundNs < 0) {
                            computeFor(1_000_000);
                        }
                        assertThat(rank.world().recovery().failedRanks()).containsExactly(2);
                    },
                    rank -> ranks.killSilently(2));
            assertThat(ranks.fenced).isEmpty();
        }
    }

    /**
     * Shows that virtual threads can wait in MPI. They are started by reflection, since the tests are compiled for a
     * Java version without them.
     */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void shouldServeVirtualThreads() throws Exception {
        int threads = 20;
        int rounds = 50;
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        new LocalRanks(2).runOnce(rank -> {
            Communicator world = rank.world();
            Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
            Thread[] virtual = new Thread[threads];
            for (int i = 0; i < threads; i++) {
                int tag = i;
                virtual[i] = (Thread) start.invoke(null, (Runnable) () -> {
                    try {
                        for (int round = 0; round < rounds; round++) {
                            byte[] content = {(byte) round};
                            if (world.rank() == 0) {
                                Messages.send(world, content, 1, tag);
                                assertThat(Messages.receive(world, 1, 1, tag)).isEqualTo(content);
                            } else {
                                assertThat(Messages.receive(world, 1, 0, tag)).isEqualTo(content);
                                Messages.send(world, content, 0, tag);
                            }
                        }
                    } catch (Throwable e) {
                        thrown.add(e);
                    }
                });
            }
            for (Thread thread : virtual) {
                thread.join();
            }
            assertThat(thrown).isEmpty();
        });
    }

    @Test
    void shouldNameWhoWaitsForWhom() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        Messages.receive(rank.world(), 1, 1, 17);
                    },
                    rank -> {
                        long boundNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
                        String waits = ranks.describe();
                        while (!waits.contains("waits for") && System.nanoTime() - boundNs < 0) {
                            computeFor(1_000_000);
                            waits = ranks.describe();
                        }
                        assertThat(waits)
                                .containsPattern(
                                        "rank 0  waits for \\d+\\.\\d s in receive on COMM_WORLD for rank 1, tag 17");
                        Messages.send(rank.world(), new byte[1], 0, 17);
                    });
        }
    }

    /**
     * Shows that a round trip of messages allocates less than 8 bytes on average in a rank's thread once warm: garbage
     * of every message would lead to pauses of all ranks. The best of many windows counts: on a busy machine threads
     * meet at the engine lock, and each such meeting allocates an object.
     */
    @Test
    void shouldAllocateNothingAMessageOnceWarm() throws Exception {
        int warmUp = 20_000;
        int window = 1_000;
        int windows = 20;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] least = {Long.MAX_VALUE, Long.MAX_VALUE};
        new LocalRanks(2).runOnce(rank -> {
            Communicator world = rank.world();
            Payload mine = Messages.payload(new byte[100]);
            Payload theirs = Messages.payload(new byte[100]);
            Arrival arrival = new Arrival();
            for (int i = 0; i < warmUp; i++) {
                exchange(world, mine, theirs, arrival);
            }
            long self = Thread.currentThread().getId();
            for (int round = 0; round < windows; round++) {
                long before = threads.getThreadAllocatedBytes(self);
                for (int i = 0; i < window; i++) {
                    exchange(world, mine, theirs, arrival);
                }
                long allocated = threads.getThreadAllocatedBytes(self) - before;
                least[world.rank()] = Math.min(least[world.rank()], allocated);
            }
        });
        for (long bytes : least) {
            assertThat(bytes / (double) window).as("bytes a round trip").isLessThan(8);
        }
    }

    private static void exchange(Communicator world, Payload mine, Payload theirs, Arrival arrival) {
        int other = 1 - world.rank();
        for (int half = 0; half < 2; half++) {
            if (half == world.rank()) {
                world.sendAndWait(mine, other, 1, SendMode.STANDARD);
            } else {
                world.receiveAndWait(theirs, other, 1, arrival);
            }
        }
    }
}
