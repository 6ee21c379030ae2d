package org.ulfmj.transport.shm;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.TransportContract;
import org.ulfmj.transport.process.ProcessFabric;

/**
 * Runs the contract of media with lanes that begin by TCP, because shared memory has no room. Except in two of its
 * tests, there is room from the 50th use of a fabric on.
 */
class ShmComingBackTransportTest extends TransportContract {
    private static final int CALLS_WITHOUT_ROOM = 50;

    private static final class Filled implements World {
        private final AtomicLong skippedNs = new AtomicLong();
        private final ShmWorld world;
        /**
         * How often a fabric was asked for, by several threads: the 50th call makes room. Begins at 50 where there is
         * never to be room.
         */
        private final AtomicInteger calls;

        Filled(int ranks, boolean forGood) {
            calls = new AtomicInteger(forGood ? CALLS_WITHOUT_ROOM : 0);
            world = new ShmWorld(ranks, 1 << 30, () -> System.nanoTime() + skippedNs.get());
            world.fill();
        }

        @Override
        public ProcessFabric fabric(int slot) {
            if (calls.incrementAndGet() == CALLS_WITHOUT_ROOM) {
                world.makeRoom();
                skippedNs.set(OutboundLanes.REFUSAL_NS);
            }
            return world.fabric(slot);
        }

        @Override
        public void kill(int slot) {
            world.kill(slot);
        }

        @Override
        public MemberRecord record(int slot) {
            return world.record(slot);
        }

        @Override
        public void succeed(int slot) {
            world.succeed(slot);
        }

        @Override
        public void close() {
            world.close();
        }
    }

    private boolean isFilledForGood;

    // These two tests take a refused frame for an error, and a data frame is refused for a moment when its lane comes
    // back. So there never is room in them.

    @Test
    @Override
    protected void shouldAnswerFromWithinAFrame() {
        isFilledForGood = true;
        super.shouldAnswerFromWithinAFrame();
    }

    @Test
    @Override
    protected void shouldWakeTheSleepingReceiverEachTime() throws InterruptedException {
        isFilledForGood = true;
        super.shouldWakeTheSleepingReceiverEachTime();
    }

    @Override
    protected World newWorld(int ranks) {
        return new Filled(ranks, isFilledForGood);
    }
}
