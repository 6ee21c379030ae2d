package org.ulfmj.rendezvous.etcd;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.marked.Change;
import org.ulfmj.rendezvous.marked.MarkedChanges;
import org.ulfmj.rendezvous.marked.Txn;
import org.ulfmj.rendezvous.marked.TxnAnswer;

/**
 * Carries out {@link MarkedChanges} with etcd: sends the transactions, waits for answers, and renews the lease on a
 * separate daemon thread. One change at a time; any thread.
 */
final class EtcdSession implements AutoCloseable {
    private final EtcdClient client;
    private final long ttlSeconds;
    private final ReentrantLock oneAtATime = new ReentrantLock(true);
    private final ScheduledThreadPoolExecutor keeper;

    /** Guarded by the lock. */
    private final MarkedChanges changes;

    private volatile long lease;

    EtcdSession(EtcdClient client, Sealing sealing, byte[] markerKey, long ttlSeconds) {
        this.client = client;
        this.ttlSeconds = ttlSeconds;
        this.changes = new MarkedChanges(markerKey, sealing);
        this.keeper = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "ulfm-etcd-lease");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Gets the lease and writes the marker for the first time. */
    void begin(long untilNs) {
        lock(untilNs);
        try {
            renewSession(untilNs);
        } finally {
            oneAtATime.unlock();
        }
        long periodMs = ttlSeconds * 1000 / 3;
        keeper.scheduleWithFixedDelay(this::keepAlive, periodMs, periodMs, TimeUnit.MILLISECONDS);
    }

    private void renewSession(long untilNs) {
        lease = 0;
        long granted = client.grant(ttlSeconds, untilNs).id();
        while (!changes.onRenewed(granted, client.txn(changes.renewal(granted), untilNs))) {
            // The next renewal replaces what is there.
        }
        lease = granted;
    }

    /**
     * Renews the lease, on the keeper's thread. A lease that was lost is replaced at once, unless a change is under
     * way.
     */
    private void keepAlive() {
        long untilNs = System.nanoTime() + ttlSeconds * 1_000_000_000L;
        long kept = lease;
        try {
            if (kept != 0 && client.keepAlive(kept, untilNs)) {
                return;
            }
            if (oneAtATime.tryLock()) {
                try {
                    if (lease == kept) {
                        changes.onLeaseEnded();
                        renewSession(untilNs);
                    }
                } finally {
                    oneAtATime.unlock();
                }
            }
        } catch (EtcdFailure | RendezvousFailure | JsonException | WireFormatException notNow) {
            // It is tried again after the next period. Changes that the program asks for report what is wrong.
        }
    }

    /**
     * Carries a change out.
     *
     * @throws EtcdFailure without an answer in time, in which case the change may still be made; or if etcd refuses
     * @throws RendezvousFailure.OutcomeUnknown if the lease ended after an attempt that got no answer
     * @throws RendezvousFailure.Timeout if earlier changes of this process, or a replacement of its lease, take all the
     *     time; nothing was changed
     * @throws RendezvousFailure.StateCorrupt if the marker cannot be read
     */
    MarkedChanges.Outcome make(Change change, long untilNs) {
        lock(untilNs);
        try {
            changes.begin(change);
            while (true) {
                if (changes.lease() == 0) {
                    renewSession(untilNs);
                }
                Txn attempt = changes.attempt();
                TxnAnswer answer = client.txn(attempt, untilNs);
                switch (changes.onAnswer(answer)) {
                    case DONE -> {
                        return changes.outcome();
                    }
                    case UNKNOWN ->
                        throw new RendezvousFailure.OutcomeUnknown("the lease of this process at etcd has ended while a"
                                + " change was under way: the change was made, or it was not");
                    case AGAIN -> {
                        // Another attempt.
                    }
                }
            }
        } catch (WireFormatException e) {
            throw new RendezvousFailure.StateCorrupt("the marker of this process in etcd: " + e.getMessage());
        } finally {
            oneAtATime.unlock();
        }
    }

    private void lock(long untilNs) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (oneAtATime.tryLock(untilNs - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        return;
                    }
                    throw new RendezvousFailure.Timeout(
                            "other changes of this process are under way; nothing was changed", null);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the lease, and with it the marker. Waits a second at most. */
    @Override
    public void close() {
        keeper.shutdownNow();
        long ended = lease;
        lease = 0;
        if (ended != 0) {
            try {
                client.revoke(ended, System.nanoTime() + 1_000_000_000);
            } catch (EtcdFailure | JsonException late) {
                // The lease ends by itself.
            }
        }
    }
}
