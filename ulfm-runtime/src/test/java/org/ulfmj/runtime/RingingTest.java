package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ulfmj.transport.BufferPayload;

/**
 * Shows that a sleeping rank is rung when another rank has written something for it into shared memory, also where the
 * other rank looks for sleepers only at the end of its call. The test marks rank 1 as sleeping, in the segments of rank
 * 1, and counts how often rank 0 rings.
 */
@Timeout(120)
class RingingTest {
    private static final int AFTER = 1;
    /** More calls than go by messages at first, and more than a window of shared memory has slots. */
    private static final int CALLS = 40;

    private static final PlainReduction NOTHING = (in, inout, count) -> {};

    /** Collective calls in which rank 0 waits for no other rank. */
    enum Call {
        BCAST {
            @Override
            void run(Communicator on) {
                on.collectives().broadcast(buffer(), 0);
            }
        },
        REDUCE {
            @Override
            void run(Communicator on) {
                on.collectives().reduce(buffer(), on.rank() == 1 ? buffer() : null, Long.BYTES, NOTHING, 1);
            }
        },
        STARTED_BCAST {
            @Override
            void run(Communicator on) {
                on.await(on.started().broadcast("iBcast", buffer(), 0));
            }
        },
        STARTED_REDUCE {
            @Override
            void run(Communicator on) {
                NotedBuffer receive = on.rank() == 1 ? buffer() : null;
                on.await(on.started().reduce("iReduce", buffer(), receive, Long.BYTES, NOTHING, 1));
            }
        };

        abstract void run(Communicator on);
    }

    private final SharedRanks shared = new SharedRanks(2);
    private final CyclicBarrier both = new CyclicBarrier(2);

    private LocalRanks start() {
        return new LocalRanks(2, shared, (slot, settings) -> settings.withHostCollectivesAfter(AFTER));
    }

    private static NotedBuffer buffer() {
        return new NotedBuffer(new BufferPayload(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()))) {
            @Override
            public int bytesToUnpack() {
                return Long.BYTES;
            }

            @Override
            public int unpackPiece(int from, int mostBytes) {
                unpack();
                return Long.BYTES;
            }
        };
    }

    private void meet() throws Exception {
        both.await(60, TimeUnit.SECONDS);
    }

    /** Writes into all segments of rank 1 whether rank 1 sleeps. */
    private void sayThatRank1Sleeps(boolean sleeps) {
        shared.memory(1).held.stream()
                .filter(segment -> segment.maker().slot() == 1)
                .forEach(segment -> segment.wordRelease(0, sleeps ? 1 : 0));
    }

    private int ringsOfRank0() {
        return shared.memory(0).rings.get();
    }

    @ParameterizedTest
    @EnumSource
    void shouldRingARankThatSleepsWhenTheCallEnds(Call call) throws Exception {
        try (LocalRanks ranks = start()) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                for (int i = 0; i < CALLS; i++) {
                    call.run(world);
                }
                world.collectives().barrier();
                meet();
                if (world.rank() == 0) {
                    assertThat(shared.memory(0).held).as("shared segments").isNotEmpty();
                    sayThatRank1Sleeps(true);
                    int before = ringsOfRank0();
                    call.run(world);
                    assertThat(ringsOfRank0()).isGreaterThan(before);
                    sayThatRank1Sleeps(false);
                }
                meet();
                if (world.rank() == 1) {
                    call.run(world);
                }
                world.collectives().barrier();
            });
        }
    }

    /**
     * Shows that the root of a broadcast is rung by a rank that is about to wait for it: the root may be waiting for a
     * slot which that rank gives back at the beginning of its next call.
     */
    @Test
    void shouldRingARootThatSleepsBeforeTheCallWaitsForIt() throws Exception {
        try (LocalRanks ranks = start()) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                for (int i = 0; i < CALLS; i++) {
                    world.collectives().broadcast(buffer(), 1);
                }
                world.collectives().barrier();
                meet();
                if (world.rank() == 1) {
                    sayThatRank1Sleeps(true);
                    int before = ringsOfRank0();
                    meet();
                    RankPolling.until(ranks, () -> ringsOfRank0() > before);
                    sayThatRank1Sleeps(false);
                } else {
                    meet();
                }
                world.collectives().broadcast(buffer(), 1);
                world.collectives().barrier();
            });
        }
    }
}
