package org.ulfmj.runtime.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.flight.WaitEvent;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.local.LocalHub;

/** Tests waits in an engine that has nothing to do, without its progress thread; the test can set the clock forward. */
class SeatTest {
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(5));

    private final IdleEngine engine = new IdleEngine();
    private final PollingProgress progress =
            new PollingProgress(engine, new LocalHub(2).fabric(0), RankSettings.of(TIMING));

    /** Takes the seat from the progress thread once; another thread acts as the progress thread. */
    private void takeTheSeat() {
        CompletableFuture<Void> background = CompletableFuture.runAsync(() -> {
            engine.lock.lock();
            try {
                while (progress.seatIsWithProgressThread()) {
                    progress.driveInBackground();
                }
            } finally {
                engine.lock.unlock();
            }
        });
        await(() -> !progress.seatIsWithProgressThread());
        background.join();
    }

    private void await(Completion completion) {
        engine.lock.lock();
        try {
            progress.await(completion);
        } finally {
            progress.onLeave();
            engine.lock.unlock();
        }
    }

    @Test
    void shouldUseTheSeatOnceItIsOverdueHoweverShortTheCallsAre() {
        takeTheSeat();
        int looks = 20;
        int before = engine.seatPolls;
        for (int call = 0; call < looks * PollingProgress.POLLS_A_CLOCK; call++) {
            engine.aheadNs += 2_000_000;
            long polls = engine.polls;
            await(() -> engine.polls > polls);
        }
        assertThat(engine.seatPolls - before).isEqualTo(looks);
    }

    /** Time limits that {@link Clock#latestNs} judges rely on it. */
    @Test
    void shouldReadTheClockInOneOfManyPollsThoughTheProgressThreadHasTheSeat() {
        int looks = 20;
        for (int call = 0; call < looks * PollingProgress.POLLS_A_CLOCK; call++) {
            long polls = engine.polls;
            await(() -> engine.polls > polls);
        }
        assertThat(engine.seatPolls).isZero();
        assertThat(engine.readings).isEqualTo(looks);
    }

    @Test
    void shouldReadTheClockInOneOfManyTestsThoughTheProgressThreadHasTheSeat() {
        int looks = 20;
        for (int call = 0; call < looks * PollingProgress.POLLS_A_CLOCK; call++) {
            engine.lock.lock();
            try {
                progress.pollOnce();
            } finally {
                progress.onLeave();
                engine.lock.unlock();
            }
        }
        assertThat(engine.seatPolls).isZero();
        assertThat(engine.readings).isEqualTo(looks);
    }

    /** Makes a call that found its message in a lane, and needed no poll. */
    private void unpolledCall() {
        engine.lock.lock();
        try {
            progress.onUnpolledCall();
        } finally {
            progress.onLeave();
            engine.lock.unlock();
        }
    }

    @Test
    void shouldPollInOneOfManyCallsThatNeedNoPoll() {
        for (int call = 0; call < 10 * PollingProgress.POLLS_A_CLOCK; call++) {
            unpolledCall();
        }
        assertThat(engine.polls).isEqualTo(10);
        assertThat(engine.unpolledCalls).isEqualTo(10 * PollingProgress.POLLS_A_CLOCK);
    }

    @Test
    void shouldPollInTheFirstCallAfterANapOfTheProgressThreadThoughItNeedsNone() {
        unpolledCall();
        engine.lock.lock();
        try {
            progress.nap(1, false);
        } finally {
            engine.lock.unlock();
        }
        unpolledCall();
        assertThat(engine.polls).isEqualTo(1);
        unpolledCall();
        assertThat(engine.polls).isEqualTo(1);
    }

    @Test
    void shouldSeeWithoutAPollWhatCanBeSeenSo() {
        int[] looks = {0};
        await(new Completion() {
            @Override
            public boolean isDone() {
                return ++looks[0] > 5;
            }

            @Override
            public boolean isSeenWithoutPolling() {
                return true;
            }
        });
        assertThat(engine.polls).isZero();
    }

    @Test
    void shouldLetInAnotherThreadBetweenFewLooksAtWhatIsSeenWithoutAPoll() {
        int[] looks = {0};
        int[] looksAtEntry = {0};
        Thread other = new Thread(() -> {
            engine.lock.lock();
            looksAtEntry[0] = looks[0];
            engine.lock.unlock();
        });
        await(new Completion() {
            @Override
            public boolean isDone() {
                if (++looks[0] == 3) {
                    other.start();
                    while (!engine.lock.hasQueuedThread(other)) {
                        Thread.onSpinWait();
                    }
                }
                return looksAtEntry[0] > 0;
            }

            @Override
            public boolean isSeenWithoutPolling() {
                return true;
            }
        });
        assertThat(looksAtEntry[0]).isBetween(3, 12);
    }

    @Test
    void shouldAskForFurtherLooksInsteadOfAYieldWhereRanksExceedCores() {
        PollingProgress crowded = new PollingProgress(
                engine, new LocalHub(2).fabric(1), RankSettings.of(TIMING).withWait(false, true));
        int[] asked = {0};
        engine.lock.lock();
        try {
            crowded.await(new Completion() {
                @Override
                public boolean isDone() {
                    return asked[0] == 3;
                }

                @Override
                public boolean isSeenWithoutPolling() {
                    return true;
                }

                @Override
                public boolean isDoneSoon() {
                    asked[0]++;
                    return isDone();
                }
            });
        } finally {
            crowded.onLeave();
            engine.lock.unlock();
        }
        assertThat(asked[0]).isEqualTo(3);
    }

    /** Makes a call after which the program leaves a long operation under way. */
    private void leaveLong() {
        engine.lock.lock();
        try {
            progress.onLongBegun();
        } finally {
            progress.onLeave();
            engine.lock.unlock();
        }
    }

    /**
     * Whether the progress thread has the seat after a nap, if the engine had done {@code polls} polls when the nap
     * began.
     */
    private boolean isTakenAfterNap(long polls) {
        engine.lock.lock();
        try {
            return progress.takeSeatIfIdle(polls);
        } finally {
            engine.lock.unlock();
        }
    }

    @Test
    void shouldGiveTheSeatToTheProgressThreadAtOnceWhenTheProgramLeavesALongOperation() {
        takeTheSeat();
        long polls = engine.polls;
        engine.poll(false);
        assertThat(isTakenAfterNap(polls)).isFalse();

        leaveLong();

        assertThat(isTakenAfterNap(polls)).isTrue();
    }

    @Test
    void shouldKeepTheSeatWhenAThreadHasPolledSinceTheProgramLeftALongOperation() {
        takeTheSeat();
        leaveLong();
        engine.poll(false);
        assertThat(isTakenAfterNap(engine.polls - 1)).isFalse();

        // The next nap is an ordinary one.
        engine.poll(false);
        assertThat(isTakenAfterNap(engine.polls - 1)).isFalse();
        assertThat(isTakenAfterNap(engine.polls)).isTrue();
    }

    private static final class IdleEngine implements Engine {
        private final ReentrantLock lock = new ReentrantLock(true);
        private volatile long aheadNs;
        private volatile int readings;
        private long polls;
        private int unpolledCalls;
        private int seatPolls;
        private long lastSeatPollNs;

        @Override
        public ProcessId id() {
            return ProcessId.of(0);
        }

        @Override
        public ReentrantLock lock() {
            return lock;
        }

        @Override
        public void enter() {
            lock.lock();
        }

        @Override
        public long nowNs() {
            readings++;
            return System.nanoTime() + aheadNs;
        }

        @Override
        public int poll(boolean withSeat) {
            polls++;
            if (withSeat) {
                seatPolls++;
                lastSeatPollNs = nowNs();
            }
            return 0;
        }

        @Override
        public void countUnpolledCall() {
            unpolledCalls++;
        }

        @Override
        public long polls() {
            return polls;
        }

        @Override
        public long lastSeatPollNs() {
            return lastSeatPollNs;
        }

        @Override
        public long nextDeadlineNs() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean hasWork() {
            return false;
        }

        @Override
        public boolean hasStep(boolean alsoOfProgram) {
            return false;
        }

        @Override
        public void runStep(boolean alsoOfProgram) {}

        @Override
        public boolean hasStarted() {
            return false;
        }

        @Override
        public void watchCalls() {}

        @Override
        public void leave() {
            lock().unlock();
        }

        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public boolean isWaitOver() {
            return false;
        }

        @Override
        public void checkRunning() {}

        @Override
        public void breakDown(Throwable error) {
            throw new IllegalStateException(error);
        }

        @Override
        public WaitEvent beginWait(Completion completion) {
            return null;
        }
    }
}
