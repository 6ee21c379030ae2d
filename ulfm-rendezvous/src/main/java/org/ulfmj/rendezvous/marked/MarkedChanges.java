package org.ulfmj.rendezvous.marked;

import java.util.Arrays;
import org.ulfmj.protocol.WireFormatException;

/**
 * The changes of one client, each carried out at most once, no matter which requests and answers get lost, arrive twice
 * or arrive late (S9 to S11).
 *
 * <p>A change has a number, and is one transaction with the client's marker key: it compares the whole last marker, and
 * writes the next one. A transaction that arrives late, or twice, therefore finds another marker and does nothing. The
 * marker is deleted with a lease; once that lease has ended none of the client's old transactions has an effect, and
 * the marker is written again with the last number.
 *
 * <p>One change at a time: {@link #begin}; then, while there is a lease, {@link #attempt} is sent as often as is needed
 * for an answer, and {@link #onAnswer} says what comes next. A change without an answer may be given up at any time.
 *
 * <p>Not thread-safe.
 */
public final class MarkedChanges {
    /**
     * Writes and reads a marker in the form in which it is stored. Two seals of the same marker may be equal or differ.
     */
    public interface Seal {
        byte[] seal(byte[] key, byte[] value);

        byte[] open(byte[] key, byte[] stored);
    }

    /** What comes next. */
    public enum Step {
        /** The change is over: {@link #outcome}. */
        DONE,
        /** Another {@link #attempt} is to be sent, after a renewal if there is no lease. */
        AGAIN,
        /** The lease has ended during the change. The change may or may not have been carried out, and is given up. */
        UNKNOWN
    }

    /**
     * The outcome of a change.
     *
     * @param revision of the change; 0 if it was not made, because the key holds something else
     * @param sum the answer to an addition
     * @param present what the key holds instead, if the change was not made; null for nothing
     */
    public record Outcome(long revision, long sum, Entry present) {}

    private final byte[] markerKey;
    private final Seal seal;

    /** The number of the last change that was begun. */
    private long lastId;

    /** The bytes of the marker as it was last read or written. */
    private byte[] marker;

    /** 0 without a lease. */
    private long lease;

    /** The bytes of the marker that the next attempt at a renewal expects to find; null for none. */
    private byte[] strayMarker;

    private Change change;

    /** The marker that the last attempt writes. */
    private byte[] next;

    private long sum;
    private Outcome outcome;

    /** Whether an attempt of this change that got no answer may have been carried out. */
    private boolean mayHaveRun;

    /** Whether an earlier change was given up without an answer, and no later write of the marker has stopped it. */
    private boolean isFormerOpen;

    /**
     * The outcome of a change that is not to be made, while its late attempts are still to be stopped; null otherwise.
     */
    private Outcome givenUp;

    public MarkedChanges(byte[] markerKey, Seal seal) {
        this.markerKey = markerKey.clone();
        this.seal = seal;
    }

    /** The number of the lease; 0 if there is none and it is to be renewed. */
    public long lease() {
        return lease;
    }

    /** Notes that the lease has ended, or is not used any more. */
    public void onLeaseEnded() {
        lease = 0;
    }

    /** S11: the transaction that writes the marker with the last number, under a new lease. */
    public Txn renewal(long granted) {
        // The marker contains the lease, so that the marker of an earlier renewal is told from this one.
        next = seal.seal(markerKey, new Marker(lastId, false, granted).toBytes());
        Txn txn = strayMarker == null ? new Txn().ifCreated(markerKey, 0) : new Txn().ifValue(markerKey, strayMarker);
        return txn.thenPut(markerKey, next, granted).elseGet(markerKey);
    }

    /**
     * Takes the answer to {@link #renewal}.
     *
     * @return whether there is a lease now; if not, another renewal is to be sent
     * @throws WireFormatException if another process has written the marker
     */
    public boolean onRenewed(long granted, TxnAnswer answer) {
        Entry there = answer.fate() == TxnAnswer.Fate.FAILED ? answer.read().get(0) : null;
        if (answer.succeeded() || there != null && Arrays.equals(there.value(), next)) {
            marker = next;
            lease = granted;
            strayMarker = null;
            return true;
        }
        if (there != null && markerOf(there).id() != lastId) {
            throw new WireFormatException("the marker of this process was written by another one");
        }
        // An earlier renewal, whose answer got lost, has written this marker. The next renewal replaces it.
        strayMarker = there == null ? null : there.value();
        return false;
    }

    /**
     * Begins a change. An earlier change that got no answer is given up; it may still be carried out until the marker
     * is written again.
     */
    public void begin(Change newChange) {
        isFormerOpen |= change != null;
        change = newChange;
        lastId++;
        mayHaveRun = false;
        givenUp = null;
        outcome = null;
    }

    /** The transaction that is to be sent for the change. There must be a lease. */
    public Txn attempt() {
        Txn txn = new Txn().ifValue(markerKey, marker);
        sum = givenUp == null ? change.addTo(txn) : 0;
        next = seal.seal(markerKey, new Marker(lastId, givenUp == null, sum).toBytes());
        return txn.thenPut(markerKey, next, lease).elseGet(markerKey).elseGet(change.key());
    }

    /** The answer to the last attempt. */
    public Step onAnswer(TxnAnswer answer) {
        mayHaveRun |= answer.mayHaveRun();
        if (answer.succeeded()) {
            marker = next;
            return done(givenUp == null ? new Outcome(answer.revision(), sum, null) : givenUp);
        }
        Entry there =
                answer.fate() == TxnAnswer.Fate.NO_LEASE ? null : answer.read().get(0);
        if (there == null) {
            return onMarkerGone();
        }
        boolean isKnown = Arrays.equals(there.value(), marker);
        marker = there.value();
        Marker written = markerOf(there);
        if (written.id() == lastId && written.isMade()) {
            return done(new Outcome(there.modified(), written.sum(), null));
        }
        if (givenUp != null && !isKnown) {
            return done(givenUp);
        }
        return isKnown ? onRefused(answer.read().get(1)) : Step.AGAIN;
    }

    /**
     * S10: the marker is gone with its lease, so no attempt can be carried out any more. If all attempts were answered
     * none was carried out, else one may have been.
     */
    private Step onMarkerGone() {
        lease = 0;
        strayMarker = null;
        isFormerOpen = false;
        if (!mayHaveRun) {
            return Step.AGAIN;
        }
        change = null;
        return Step.UNKNOWN;
    }

    /**
     * Handles a failed comparison: the key holds something else than was compared. If the change is therefore not to be
     * made, an attempt without an answer may still be on its way, and its comparison may hold when it arrives, because
     * a key that was absent may be absent again. So the next marker is written, which stops that attempt.
     */
    private Step onRefused(Entry present) {
        if (givenUp != null || change.isToTryAgain(present)) {
            return Step.AGAIN;
        }
        Outcome refused = new Outcome(0, 0, present);
        if (!mayHaveRun && !isFormerOpen) {
            return done(refused);
        }
        givenUp = refused;
        return Step.AGAIN;
    }

    private Step done(Outcome with) {
        change = null;
        isFormerOpen &= with.revision() == 0 && givenUp == null;
        outcome = with;
        return Step.DONE;
    }

    /** The outcome of the change, after {@link Step#DONE}. */
    public Outcome outcome() {
        return outcome;
    }

    private Marker markerOf(Entry entry) {
        return Marker.of(seal.open(markerKey, entry.value()));
    }
}
