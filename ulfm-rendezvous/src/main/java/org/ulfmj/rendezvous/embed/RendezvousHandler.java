package org.ulfmj.rendezvous.embed;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.ulfmj.rendezvous.gather.Gathering;
import org.ulfmj.rendezvous.gather.GatheringText;
import org.ulfmj.rendezvous.gather.Participant;
import org.ulfmj.rendezvous.gather.Place;
import org.ulfmj.rendezvous.gather.Terms;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * Gathers the processes of a job again and again, by a store that a URL names. Each call of {@link #nextRendezvous} is
 * a barrier, after which all members of a round agree on their number and ranks, as with torchelastic's handler of that
 * name.
 *
 * <p>No two rounds of one job run at a time. A round begins only when each member of the one before has left or is
 * gone. A member leaves by calling {@link #nextRendezvous} again or {@link #close}. It is gone when it has not changed
 * its key in the store for two leases; a process without contact to the store for one lease ends its own membership
 * ({@link Round#isMember}).
 *
 * <p>Any thread may call; {@link #nextRendezvous} serves one thread at a time. A daemon thread changes this process's
 * key.
 */
public final class RendezvousHandler implements AutoCloseable {
    private static final String ROOT = "rdzv/";
    private static final String STATE = "state";
    private static final String BEATS = "beat/";
    private static final long CALL_NS = 30_000_000_000L;
    private static final long LEAVE_NS = 5_000_000_000L;
    private static final long PAUSE_MS = 100;

    private record Read(long version, Gathering state) {}

    private final RendezvousUrl url;
    private final Terms terms;
    private final long leaseNs;
    private final StoreLine line;
    private final SharedStore store;
    private final Object turn = new Object();
    private final Object monitor = new Object();

    /**
     * This process in the present rendezvous; null if it takes part in none. The field and its object are guarded by
     * {@link #monitor}.
     */
    private Participant participant;

    private Thread beats;
    private volatile boolean isEnding;

    RendezvousHandler(RendezvousUrl url, StoreLine line, Duration lease) {
        this.url = url;
        this.line = line;
        this.terms = new Terms(url.minWorkers(), url.maxWorkers(), lease.toMillis());
        this.leaseNs = lease.toNanos();
        this.store = SharedStore.over(line).within(ROOT);
    }

    /**
     * Opens the rendezvous of a job.
     *
     * @param url as {@code etcd://host:port/job?min_workers=2&max_workers=4}; see {@link RendezvousUrl}. All processes
     *     of a job give the same numbers of workers and the same lease
     */
    public static RendezvousHandler open(String url) {
        RendezvousUrl parsed = Backends.parse(url);
        return open(parsed, SharedStore.secretOf(parsed));
    }

    /** As {@link #open(String)}, with the secret of the job as an argument and not from a file. */
    public static RendezvousHandler open(String url, JobSecret secret) {
        return open(Backends.parse(url), secret);
    }

    private static RendezvousHandler open(RendezvousUrl url, JobSecret secret) {
        Duration lease = Duration.ofSeconds(url.parameter("lease", 15, 2, 3600));
        return new RendezvousHandler(url, Backends.of(url).open(url, secret, CALL_NS), lease);
    }

    /** The name of the job, from the URL. */
    public String runId() {
        return url.job();
    }

    /**
     * Leaves the present round, if there is one, and waits until this process is a member of the next: at least
     * {@code min_workers} have joined, and {@code last_call_timeout} has passed or {@code max_workers} have joined. A
     * process that joins while a round runs waits for the end of that round. While the store does not answer, the call
     * goes on trying until its {@code timeout}. A call that fails may take some seconds more to leave. An interrupt
     * does not end a wait; the flag is kept.
     *
     * @throws RendezvousFailure.Closed if the rendezvous, or this handler, is closed
     * @throws RendezvousFailure.Timeout if there was no round within {@code timeout}; this process joins no longer
     * @throws RendezvousFailure.Refused if others of the job were started with other numbers of workers, or with
     *     another lease
     */
    public Round nextRendezvous() {
        synchronized (turn) {
            long untilNs = System.nanoTime() + SharedStore.nanos(url.timeout());
            Participant old = exchanged(fresh());
            boolean isDone = false;
            try {
                Round round = gather(old, untilNs);
                isDone = true;
                return round;
            } finally {
                if (!isDone) {
                    leave(exchanged(null));
                    leave(old);
                }
            }
        }
    }

    /** Whether the rendezvous is closed for all processes of the job, so that no further round begins. */
    public boolean isClosed() {
        return read(store.withTimeout(Duration.ofNanos(CALL_NS))).state().isClosed();
    }

    /** Closes the rendezvous for all processes of the job, for good. A round that has begun goes on. */
    public void setClosed() {
        long untilNs = System.nanoTime() + CALL_NS;
        while (true) {
            try {
                change(Gathering::close, untilNs);
                return;
            } catch (RendezvousFailure.OutcomeUnknown again) {
                // Closing twice does no harm.
            }
        }
    }

    /**
     * How many processes have joined too late for the present round, or are more than it may have, and wait for the
     * next; 0 while there is no round. A process that ended without leaving counts until another process drops it.
     */
    public int numWaiting() {
        return read(store).state().waiting();
    }

    /** Leaves, and closes the connection to the store; the rendezvous goes on. May wait for the store, some seconds. */
    @Override
    public void close() {
        isEnding = true;
        Participant old = exchanged(null);
        leave(old);
        line.close();
    }

    /** Ends like a process that is killed: other processes are not told. */
    void endWithoutLeaving() {
        isEnding = true;
        line.close();
    }

    private Participant fresh() {
        return new Participant(RandomBytes.nextLong(), terms, SharedStore.nanos(url.lastCallTimeout()));
    }

    private Participant exchanged(Participant next) {
        synchronized (monitor) {
            if (next != null) {
                requireOpen();
                if (beats == null) {
                    beats = new Thread(this::beat, "ulfm-rendezvous-beats");
                    beats.setDaemon(true);
                    beats.start();
                }
            }
            Participant old = participant;
            if (old != null) {
                old.end();
            }
            participant = next;
            monitor.notifyAll();
            return old;
        }
    }

    private void requireOpen() {
        if (isEnding) {
            throw new RendezvousFailure.Closed("this handler of " + url + " is closed");
        }
    }

    private Round gather(Participant old, long untilNs) {
        String known = "";
        String seen = "the store was not reached";
        StoreWatcher changes = store.watch(STATE);
        while (true) {
            requireOpen();
            long leftNs = untilNs - System.nanoTime();
            if (leftNs <= 0) {
                throw new RendezvousFailure.Timeout(
                        "no round of " + url + " within " + url.timeout().toSeconds() + " s: " + seen, null);
            }
            Participant me = me();
            try {
                if (!holds(me)) {
                    beatOnce(me, calls(untilNs));
                }
                Read read = read(calls(untilNs));
                seen = text(read.state());
                known = seen + "; then ";
                Gathering wanted = wanted(me, old, read.state());
                if (wanted != read.state()) {
                    write(me, read, wanted, calls(untilNs));
                    continue;
                }
                Round round = begun(me, read.state());
                if (round != null) {
                    deleteBeat(old);
                    return round;
                }
                changes.next(Duration.ofNanos(Math.min(leftNs, waitNs(me, read.state()))));
            } catch (RendezvousFailure.Connection | RendezvousFailure.Timeout | RendezvousFailure.OutcomeUnknown e) {
                // The store may have had little time for this call: then what is known of the other processes says
                // more.
                seen = known + "the store fails: " + e.getMessage();
                pause(PAUSE_MS);
            }
        }
    }

    /** The store with a time limit for each call: until {@code untilNs}, and no longer than a lease. */
    private SharedStore calls(long untilNs) {
        return store.withTimeout(Duration.ofNanos(Math.max(1, Math.min(untilNs - System.nanoTime(), leaseNs))));
    }

    private Participant me() {
        synchronized (monitor) {
            requireOpen();
            return participant;
        }
    }

    private boolean holds(Participant me) {
        synchronized (monitor) {
            return me.holds(System.nanoTime());
        }
    }

    /** What this process wants the state to become; the same object if there is nothing to write now. */
    private Gathering wanted(Participant me, Participant old, Gathering state) {
        Gathering rest = (old == null ? state : state.leave(old.nonce())).on(terms);
        if (!rest.terms().equals(terms)) {
            throw new RendezvousFailure.Refused("the processes of " + url + " have gathered with " + text(rest.terms())
                    + "; this one has " + text(terms) + ", and only the same is allowed");
        }
        if (rest.isClosed() && !rest.isFinalFor(me.nonce())) {
            throw new RendezvousFailure.Closed("the rendezvous of " + url + " is closed");
        }
        Place place = rest.placeOf(me.nonce());
        if (place != null && place.status() == Place.Status.LEFT) {
            exchanged(fresh());
            return state;
        }
        synchronized (monitor) {
            return me.next(rest, System.nanoTime());
        }
    }

    private void write(Participant me, Read read, Gathering wanted, SharedStore calls) {
        long sentNs = System.nanoTime();
        byte[] value = GatheringText.write(wanted).getBytes(StandardCharsets.UTF_8);
        if (calls.compareAndSet(STATE, read.version(), value).isDone()) {
            synchronized (monitor) {
                me.onWritten(sentNs);
            }
        }
    }

    private Round begun(Participant me, Gathering state) {
        synchronized (monitor) {
            if (participant != me || !me.begin(state, System.nanoTime())) {
                return null;
            }
        }
        BooleanSupplier runs = () -> {
            synchronized (monitor) {
                return !isEnding && me.runs(System.nanoTime());
            }
        };
        int rank = state.members().indexOf(state.placeOf(me.nonce()));
        SharedStore own =
                SharedStore.over(new RoundLine(line, state.round(), runs)).within(ROOT + state.round() + "/0/");
        return new Round(own, rank, state.members().size(), state.round(), runs);
    }

    private long waitNs(Participant me, Gathering state) {
        synchronized (monitor) {
            long lastCallNs = me.lastCallLeftNs(state, System.nanoTime());
            return Math.max(1, Math.min(leaseNs / 3, lastCallNs));
        }
    }

    private Read read(SharedStore calls) {
        StoredValue value = calls.get(STATE);
        if (value == null) {
            return new Read(0, Gathering.empty(terms));
        }
        try {
            return new Read(value.version(), GatheringText.read(value.text()));
        } catch (IllegalArgumentException e) {
            throw new RendezvousFailure.StateCorrupt(
                    "what is stored for " + url + " is no rendezvous: " + e.getMessage());
        }
    }

    private void change(UnaryOperator<Gathering> to, long untilNs) {
        while (true) {
            Read read = read(calls(untilNs));
            Gathering next = to.apply(read.state());
            byte[] value = GatheringText.write(next).getBytes(StandardCharsets.UTF_8);
            if (next == read.state()
                    || calls(untilNs)
                            .compareAndSet(STATE, read.version(), value)
                            .isDone()) {
                return;
            }
        }
    }

    /**
     * Changes the state so that the given participant has left, and deletes its key. If the store does not answer, the
     * other processes notice that the participant is silent.
     */
    private void leave(Participant old) {
        if (old == null) {
            return;
        }
        try {
            change(state -> state.leave(old.nonce()), System.nanoTime() + LEAVE_NS);
        } catch (RendezvousFailure silent) {
            return; // As said above: it beats no longer.
        }
        deleteBeat(old);
    }

    private void deleteBeat(Participant old) {
        try {
            if (old != null) {
                store.withTimeout(Duration.ofSeconds(1)).delete(key(old.nonce()));
            }
        } catch (RendezvousFailure left) {
            // The key stays, with an empty value.
        }
    }

    private static String key(long nonce) {
        return BEATS + Long.toHexString(nonce);
    }

    private void beat() {
        while (!isEnding) {
            Participant me;
            synchronized (monitor) {
                me = participant;
            }
            try {
                if (me != null) {
                    SharedStore calls = store.withTimeout(Duration.ofNanos(leaseNs / 3));
                    beatOnce(me, calls);
                    dropTheGone(me, calls);
                }
            } catch (RendezvousFailure.Closed end) {
                return;
            } catch (RendezvousFailure silent) {
                // The key is changed at the next attempt; the lease goes on to run meanwhile.
            }
            pause(terms.leaseMs() / 3);
        }
    }

    private void beatOnce(Participant me, SharedStore calls) {
        long sentNs = System.nanoTime();
        calls.set(key(me.nonce()), new byte[0]);
        synchronized (monitor) {
            me.onBeat(sentNs, System.nanoTime());
        }
    }

    /**
     * Drops the processes from the state whose keys have not changed for two leases. The state is read before their
     * keys, so that what the keys show is no older than the state.
     */
    private void dropTheGone(Participant me, SharedStore calls) {
        Read read = read(calls);
        Gathering rest = read.state();
        synchronized (monitor) {
            me.onState(rest);
        }
        if (!rest.has(me.nonce())) {
            return;
        }
        for (Place place : read.state().places()) {
            if (place.status() == Place.Status.LEFT || place.nonce() == me.nonce()) {
                continue;
            }
            long sentNs = System.nanoTime();
            StoredValue beat = calls.get(key(place.nonce()));
            synchronized (monitor) {
                long version = beat == null ? 0 : beat.version();
                if (me.isGone(place.nonce(), version, sentNs, System.nanoTime())) {
                    rest = rest.leave(place.nonce());
                }
            }
        }
        if (rest != read.state()) {
            write(me, read, rest, calls);
        }
    }

    private void pause(long ms) {
        synchronized (monitor) {
            long untilNs = System.nanoTime() + Math.max(1, ms) * 1_000_000;
            Participant before = participant;
            boolean isInterrupted = false;
            while (!isEnding && participant == before && untilNs - System.nanoTime() > 0) {
                try {
                    monitor.wait(Math.max(1, (untilNs - System.nanoTime()) / 1_000_000));
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String text(Gathering state) {
        return "the rendezvous is " + state.phase() + " in round " + state.round() + ", with "
                + state.places().size() + " processes, " + state.waiting() + " of them waiting; "
                + text(state.terms());
    }

    private static String text(Terms terms) {
        return "min_workers=" + terms.min() + ", max_workers=" + terms.max() + ", a lease of " + terms.leaseMs()
                + " ms";
    }
}
