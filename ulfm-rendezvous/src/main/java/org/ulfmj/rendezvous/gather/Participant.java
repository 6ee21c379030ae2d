package org.ulfmj.rendezvous.gather;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.rendezvous.gather.Gathering.Phase;

/**
 * The view that one process has of a rendezvous: what it wants to change, whether its lease lasts, and which others are
 * silent.
 *
 * <p>A process shows that it lives by changing its key (a beat). Its lease runs from the sending of the last beat that
 * was answered. Others take the process for gone once the key has not changed for two leases, so its own lease ends
 * first. Single-threaded.
 */
public final class Participant {
    private record Sight(long version, long sinceNs) {}

    private final long nonce;
    private final Terms terms;
    private final long lastCallNs;
    private final long leaseNs;
    private final SortedMap<Long, Sight> sights = new TreeMap<>();

    private boolean hasBeaten;
    private long beatNs;

    /** When the answer came to the first beat after which the lease has not run out since. */
    private long unbrokenNs;

    private boolean hasWritten;
    private long writtenNs;
    private long seenCall = -1;
    private long seenCallNs;
    private boolean isRunning;
    /** The round of which this process is a member, if it runs. */
    private long round;

    private boolean isOver;

    public Participant(long nonce, Terms terms, long lastCallNs) {
        this.nonce = nonce;
        this.terms = terms;
        this.lastCallNs = lastCallNs;
        this.leaseNs = terms.leaseMs() * 1_000_000;
    }

    public long nonce() {
        return nonce;
    }

    /** Notes that a beat which was sent at {@code sentNs} has been answered now. */
    public void onBeat(long sentNs, long nowNs) {
        if (!holds(nowNs)) {
            unbrokenNs = nowNs;
            isOver |= isRunning;
        }
        beatNs = hasBeaten && beatNs - sentNs > 0 ? beatNs : sentNs;
        hasBeaten = true;
    }

    /** Whether the lease of this process holds. */
    public boolean holds(long nowNs) {
        return hasBeaten && nowNs - beatNs <= leaseNs;
    }

    /** Notes that a change of the state by this process, which was sent at {@code sentNs}, was made. */
    public void onWritten(long sentNs) {
        hasWritten = true;
        writtenNs = sentNs;
    }

    /** What this process wants the state to become; the same object if there is nothing to change. */
    public Gathering next(Gathering state, long nowNs) {
        if (state.isFinalFor(nonce)) {
            return isSure() ? state : state.renew(nonce);
        }
        Gathering next = state.join(nonce).confirm(nonce);
        if (next.phase() == Phase.LAST_CALL && next.call() != seenCall) {
            seenCall = next.call();
            seenCallNs = nowNs;
        }
        return next == state && lastCallLeftNs(state, nowNs) <= 0 ? state.lastCallOver(seenCall) : next;
    }

    /**
     * How long until this process ends the present last call, 0 or less if its time has passed; {@link Long#MAX_VALUE}
     * if there is none, or {@link #next} has not seen it.
     */
    public long lastCallLeftNs(Gathering state, long nowNs) {
        return state.phase() == Phase.LAST_CALL && state.call() == seenCall
                ? lastCallNs - (nowNs - seenCallNs)
                : Long.MAX_VALUE;
    }

    /**
     * Begins to run as a member, if the state says that this process is one, its lease lasts and no other process can
     * still drop it by a change that is under way. Returns whether it runs.
     */
    public boolean begin(Gathering state, long nowNs) {
        if (!isOver && state.isFinalFor(nonce) && holds(nowNs) && isSure()) {
            isRunning = true;
            round = state.round();
        }
        return isRunning && !isOver;
    }

    /**
     * Whether the latest change of the state by this process came after its lease last began anew, so that no other
     * process can still have a change under way that drops this one.
     */
    private boolean isSure() {
        return hasWritten && writtenNs - unbrokenNs >= 0;
    }

    /**
     * Takes note of a state: if this process ran as a member and the state does not contain it any more, it runs no
     * longer. A state that was read before this process joined does not count; it has a lower round.
     */
    public void onState(Gathering state) {
        isOver |= isRunning && state.round() >= round && !state.has(nonce);
        sights.keySet().removeIf(other -> !state.has(other));
    }

    /** This process has left. */
    public void end() {
        isOver = true;
    }

    /** Whether this process runs as a member. Once it has stopped being one, it never is again. */
    public boolean runs(long nowNs) {
        isOver |= isRunning && !holds(nowNs);
        return isRunning && !isOver;
    }

    /**
     * Whether another process is gone: its key has not changed for two leases. The state from which the caller then
     * drops it must have been read before the key.
     *
     * @param version the version of its key; 0 for none
     * @param sentNs when the store was asked for the key
     */
    public boolean isGone(long other, long version, long sentNs, long nowNs) {
        Sight sight = sights.get(other);
        if (sight == null || sight.version() != version) {
            sights.put(other, new Sight(version, nowNs));
            return false;
        }
        return sentNs - sight.sinceNs() > 2 * leaseNs;
    }
}
