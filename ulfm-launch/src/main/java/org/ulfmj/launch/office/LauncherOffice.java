package org.ulfmj.launch.office;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.ulfmj.command.UsageException;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.ServerListener;
import org.ulfmj.rendezvous.elect.Elected;
import org.ulfmj.rendezvous.elect.StateKeeper;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.embed.RendezvousUrl;
import org.ulfmj.rendezvous.etcd.EtcdBackend;
import org.ulfmj.rendezvous.etcd.EtcdOffice;
import org.ulfmj.rendezvous.server.RendezvousServer;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.record.Protection;

/**
 * The launcher as the coordinator of a job whose coordinator is elected ({@code --rdzv}). The launcher is the first
 * coordinator. If it loses the office, as after it was stopped for longer than its lease, it applies for the office
 * again, and continues with the state that the coordinator in between has stored.
 *
 * <p>Any thread. Of the methods for the launcher, only {@link #open}, {@link #tellPlace} and {@link #close} wait.
 */
public final class LauncherOffice implements EtcdOffice.Holder, AutoCloseable {
    private static final String OPTION = "--rdzv ";
    private static final long SECOND_NS = 1_000_000_000;

    /** How long mpiexec waits for etcd in each step of beginning a job before it gives the job up. */
    private static final long FIRST_NS = 10 * SECOND_NS;

    private static final long FINISH_NS = 5 * SECOND_NS;
    /** How long to wait for the thread of a server that was closed. */
    private static final long END_NS = 5 * SECOND_NS;

    private static final long STEP_NS = 2_000_000;

    /**
     * How much longer than two leases the launcher waits for a coordinator to confirm that it has stored all messages
     * of a process that has ended.
     */
    private static final long BEYOND_LEASES_NS = 30 * SECOND_NS;

    /**
     * A call of {@link #tick} that is later than its deadline by more than this means that this process was stopped
     * meanwhile.
     */
    private static final long OVERSLEPT_NS = 5 * SECOND_NS;

    private final RunSpec run;
    private final JobSecret secret;
    private final String host;
    private final Protection protection;
    private final ServerListener listener;
    private final Consumer<String> report;
    private final EtcdOffice office;
    private final String job;
    private final LastingWords words = new LastingWords();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final long patienceNs;

    private volatile RendezvousServer server;
    private volatile boolean isInOffice;
    /** Why the job cannot begin, or has no coordinator any more; null while there is no such reason. */
    private volatile String refusal;

    private volatile boolean hasBegun;
    private volatile boolean isClosing;

    /**
     * By how much this launcher waits longer for confirmations, because it was stopped while it waited. Used only by
     * the thread that calls {@link #tick}.
     */
    private long stoodStillNs;

    /** The last state that was stored in this launcher's own last term, as the coordinator stores it. */
    private byte[] heard;

    private LauncherOffice(
            RendezvousUrl url,
            RunSpec run,
            JobSecret secret,
            String host,
            Protection protection,
            ServerListener listener,
            Consumer<String> report) {
        this.run = run;
        this.secret = secret;
        this.host = host;
        this.protection = protection;
        this.listener = listener;
        this.report = report;
        this.job = url.job();
        this.patienceNs = 2 * url.parameter("lease", 15, 2, 3600) * SECOND_NS + BEYOND_LEASES_NS;
        this.office = EtcdOffice.of(url, secret, true, this);
    }

    private static RendezvousUrl parsed(String url) {
        return RendezvousUrl.parse(url, new EtcdBackend().parameters());
    }

    /**
     * The secret of a job: that of the file that its URL names, or a new one.
     *
     * @param option the name of the option that has the URL, for messages of errors
     * @throws UsageException if the file cannot be read
     */
    public static JobSecret secret(String option, String url) {
        String file = parsed(url).parameter("secret_file");
        try {
            return file == null ? JobSecret.random() : JobSecret.read(Path.of(file));
        } catch (IOException e) {
            String what = e instanceof NoSuchFileException ? "there is no such file" : e.getMessage();
            throw new UsageException(option + " " + url + ": secret_file=" + file + ": " + what);
        }
    }

    /**
     * Takes the office of coordinator for a job that begins. Returns once the office is taken and the first state is
     * stored in etcd.
     *
     * @param host address at which the rendezvous listens for processes, as a literal
     * @param report takes sentences for the user
     * @throws UsageException if there is such a job already, etcd does not answer, or the office is not won in time
     */
    public static LauncherOffice open(
            String url,
            RunSpec run,
            JobSecret secret,
            String host,
            Protection protection,
            ServerListener listener,
            Consumer<String> report) {
        LauncherOffice mine = new LauncherOffice(parsed(url), run, secret, host, protection, listener, report);
        try {
            String others = mine.office.findOthers(System.nanoTime() + FIRST_NS);
            if (others != null) {
                throw new UsageException(OPTION + url + ": job " + mine.job + " " + others
                        + ". Choose another name for this job, or wait for that one's end; if all its processes are"
                        + " dead: mpiexec --rdzv-forget URL");
            }
        } catch (RendezvousFailure failed) {
            throw new UsageException(OPTION + url + ": " + failed.getMessage());
        }
        mine.office.start();
        mine.awaitBeginning(url);
        return mine;
    }

    private void awaitBeginning(String url) {
        boolean isInTime = false;
        try {
            isInTime = begun.await(FIRST_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("the launcher's main thread is never interrupted", e);
        }
        if (!isInTime || refusal != null) {
            String last = office.lastFailure();
            // Deletes from etcd what may have been stored without an answer: it would be in the way of the next job of
            // this name.
            finish();
            office.close();
            RendezvousServer mine = server;
            if (mine != null) {
                mine.close();
            }
            throw new UsageException(OPTION + url + ": "
                    + (refusal != null
                            ? refusal
                            : "the office of the coordinator was not won within " + FIRST_NS / SECOND_NS + " s"
                                    + (last == null ? "" : "; the last request to etcd ended with: " + last)));
        }
    }

    /** The rendezvous server of the present term, or of the last term, whose server is closed. */
    public RendezvousServer server() {
        return server;
    }

    @Override
    public String onElected(byte[] image, StateKeeper keeper) throws IOException {
        if (image == null && hasBegun) {
            report.accept("the state of job " + job + " in etcd is gone; no other process will coordinate the job");
            return null;
        }
        if (image != null && !hasBegun && !RendezvousCore.runOf(image).equals(run)) {
            refuse("job " + job + " was begun by another mpiexec at the same time");
            return null;
        }
        RendezvousServer next = new RendezvousServer(
                run, secret, host, listener, new Elected(keeper, image, true, office.findNs(), office::heldUntilNs));
        next.protect(protection);
        server = next;
        isInOffice = true;
        if (image != null) {
            if (hasBegun) {
                report.accept("this mpiexec is the coordinator of the job again");
            }
            next.tellSince(heard);
        }
        words.begin(next);
        next.start();
        if (image != null && !hasBegun) {
            // The image proves that this launcher had stored its first state, though it lost the office before it got
            // etcd's answer.
            begin();
        }
        return next.address();
    }

    @Override
    public void onStored() {
        server.stored();
        begin();
    }

    private void begin() {
        hasBegun = true;
        begun.countDown();
    }

    @Override
    public void onFindable(boolean isFindable) {
        server.findable(isFindable);
    }

    @Override
    public void onDeposed(String why) {
        words.end();
        isInOffice = false;
        RendezvousServer last = server;
        if (last != null) {
            last.close();
            last.awaitEnd(END_NS);
            heard = last.lastStored();
        }
        if (last != null && !isClosing) {
            report.accept("this mpiexec is not the coordinator of the job any more: " + why + "; the job goes on");
        }
    }

    @Override
    public void onCoordinator(String address) {
        if (!hasBegun && address != null) {
            refuse("job " + job + " was begun by another mpiexec at the same time, at " + address);
        }
    }

    @Override
    public void onCorrupt(String why) {
        refuse(why);
        report.accept("no coordinator any more: " + why);
    }

    private void refuse(String why) {
        refusal = why;
        begun.countDown();
    }

    /**
     * Tells the coordinator something that must stay true: now, if this launcher is the coordinator, and at the
     * beginning of each later term of this launcher.
     */
    public void say(Consumer<RendezvousServer> word) {
        words.say(word);
    }

    /**
     * Runs an action once all messages that a process had sent have been received and stored by a coordinator. If that
     * is not confirmed for long, {@link #tick} runs the action all the same.
     */
    public void hearOut(ProcessId process, Runnable then) {
        words.hearOut(process, then, System.nanoTime());
    }

    /**
     * As {@link #hearOut(ProcessId, Runnable)}, for a process of an elastic world, which has no slot of this
     * launcher's.
     *
     * @param nonce gives the nonce of the process; 0 before it has joined
     */
    public void hearOut(LongSupplier nonce, Runnable then) {
        words.hearOut(nonce, then, System.nanoTime());
    }

    /**
     * Stores in etcd what other launchers need so that their processes join the job, and waits until it is stored.
     *
     * @throws UsageException if etcd has not stored it within ten seconds
     */
    public void tellPlace(byte[] place) {
        office.tellPlace(place);
        long untilNs = System.nanoTime() + FIRST_NS;
        while (!office.isPlaceTold()) {
            if (System.nanoTime() - untilNs >= 0) {
                throw new UsageException(OPTION + "…/" + job + ": etcd has not kept where the job can be joined for "
                        + FIRST_NS / SECOND_NS + " s; the last request ended with: " + office.lastFailure());
            }
            LockSupport.parkNanos(STEP_NS);
        }
    }

    /**
     * When {@link #tick} has to give up waiting for the oldest question; {@link Long#MAX_VALUE} if no question is open.
     */
    public long deadlineNs() {
        long oldestNs = words.oldestNs();
        return oldestNs == Long.MAX_VALUE ? Long.MAX_VALUE : oldestNs + patienceNs + stoodStillNs;
    }

    /**
     * Stops waiting, after too long a time, for confirmations that all messages of ended processes have been received
     * and stored; waits on if this process was stopped meanwhile.
     */
    public void tick(long nowNs) {
        long dueNs = deadlineNs();
        if (dueNs == Long.MAX_VALUE || nowNs - dueNs < 0) {
            return;
        }
        if (nowNs - dueNs > OVERSLEPT_NS) {
            // This process was stopped, and could not be the coordinator meanwhile.
            stoodStillNs += nowNs - dueNs + patienceNs;
        } else {
            report.accept("etcd has kept no word of processes that have ended for " + patienceNs / SECOND_NS
                    + " s; whether they had finalized is not known, and counts as if they had not");
            words.giveUp();
        }
    }

    /** Deletes the job's keys in etcd, if this launcher is the coordinator, and waits some seconds for that. */
    private void finish() {
        isClosing = true;
        if (isInOffice) {
            office.finish();
            long untilNs = System.nanoTime() + FINISH_NS;
            while (isInOffice && !office.isFinished() && System.nanoTime() - untilNs < 0) {
                LockSupport.parkNanos(STEP_NS);
            }
        }
    }

    /**
     * Ends the office after the job has ended. Deletes the job's keys in etcd first, if this launcher is the
     * coordinator.
     */
    @Override
    public void close() {
        finish();
        if (!office.isFinished()) {
            report.accept("etcd may have kept keys of job " + job
                    + "; once all its processes are dead, mpiexec --rdzv-forget URL deletes them");
        }
        office.close();
        server.close();
    }
}
