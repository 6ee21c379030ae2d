package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.util.List;
import mpi.MPI;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.SilentHooks;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.local.LocalHub;

/**
 * Plays a recovery to the end between two imaginary ranks in memory: one dies in its second version, another process
 * takes its place, fetches model and results, passes what was done and goes on. A newcomer runs all of that for the
 * first time, while all others wait; a spare has nothing else to do before, so it plays this, and its virtual machine
 * has loaded and linked much of what it will need.
 *
 * <p>No real rank is told of it. The survivor is played by a thread, which has ended when the call returns.
 */
public final class RecoveryRehearsal {
    private static final byte[] SECRET = new byte[1];
    /** The timeout of the detector, 600 s: so long that no rank is marked failed because it is slow. */
    private static final Timing TIMING = Timing.fromTimeout(600_000_000_000L);

    private static final ProcessId SURVIVOR = ProcessId.of(0);
    private static final ProcessId VICTIM = ProcessId.of(1);
    private static final ProcessId NEWCOMER = new ProcessId(1, 1);

    private static final int VERSIONS = 3;
    private static final int SUMS = 16;
    private static final int ITEMS = 512;
    /** The length of the model: so long that it is sent by handshake. */
    private static final int MODEL_BYTES = 1 << 20;

    private static final int SUMS_OF_VICTIM = SUMS + SUMS / 2;
    private static final int ALL_SUMS = VERSIONS * SUMS;

    private final LocalHub hub = new LocalHub(2);
    private final Part survivor = new Part(SURVIVOR);
    private final Part victim = new Part(VICTIM);
    private volatile Part newcomer;

    private RecoveryRehearsal() {
        Membership members = Membership.initial(2);
        survivor.start(new RankIdentity(SURVIVOR, members, SECRET));
        victim.start(new RankIdentity(VICTIM, members, SECRET));
    }

    /**
     * Plays the rehearsal once.
     *
     * @throws IllegalStateException if the rehearsal did not end as it must
     */
    public static void play() {
        new RecoveryRehearsal().run();
    }

    private void run() {
        Thread thread = new Thread(null, survivor, "rabit-rehearsal");
        thread.setDaemon(true);
        thread.start();
        try {
            victim.play(SUMS_OF_VICTIM);
            replaceVictim();
            newcomer.play(ALL_SUMS);
            join(thread);
        } finally {
            survivor.end();
            victim.end();
            if (newcomer != null) {
                newcomer.end();
            }
        }
        survivor.requireWhole();
        newcomer.requireWhole();
    }

    private void replaceVictim() {
        victim.end();
        survivor.runtime.news().onEvidence(VICTIM, new Evidence(Evidence.Kind.CERTAIN, SURVIVOR, "rehearsed"));
        MemberRecord record = recordOf(NEWCOMER, 1);
        List<MemberRecord> world = List.of(recordOf(SURVIVOR, 0), recordOf(VICTIM, 0));
        newcomer = new Part(NEWCOMER);
        for (MemberRecord member : world) {
            hub.fabric(NEWCOMER).admit(member);
        }
        newcomer.start(RankIdentity.of(record, world, SECRET));
        survivor.runtime.news().onPending(record);
        String refusal = newcomer.runtime.awaitAdmission();
        if (refusal != null) {
            throw new IllegalStateException("not let in, in a rehearsal: " + refusal);
        }
    }

    private static MemberRecord recordOf(ProcessId process, long nonce) {
        return new MemberRecord(process, nonce, 0, "", 0, "", HostProcess.UNKNOWN);
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** One imaginary process. */
    private final class Part extends SilentHooks implements Clock, Runnable {
        private final ProcessId id;
        private final double[] items = new double[ITEMS];
        private RankRuntime runtime;
        private volatile Throwable error;
        private int sums;

        Part(ProcessId id) {
            this.id = id;
        }

        void start(RankIdentity identity) {
            RankSettings settings = RankSettings.of(TIMING).withHostCollectivesAfter(SUMS / 4);
            runtime = RankRuntime.create(identity, hub.fabric(id), this, settings, this);
        }

        @Override
        public void run() {
            try {
                play(ALL_SUMS);
            } catch (RuntimeException | Error failed) {
                error = failed;
                // The survivor has failed. The other imaginary ranks that exist are ended, so that they do not wait for
                // it for ever.
                victim.end();
                if (newcomer != null) {
                    newcomer.end();
                }
            }
        }

        /**
         * Runs a program of the recovery mode at this imaginary process. Returns early when the process has made
         * {@code most} sums.
         */
        void play(int most) {
            Session session =
                    new Session(new RankBinding(runtime, null), runtime, RabitSettings.of(null, new String[0]));
            session.join();
            session.allReduce("rehearsal", new double[] {1}, 1, MPI.DOUBLE, MPI.MAX, null);
            int version = session.models().loadCheckpoint(null, null);
            sums = version * SUMS;
            while (version < VERSIONS) {
                for (int i = 0; i < SUMS; i++) {
                    if (sums == most) {
                        return;
                    }
                    items[0] = 1;
                    session.allReduce(null, items, ITEMS, MPI.DOUBLE, MPI.SUM, null);
                    sums++;
                    if (items[0] != 2) {
                        throw new IllegalStateException("a sum of ones in a rehearsal is " + items[0]);
                    }
                }
                session.models().checkpoint(ByteBuffer.allocate(MODEL_BYTES), null);
                version++;
            }
        }

        void end() {
            hub.kill(id);
            runtime.kill(new Ended());
        }

        void requireWhole() {
            if (error != null || sums != ALL_SUMS) {
                throw new IllegalStateException(
                        "in a rehearsal process " + id + " made " + sums + " of " + ALL_SUMS + " sums", error);
            }
        }

        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public void onFenced(String reason) {
            throw new IllegalStateException("fenced in a rehearsal: " + reason);
        }

        @Override
        public void onBroken(Throwable cause) {
            error = cause;
        }
    }

    /** The error that a call of an imaginary process raises after the process has been ended. */
    private static final class Ended extends Error {
        private static final long serialVersionUID = 1L;

        Ended() {
            super("the rehearsal is over", null, false, false);
        }
    }
}
