package org.ulfmj.rendezvous.etcd;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.rendezvous.client.Whereabouts;
import org.ulfmj.rendezvous.elect.Candidate;
import org.ulfmj.rendezvous.elect.Election;
import org.ulfmj.rendezvous.elect.ElectionKeys;
import org.ulfmj.rendezvous.elect.ElectionListener;
import org.ulfmj.rendezvous.elect.EtcdReply;
import org.ulfmj.rendezvous.elect.EtcdRequest;
import org.ulfmj.rendezvous.elect.StateKeeper;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.embed.RendezvousUrl;
import org.ulfmj.rendezvous.marked.Entry;
import org.ulfmj.rendezvous.marked.Txn;
import org.ulfmj.transport.auth.JobSecret;

/**
 * A process's part in the election of its job's coordinator, over etcd: an {@link Election} on a separate daemon
 * thread, which sends one request after the other and waits for each answer.
 *
 * <p>The public methods may be called by any thread and return at once, unless they say otherwise. The {@link Holder}
 * is called on the thread of this object.
 */
public final class EtcdOffice implements Whereabouts, AutoCloseable {
    /** Acts as the coordinator while this process has the office. */
    public interface Holder {
        /**
         * This process has the office.
         *
         * @param image the state to go on from; null if none is stored
         * @param keeper stores the state in this term. In a later term it does nothing, so that what a server of this
         *     term still wants to store cannot overwrite the state of the later term
         * @return the address at which members reach this process, as {@code host:port}; null if this process does not
         *     take the office, and no longer takes part in the election
         * @throws IOException if this process cannot take the office now
         */
        String onElected(byte[] image, StateKeeper keeper) throws IOException;

        /** The image that was last given to the keeper of this term is stored. */
        void onStored();

        /**
         * Tells whether members can find this process, which has the office. Called when that changes; a process that
         * was just elected cannot be found yet.
         */
        void onFindable(boolean isFindable);

        /** This process has lost the office, or has laid it down. */
        void onDeposed(String why);

        /**
         * Another process has the office, or none has. Not called while this process has it.
         *
         * @param address null if the office is empty, or if its holder has not written an address yet
         */
        void onCoordinator(String address);

        /**
         * The job's state in etcd cannot be read, or was not written by a process of this job. This process takes no
         * more part in the election.
         */
        void onCorrupt(String why);
    }

    private static final int POLLS_PER_LEASE = 3;
    /**
     * The upper limit of {@link #pollNs}, however long the lease is: members find a coordinator by these looks at the
     * office.
     */
    private static final long LONGEST_POLL_NS = 5_000_000_000L;

    private static final long RETRY_NS = 250_000_000;
    private static final long SECOND_NS = 1_000_000_000;

    /** How long the end of this object waits for the request that ends its lease. */
    private static final long LAST_REQUEST_NS = 2 * SECOND_NS;

    private final EtcdClient client;
    private final Sealing sealing;
    /**
     * Seals and opens the text for other launchers ({@link #tellPlace}): sealed with the job's secret if the URL names
     * the file of the secret, otherwise not sealed at all, so that every process with access to etcd can read it.
     */
    private final Sealing placeSealing;

    private final ElectionKeys keys;
    private final Holder holder;
    private final long leaseNs;
    private final long pollNs;
    /** How long one answer of etcd is waited for. */
    private final long requestNs;

    private final Election election;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile InetSocketAddress coordinator;
    /** {@link Election#heldUntilNs} after the last step. */
    private volatile long heldUntilNs = Long.MIN_VALUE;

    private volatile String lastFailure;
    private volatile boolean isClosing;
    private volatile boolean isFinished;
    /** Whether this process was elected, found no stored state, and did not begin the job: then the job has ended. */
    private volatile boolean isOver;

    private boolean isOut;

    /** What is still to be written for other launchers whose processes join the job; null for nothing. */
    private volatile byte[] place;

    private long placeAtNs;

    private EtcdOffice(
            EtcdClient client,
            Sealing sealing,
            Sealing placeSealing,
            EtcdKeys jobKeys,
            long ttlSeconds,
            boolean isLauncher,
            Holder holder) {
        this.client = client;
        this.sealing = sealing;
        this.placeSealing = placeSealing;
        this.keys = jobKeys.election();
        this.holder = holder;
        this.leaseNs = ttlSeconds * SECOND_NS;
        this.pollNs = Math.min(leaseNs / POLLS_PER_LEASE, LONGEST_POLL_NS);
        this.requestNs = Math.max(pollNs / 2, Math.min(pollNs, SECOND_NS));
        this.election = new Election(keys, new Candidate(isLauncher, ttlSeconds, pollNs, RETRY_NS), new Events());
        this.thread = new Thread(this::run, "ulfm-office");
        thread.setDaemon(true);
    }

    /**
     * Makes the part of one process in the election; {@link #start} begins it.
     *
     * @param isLauncher whether other candidates leave the office to this process
     * @throws RendezvousFailure.Refused if a parameter is wrong, or a file that it names cannot be read
     */
    public static EtcdOffice of(RendezvousUrl url, JobSecret secret, boolean isLauncher, Holder holder) {
        return new EtcdOffice(
                new EtcdClient(EtcdBackend.access(url)),
                new Sealing(secret, url.job()),
                new Sealing(url.parameter("secret_file") == null ? null : secret, url.job()),
                EtcdBackend.keys(url),
                EtcdBackend.ttlSeconds(url),
                isLauncher,
                holder);
    }

    public void start() {
        thread.start();
    }

    /**
     * Looks whether the keys of this job's office or state are in etcd, and waits for the answer.
     *
     * @return what was found, in words that follow the name of the job; null if there is nothing
     * @throws RendezvousFailure.Connection without an answer in time
     * @throws RendezvousFailure.Refused if etcd refuses the request
     */
    public String findOthers(long untilNs) {
        try {
            Entry office = client.get(keys.office(), untilNs);
            if (office != null) {
                return "has a coordinator" + (office.value().length == 0 ? "" : " at " + text(office.value()));
            }
            return client.get(keys.state(), untilNs) == null
                    ? null
                    : "has a state and no coordinator: its processes wait for one, or have all died";
        } catch (EtcdFailure failure) {
            throw failed(failure);
        }
    }

    /**
     * Looks whether the job has a coordinator, and waits for the answer.
     *
     * @throws RendezvousFailure.Connection without an answer in time
     * @throws RendezvousFailure.Refused if etcd refuses the request
     */
    public boolean hasCoordinator(long untilNs) {
        try {
            return client.get(keys.office(), untilNs) != null;
        } catch (EtcdFailure failure) {
            throw failed(failure);
        }
    }

    /**
     * Deletes the keys of the job's election, unless it has a coordinator, and waits until that is done.
     *
     * @return false if the job has a coordinator, and nothing was deleted
     * @throws RendezvousFailure.Connection without an answer in time
     * @throws RendezvousFailure.Refused if etcd refuses the request
     */
    public boolean forget(long untilNs) {
        Txn deletion = new Txn()
                .ifCreated(keys.office(), 0)
                .thenDelete(keys.state())
                .thenDelete(keys.wanted())
                .thenDelete(keys.place())
                .elseGet(keys.office());
        try {
            return client.txn(deletion, untilNs).succeeded();
        } catch (EtcdFailure failure) {
            throw failed(failure);
        }
    }

    /**
     * Reads what the launcher has written for other launchers ({@link #tellPlace}), and waits for the answer.
     *
     * @return null if nothing is written there
     * @throws RendezvousFailure.Connection without an answer in time
     * @throws RendezvousFailure.Refused if etcd refuses the request
     * @throws RendezvousFailure.StateCorrupt if the URL names the file with the job's secret and the text is not sealed
     *     with it, or if the URL names none and the text is sealed
     */
    public byte[] findPlace(long untilNs) {
        return find(keys.place(), placeSealing, untilNs);
    }

    /** As {@link #findPlace}, for the coordinator's stored state, sealed with the secret that {@link #of} was given. */
    public byte[] findState(long untilNs) {
        return find(keys.state(), sealing, untilNs);
    }

    private byte[] find(byte[] key, Sealing seal, long untilNs) {
        try {
            Entry found = client.get(key, untilNs);
            return found == null ? null : seal.open(key, found.value());
        } catch (EtcdFailure failure) {
            throw failed(failure);
        }
    }

    /**
     * Reads where the coordinator is, and waits for the answer.
     *
     * @return {@code host:port}; null if the office is empty, or if its holder has not written an address yet
     * @throws RendezvousFailure.Connection without an answer in time
     * @throws RendezvousFailure.Refused if etcd refuses the request
     */
    public String findCoordinator(long untilNs) {
        try {
            Entry found = client.get(keys.office(), untilNs);
            return found == null || found.value().length == 0 ? null : text(found.value());
        } catch (EtcdFailure failure) {
            throw failed(failure);
        }
    }

    /**
     * Lets this process write what other launchers need whose processes join the job, once it has the office. The text
     * is sealed only if the URL names the file with the secret: otherwise other launchers cannot know the secret before
     * they have read this text.
     */
    public void tellPlace(byte[] newPlace) {
        place = newPlace;
        LockSupport.unpark(thread);
    }

    /** Whether nothing that was given to {@link #tellPlace} is still to be written. */
    public boolean isPlaceTold() {
        return place == null;
    }

    private static RendezvousFailure failed(EtcdFailure failure) {
        return failure.isUnanswered()
                ? new RendezvousFailure.Connection(failure.getMessage(), failure)
                : new RendezvousFailure.Refused(failure.reason(), failure.getMessage(), failure);
    }

    @Override
    public InetSocketAddress now() {
        return coordinator;
    }

    /**
     * Whether the job is known to have ended. Only a process that does not begin the job when it is elected can find
     * that ({@link Holder#onElected}).
     */
    @Override
    public boolean isOver() {
        return isOver;
    }

    /** The length of the lease: how long this process keeps the office without an answer of etcd. */
    public long leaseNs() {
        return leaseNs;
    }

    /**
     * How long a member may take to find this process once it can be found. It includes that etcd may fail before the
     * member looks, which this process notices by one of its requests.
     */
    public long findNs() {
        return 2 * (pollNs + requestNs + RETRY_NS);
    }

    /** How often this process looks which process has the office. */
    public long pollNs() {
        return pollNs;
    }

    /**
     * Until when no other process can have the office if this process has it, by the clock of {@link System#nanoTime};
     * {@link Election#NOT_HELD} without a lease.
     */
    public long heldUntilNs() {
        return heldUntilNs;
    }

    /** Lets the office be laid down, if this process has it, so that another process can have it soon. */
    public void layDown(String why) {
        command(() -> election.layDown(why));
    }

    /** Lets all keys of the job's election ({@link ElectionKeys}) be deleted, if this process has the office. */
    public void finish() {
        command(election::finish);
    }

    /** Whether {@link #finish} has deleted the keys. */
    public boolean isFinished() {
        return isFinished;
    }

    private void command(Runnable command) {
        commands.add(command);
        LockSupport.unpark(thread);
    }

    private void run() {
        try {
            while (!isClosing && !isOut) {
                for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                    command.run();
                }
                step();
            }
        } finally {
            leave();
        }
    }

    /** Sends a request that is due; else writes the text for other launchers, if that is due; else waits a while. */
    private void step() {
        long nowNs = System.nanoTime();
        EtcdRequest request = election.next(nowNs);
        if (request != null) {
            EtcdReply reply = carryOut(request, nowNs + requestNs);
            election.answer(reply, System.nanoTime());
            heldUntilNs = election.heldUntilNs();
        } else if (isPlaceDue(nowNs)) {
            writePlace(nowNs);
        } else if (commands.isEmpty() && !isClosing) {
            LockSupport.parkNanos(Math.min(pollNs, Math.max(0, election.nextDeadlineNs() - nowNs)));
        }
    }

    private boolean isPlaceDue(long nowNs) {
        return place != null && coordinator != null && election.term() > 0 && nowNs - placeAtNs >= 0;
    }

    /**
     * Writes what {@link #tellPlace} was given, only in the present term of this process: a write that arrives late
     * must not leave a key behind the end of the job.
     */
    private void writePlace(long nowNs) {
        placeAtNs = nowNs + RETRY_NS;
        byte[] sealed = placeSealing.seal(keys.place(), place);
        Txn txn = new Txn()
                .ifCreated(keys.office(), election.term())
                .thenPut(keys.place(), sealed, 0)
                .elseGet(keys.office());
        try {
            if (client.txn(txn, nowNs + requestNs).succeeded()) {
                place = null;
            }
        } catch (EtcdFailure | JsonException unknown) {
            lastFailure = unknown.getMessage();
        }
    }

    private EtcdReply carryOut(EtcdRequest request, long untilNs) {
        try {
            EtcdReply reply = ask(request, untilNs);
            lastFailure = null;
            return reply;
        } catch (EtcdFailure | JsonException unknown) {
            lastFailure = unknown.getMessage();
            return new EtcdReply.Unknown();
        }
    }

    private EtcdReply ask(EtcdRequest request, long untilNs) {
        if (request instanceof EtcdRequest.Grant grant) {
            return new EtcdReply.Granted(
                    client.grant(grant.ttlSeconds(), untilNs).id());
        }
        if (request instanceof EtcdRequest.KeepAlive kept) {
            return new EtcdReply.Kept(client.keepAlive(kept.lease(), untilNs));
        }
        if (request instanceof EtcdRequest.Revoke ended) {
            client.revoke(ended.lease(), untilNs);
            return new EtcdReply.Revoked();
        }
        return new EtcdReply.Done(client.txn(((EtcdRequest.Transact) request).txn(), untilNs));
    }

    /** Why the last request that failed got no answer or was refused; null once the election's next one is answered. */
    public String lastFailure() {
        return lastFailure;
    }

    /** Lays the office down and ends the lease, as the last requests of this object. */
    private void leave() {
        long untilNs = System.nanoTime() + LAST_REQUEST_NS;
        election.leave("this process takes part no longer");
        for (EtcdRequest request = election.next(System.nanoTime());
                request instanceof EtcdRequest.Revoke && System.nanoTime() < untilNs;
                request = election.next(System.nanoTime())) {
            election.answer(carryOut(request, untilNs), System.nanoTime());
        }
        client.close();
    }

    /** As {@link #close}, without a wait. */
    public void closeSoon() {
        isClosing = true;
        LockSupport.unpark(thread);
    }

    /** Lays the office down, and ends. Waits until that is done, for some seconds at most. */
    @Override
    public void close() {
        closeWithin(requestNs + LAST_REQUEST_NS);
    }

    /** As {@link #close}, but waits no longer than {@code mostNs}. */
    public void closeWithin(long mostNs) {
        closeSoon();
        boolean interrupted = false;
        long untilNs = System.nanoTime() + mostNs;
        while (thread.isAlive() && thread != Thread.currentThread() && System.nanoTime() < untilNs) {
            try {
                thread.join((untilNs - System.nanoTime()) / 1_000_000 + 1);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static String text(byte[] address) {
        return new String(address, StandardCharsets.UTF_8);
    }

    private static InetSocketAddress socketAddress(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        return new InetSocketAddress(
                hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1)));
    }

    private final class Events implements ElectionListener {
        @Override
        public void onElected(byte[] image) {
            heldUntilNs = election.heldUntilNs();
            try {
                byte[] opened = image == null ? null : sealing.open(keys.state(), image);
                String address = holder.onElected(opened, keeperOf(election.term()));
                if (address == null) {
                    isOver = image == null;
                    isOut = true;
                    return;
                }
                coordinator = socketAddress(address);
                election.announce(address);
            } catch (IOException notNow) {
                election.layDown("this process cannot take the office: " + notNow.getMessage());
            } catch (RendezvousFailure | WireFormatException | IllegalArgumentException corrupt) {
                isOut = true;
                holder.onCorrupt("the state of the job in etcd: " + corrupt.getMessage());
            }
        }

        private StateKeeper keeperOf(long term) {
            return image -> {
                byte[] sealed = sealing.seal(keys.state(), image);
                command(() -> {
                    if (election.term() == term) {
                        election.store(sealed);
                    }
                });
            };
        }

        @Override
        public void onStored() {
            holder.onStored();
        }

        @Override
        public void onFindable(boolean isFindable) {
            holder.onFindable(isFindable);
        }

        @Override
        public void onDeposed(String why) {
            coordinator = null;
            holder.onDeposed(why);
        }

        @Override
        public void onCoordinator(String address, long term) {
            try {
                coordinator = address == null ? null : socketAddress(address);
            } catch (RuntimeException noAddress) {
                // An address that is not of the form host:port counts as unknown here.
                coordinator = null;
            }
            holder.onCoordinator(address);
        }

        @Override
        public void onFinished() {
            isFinished = true;
            isOut = true;
        }
    }
}
