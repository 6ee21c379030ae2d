package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.util.List;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.local.LocalHub;

/**
 * Plays a death from beginning to end among three imaginary ranks in one thread, more than
 * {@link org.ulfmj.agree.Rehearsal}, which plays the protocols alone: a rank is marked failed, operations and
 * collectives end by that and the texts of their errors are made, a communicator is revoked and shrunk, and the members
 * of the new communicator agree. So code that a first failure runs has been run before.
 *
 * <p>Touches nothing but the objects that it makes, apart from the caller's {@code rest}, and starts no thread. The
 * code of this class has no lambda.
 */
public final class RankRehearsal {
    private static final int RANKS = 3;
    private static final int VICTIM = RANKS - 1;
    private static final long NOW_NS = 1;
    private static final Timing TIMING = Timing.fromTimeout(5_000_000_000L);
    private static final int TAG = 1;
    private static final int FAULTS = 5;

    private final Runnable rest;
    private final RankRuntime[] ranks = new RankRuntime[RANKS];
    private int scene;
    /** The communicator that the second rank's call of shrink has made. */
    private Communicator leftOfSecond;

    private int errors;

    private RankRehearsal(Runnable rest) {
        this.rest = rest;
        LocalHub hub = new LocalHub(RANKS);
        Membership members = Membership.initial(RANKS);
        for (int slot = 0; slot < RANKS; slot++) {
            ranks[slot] = RankRuntime.create(
                    new RankIdentity(ProcessId.of(slot), members, new byte[1]),
                    hub.fabric(slot),
                    new StoppedClock(),
                    RankSettings.of(TIMING),
                    new NoHooks(),
                    new Turns());
        }
        hub.kill(VICTIM);
    }

    /**
     * Plays the death once.
     *
     * @param rest called after each poll of a rank, so that a caller can let the program have the core in between
     * @throws IllegalStateException if the rehearsal did not end as it must
     */
    public static void play(Runnable rest) {
        new RankRehearsal(rest).run();
    }

    private void run() {
        Communicator first = ranks[0].world();
        Communicator second = ranks[1].world();
        Operation fromVictim = first.receive(room(), VICTIM, TAG);
        Operation fromAny = first.receive(room(), Communicator.ANY_SOURCE, TAG);
        runBarrier(first);
        runBarrier(second);
        await(first, fromVictim);
        await(first, fromAny);
        first.recovery().acknowledge(first.recovery().failedRanks().length);
        first.recovery().revoke();
        turns();
        runBarrier(second);
        Communicator left = first.recovery().shrink();
        await(left, left.recovery().startAgree(1, room()));
        if (errors != FAULTS || left.size() != VICTIM) {
            throw new IllegalStateException(
                    "a rehearsal met " + errors + " errors, not " + FAULTS + ", and left " + left);
        }
        left.free();
    }

    /** Plays the next scene of the rehearsal; called when no rank can go on. */
    private void goOn(Completion awaited) {
        switch (scene++) {
            case 0 -> tellDeath();
            // The second rank's shrink runs on this thread, inside the wait of the first rank's shrink, and returns
            // first.
            case 1 -> leftOfSecond = ranks[1].world().recovery().shrink();
            case 2 -> leftOfSecond.recovery().startAgree(1, room());
            default -> throw new IllegalStateException("a rehearsal waits in vain for " + awaited);
        }
    }

    private void tellDeath() {
        Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, ProcessId.of(0), "rehearsed");
        for (int slot = 0; slot < VICTIM; slot++) {
            ranks[slot].news().onEvidence(ProcessId.of(VICTIM), evidence);
        }
    }

    private void runBarrier(Communicator communicator) {
        try {
            communicator.collectives().run(new BarrierSchedule());
        } catch (CallError fault) {
            note(fault);
        }
    }

    private void await(Communicator communicator, Operation operation) {
        try {
            communicator.await(operation);
        } catch (CallError fault) {
            note(fault);
        }
        communicator.release(operation);
    }

    private void note(CallError fault) {
        if (fault.getMessage().isEmpty()) {
            throw new IllegalStateException("a rehearsed fault without a text: " + fault.error());
        }
        errors++;
    }

    private static BufferPayload room() {
        return new BufferPayload(ByteBuffer.allocate(Integer.BYTES));
    }

    /** Polls both survivors again and again, until neither can go on; returns how much was done. */
    private int turns() {
        int all = 0;
        int work;
        do {
            work = 0;
            for (int slot = 0; slot < VICTIM; slot++) {
                work += ranks[slot].engine().poll(true);
                rest.run();
            }
            all += work;
        } while (work > 0);
        return all;
    }

    /**
     * How an imaginary rank waits: it polls both survivors, and plays the next scene of the rehearsal when neither can
     * go on.
     */
    private final class Turns implements Progress.Maker, Progress {
        @Override
        public Progress of(Engine engine, Fabric fabric, RankSettings settings) {
            return this;
        }

        @Override
        public void await(Completion completion) {
            while (!completion.isDone()) {
                if (turns() == 0 && !completion.isDone()) {
                    goOn(completion);
                }
            }
        }

        @Override
        public void onUnpolledCall() {}

        @Override
        public void pollOnce() {
            turns();
        }

        @Override
        public void start() {}

        @Override
        public void awaitEnd() {}

        @Override
        public void onCall(String operation) {}

        @Override
        public void onLeave() {}

        @Override
        public void signalAll() {}

        @Override
        public boolean isWaitedIn() {
            return false;
        }

        @Override
        public List<WaitingThread> waits() {
            return List.of();
        }
    }

    private static final class StoppedClock implements Clock {
        @Override
        public long nowNs() {
            return NOW_NS;
        }
    }

    private static final class NoHooks extends SilentHooks {
        /** Behaves as in a job whose launcher tells of deaths: so an obituary of a certain death wakes no rank. */
        @Override
        public boolean isToldOfDeaths() {
            return true;
        }

        @Override
        public void onFenced(String reason) {
            throw new IllegalStateException("fenced in a rehearsal: " + reason);
        }
    }
}
