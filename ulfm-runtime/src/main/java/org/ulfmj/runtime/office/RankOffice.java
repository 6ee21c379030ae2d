package org.ulfmj.runtime.office;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.SilentListener;
import org.ulfmj.rendezvous.client.Whereabouts;
import org.ulfmj.rendezvous.elect.Elected;
import org.ulfmj.rendezvous.elect.StateKeeper;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.embed.RendezvousUrl;
import org.ulfmj.rendezvous.etcd.EtcdBackend;
import org.ulfmj.rendezvous.etcd.EtcdOffice;
import org.ulfmj.rendezvous.server.RendezvousServer;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.options.LauncherProcess;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.CoreWaits;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.host.ProcessStat;
import org.ulfmj.transport.record.Protection;

/**
 * A rank as a candidate for the office of its job's coordinator. While it has the office it runs the rendezvous, from
 * the state that the coordinator before has left in etcd, and proves the ends of processes of its host. It starts no
 * process.
 *
 * <p>Any thread; no call waits, but for {@link #endSoon}, {@link #finish} and {@link #leave}.
 */
public final class RankOffice implements EtcdOffice.Holder {
    /**
     * How long a rank in office that has finalized waits for the goodbyes of the other ranks, besides the time within
     * which each of them finds out that this rank has the office.
     */
    private static final long BEYOND_A_LOOK_NS = 3_000_000_000L;

    private static final long FINISH_NS = 2_000_000_000L;
    private static final long STEP_NS = 2_000_000;
    /**
     * How long a process in office that is about to end waits until its last messages have left, and as long again
     * until it has given the office back.
     */
    private static final long LAST_WORDS_NS = 1_000_000_000L;

    private final String runId;
    private final JobSecret secret;
    private final HostPlace host;
    private final Protection protection;
    private final LauncherProcess launcher;
    private final EtcdOffice office;
    /**
     * The notes of processes that have finalized; null in a job of a fixed size, whose program no other process can run
     * again.
     */
    private final FinalizeNotes notes;

    /** The present term of office; null while this rank is not in office. */
    private volatile Term term;

    /** The rendezvous server and the watch over this host, which this rank runs during one term of its office. */
    private static final class Term extends SilentListener {
        private final RendezvousServer server;
        private final HostWatch watch;
        private final EtcdOffice office;
        private final FinalizeNotes notes;
        private final CoreWaits coreWaits = new CoreWaits(Path.of(ProcessStat.PROC));
        private volatile boolean isOver;

        Term(RankOffice rank, byte[] image, StateKeeper keeper) throws IOException {
            office = rank.office;
            notes = rank.notes;
            server = new RendezvousServer(
                    RendezvousCore.runOf(image),
                    rank.secret,
                    rank.host.address(),
                    this,
                    new Elected(keeper, image, true, office.findNs(), office::heldUntilNs));
            server.protect(rank.protection);
            watch = new HostWatch(server, rank.host.key(), rank.notes);
            server.start();
            watch.start();
        }

        /** Whether all members have said goodbye, or have ended; the answer is what was known at the call before. */
        boolean isOver() {
            server.isOver(over -> isOver = over);
            return isOver;
        }

        void end() {
            watch.close();
            server.close();
        }

        @Override
        public void onAbort(ProcessId by, int code, String reason) {
            server.abort(code, "rank " + by + " called abort with code " + code);
        }

        /**
         * V14: all members have ended, and none is known to have finalized, but any of them may have if the notes are
         * gone. Then the processes that wait are told that the job has ended before any of them can confirm a table.
         */
        @Override
        public void onWorldGone() {
            if (notes != null && notes.areGone()) {
                server.closeRendezvous("its mpiexec has removed the directory of the job, and ended");
            }
        }

        @Override
        public void onSilent(ProcessId process, long nonce, String reason) {
            watch.kill(nonce);
        }

        @Override
        public long waitedForCoreNs(ProcessId process, long pid) {
            return coreWaits.sinceLast(process, pid);
        }

        @Override
        public void onBroken(Throwable cause) {
            office.layDown("the rendezvous is broken: " + cause);
        }
    }

    private RankOffice(
            String url, LaunchEnvironment place, JobSecret secret, Protection protection, LauncherProcess launcher) {
        this.runId = place.runId();
        this.secret = secret;
        this.host = place.host();
        this.notes = place.isElastic() ? new FinalizeNotes(place.jobDirectory()) : null;
        this.protection = protection;
        this.launcher = launcher;
        this.office = EtcdOffice.of(RendezvousUrl.parse(url, new EtcdBackend().parameters()), secret, false, this);
    }

    /**
     * Makes this rank a candidate.
     *
     * @param url the URL of etcd
     * @param place the place of this rank, with the run id of its job: a job that had the name in the URL before, or
     *     has it since, is not coordinated
     * @param launcher the process of the job's launcher, so that its death can be proven
     * @throws IllegalArgumentException if a file that the URL names cannot be read
     */
    public static RankOffice begin(
            String url, LaunchEnvironment place, JobSecret secret, Protection protection, LauncherProcess launcher) {
        try {
            RankOffice rank = new RankOffice(url, place, secret, protection, launcher);
            rank.office.start();
            return rank;
        } catch (RendezvousFailure wrong) {
            throw new IllegalArgumentException(wrong.getMessage(), wrong);
        }
    }

    /**
     * Whether this process was elected and found that the job is over. A process that waits for a place in the job may
     * not have been told so, as the last coordinator has ended.
     */
    public boolean isJobOver() {
        return office.isOver();
    }

    /** Where the coordinator is. */
    public Whereabouts whereabouts() {
        return office;
    }

    @Override
    public String onElected(byte[] image, StateKeeper keeper) throws IOException {
        if (image == null) {
            // The job is over, and its keys in etcd are deleted: there is nothing to coordinate.
            return null;
        }
        String other = RendezvousCore.runOf(image).runId();
        if (!other.equals(runId)) {
            throw new IllegalArgumentException("is that of job " + other + ", this rank is of job " + runId);
        }
        Term begun = new Term(this, image, keeper);
        term = begun;
        return begun.server.address();
    }

    @Override
    public void onStored() {
        Term present = term;
        if (present != null) {
            present.server.stored();
        }
    }

    @Override
    public void onFindable(boolean isFindable) {
        Term present = term;
        if (present != null) {
            present.server.findable(isFindable);
        }
    }

    @Override
    public void onDeposed(String why) {
        Term ended = term;
        term = null;
        if (ended != null) {
            ended.end();
        }
    }

    @Override
    public void onCoordinator(String address) {
        // Nothing to do: the line to the coordinator asks for the address when it needs it.
    }

    @Override
    public void onCorrupt(String why) {
        System.err.println("this rank cannot coordinate the job: " + why);
    }

    /** How long a rank that finalizes or aborts waits for a coordinator that takes its message, while there is none. */
    public long patienceNs() {
        return 2 * office.leaseNs();
    }

    /**
     * Notes that this rank has finalized, after all ranks have decided so and before it says goodbye, where other
     * processes could run the program again: perhaps no coordinator gets the goodbye.
     */
    public void noteFinalized(long nonce) {
        if (notes != null) {
            notes.note(nonce);
        }
    }

    /**
     * Ends the candidacy of this process, which has finalized or waited in vain for a place in the job. A process in
     * office waits a moment for the goodbyes of the ranks; if all have said goodbye, or have ended, and the launcher is
     * dead, it deletes the keys of the job. Then it gives the office back.
     */
    public void finish() {
        Term present = term;
        long untilNs = System.nanoTime() + office.pollNs() + BEYOND_A_LOOK_NS;
        while (present != null && term == present && !present.isOver() && System.nanoTime() - untilNs < 0) {
            LockSupport.parkNanos(STEP_NS);
        }
        if (present != null && term == present && present.isOver() && isLauncherDead()) {
            office.finish();
            untilNs = System.nanoTime() + FINISH_NS;
            while (!office.isFinished() && System.nanoTime() - untilNs < 0) {
                LockSupport.parkNanos(STEP_NS);
            }
        }
        leave();
    }

    /**
     * To be called when this process is about to end because the job ends. A rank in office first lets all members be
     * told so, and then gives the office back; the next coordinator tells those that were not reached. Waits for that,
     * for two seconds at most.
     */
    public void endSoon() {
        Term present = term;
        if (present == null) {
            return;
        }
        CountDownLatch isSaid = new CountDownLatch(1);
        // Messages that were to be sent before wait until etcd has stored the state; this action runs after them.
        present.server.onceStored(isSaid::countDown);
        try {
            isSaid.await(LAST_WORDS_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        office.closeWithin(LAST_WORDS_NS);
    }

    /**
     * Ends the candidacy of this rank. A rank in office gives the office back, and waits for that, for some seconds at
     * most.
     */
    public void leave() {
        Term present = term;
        if (present == null) {
            office.closeSoon();
        } else {
            office.close();
            present.end();
        }
    }

    /** Whether the launcher is proven dead; a live launcher would want to know how the job went on without it. */
    private boolean isLauncherDead() {
        if (launcher.startTicks() == 0
                || launcher.pidNamespace() != HostProcess.self().pidNamespace()) {
            return false;
        }
        ProcessStat stat = ProcessStat.of(launcher.pid());
        return stat == null || stat.startTicks() != launcher.startTicks() || stat.hasEnded();
    }
}
