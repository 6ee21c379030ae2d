package org.ulfmj.rendezvous.elect;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.ulfmj.rendezvous.marked.Entry;
import org.ulfmj.rendezvous.marked.Txn;
import org.ulfmj.rendezvous.marked.TxnAnswer;

/**
 * One process's part in the election of a job's coordinator, and the coordinator's writes of its state (C3 to C6).
 *
 * <ul>
 *   <li>The office is a key under its holder's lease; a campaign puts it only where there is none. The revision in
 *       which that key was created is the term (C3). The key's value is the address, and is never compared.
 *   <li>Each write of the state compares the revision of the last write, so that an earlier write of the same process,
 *       which got no answer and comes late, cannot undo a later one. It also compares the term, so that a coordinator
 *       that was deposed writes nothing (C4).
 *   <li>A write without an answer is repeated; the answer to one that is refused has what is stored (C5).
 *   <li>A new coordinator goes on from the state that it reads (C6).
 *   <li>A campaign (the request that takes the office) without an answer may have won, and one that was refused may be
 *       carried out once more and win. So its lease is ended, and the next campaign has another lease.
 *   <li>A preferred candidate that finds the office taken writes that it wants the office. Then candidates that are not
 *       preferred do not campaign, and the one of them that has the office lays it down.
 * </ul>
 *
 * <p>The caller takes one request after the other by {@link #next}, sends it, and tells its outcome by {@link #answer}.
 * Pure, not thread-safe.
 */
public final class Election {
    private enum Stage {
        OUTSIDE,
        CAMPAIGN,
        /** Another process has the office, and this one is to write that it wants it. */
        WANT,
        /** This process has won the office, and has not read the state yet. */
        READ,
        OFFICE
    }

    private enum Sent {
        GRANT,
        CAMPAIGN,
        WANT,
        LOOK,
        READ,
        KEEP_ALIVE,
        REVOKE,
        ANNOUNCE,
        STORE,
        FINISH
    }

    /** What {@link #heldUntilNs} says without a lease. */
    public static final long NOT_HELD = OfficeLease.NOT_HELD;

    /** Stands for the last told term while the listener has been told none. */
    private static final long NEVER = -1;

    private final ElectionTxns txns;
    private final Candidate me;
    private final ElectionListener listener;
    private final OfficeLease lease;

    private Stage stage = Stage.OUTSIDE;

    /** Null while no request is under way. */
    private Sent sent;

    private long sentNs;

    private long lookNs = Long.MIN_VALUE;
    private long retryNs = Long.MIN_VALUE;

    private long term;

    /** The revision of the last write of the state that this process knows; 0 if there was none. */
    private long modified;

    private byte[] address;
    private byte[] toStore;
    private boolean isFinishing;

    /** Whether this coordinator's address is written. */
    private boolean isAnnounced;

    /** Whether etcd has answered the last request. */
    private boolean isAnswered;

    private boolean toldFindable;
    private long toldTerm = NEVER;
    private String toldAddress;

    public Election(ElectionKeys keys, Candidate me, ElectionListener listener) {
        this.txns = new ElectionTxns(keys);
        this.me = me;
        this.listener = listener;
        this.lease = new OfficeLease(me);
    }

    /** Whether this process has the office, as far as it knows, and has read the state. */
    public boolean isInOffice() {
        return stage == Stage.OFFICE;
    }

    /**
     * Until when the lease of this process lasts for certain: while this process has the office, no other process can
     * have it before that time. The lease is counted from the sending of the last request for it that was answered, and
     * so ends here before it ends in etcd. {@link #NOT_HELD} without a lease.
     */
    public long heldUntilNs() {
        return lease.heldUntilNs();
    }

    /** The term of this process's office; 0 if it has none. */
    public long term() {
        return term;
    }

    /**
     * Lets the address be written at which members reach this process. Has no effect unless this process is in office.
     */
    public void announce(String host) {
        if (stage == Stage.OFFICE) {
            address = host.getBytes(StandardCharsets.UTF_8);
        }
    }

    /**
     * Lets the state be stored; {@link ElectionListener#onStored} follows, unless this process loses the office. Has no
     * effect unless this process is in office.
     */
    public void store(byte[] image) {
        if (stage == Stage.OFFICE) {
            toStore = image;
        }
    }

    /**
     * Lets all {@link ElectionKeys} be deleted, because the job has ended. {@link ElectionListener#onFinished} follows,
     * unless this process loses the office. Has no effect unless this process is in office.
     */
    public void finish() {
        isFinishing = stage == Stage.OFFICE;
    }

    /**
     * Gives up the office, if this process has it. The next request ends its lease, so that others can have the office
     * soon.
     */
    public void layDown(String why) {
        if (term != 0) {
            depose(why, Long.MIN_VALUE);
        }
    }

    /**
     * For a process that is to take no more part: gives up the office as {@link #layDown} does. The next request ends
     * the lease, also one under which this process may have written that it wants the office.
     */
    public void leave(String why) {
        layDown(why);
        lease.drop();
    }

    /** When {@link #next} will have a request; {@link Long#MAX_VALUE} while a request is under way. */
    public long nextDeadlineNs() {
        if (sent != null) {
            return Long.MAX_VALUE;
        }
        if (lease.hasFormer()) {
            return Long.MIN_VALUE;
        }
        long dueNs = lease.dueNs();
        return switch (stage) {
            case OUTSIDE -> Math.min(dueNs, lookNs);
            case CAMPAIGN, WANT, READ -> Math.min(dueNs, retryNs);
            case OFFICE -> Math.min(Math.min(dueNs, lookNs), hasWrites() ? retryNs : Long.MAX_VALUE);
        };
    }

    private boolean hasWrites() {
        return address != null || toStore != null || isFinishing;
    }

    /** The request that is due; null if none is, or one is under way. */
    public EtcdRequest next(long nowNs) {
        if (nowNs < nextDeadlineNs() || sent != null) {
            return null;
        }
        sentNs = nowNs;
        if (lease.hasFormer()) {
            return send(Sent.REVOKE, new EtcdRequest.Revoke(lease.takeFormer()));
        }
        if (nowNs >= lease.dueNs()) {
            return send(Sent.KEEP_ALIVE, new EtcdRequest.KeepAlive(lease.number()));
        }
        if (!lease.exists() && (stage == Stage.CAMPAIGN || stage == Stage.WANT)) {
            return send(Sent.GRANT, new EtcdRequest.Grant(me.ttlSeconds()));
        }
        return switch (stage) {
            case OUTSIDE -> send(Sent.LOOK, txns.look());
            case CAMPAIGN -> send(Sent.CAMPAIGN, txns.campaign(lease.number(), me.isPreferred()));
            case WANT -> send(Sent.WANT, txns.want(lease.number()));
            case READ -> send(Sent.READ, txns.read());
            case OFFICE -> inOffice();
        };
    }

    private EtcdRequest send(Sent what, EtcdRequest request) {
        sent = what;
        return request;
    }

    private EtcdRequest send(Sent what, Txn txn) {
        return send(what, new EtcdRequest.Transact(txn));
    }

    private EtcdRequest inOffice() {
        if (sentNs >= lookNs) {
            return send(Sent.LOOK, txns.look());
        }
        if (address != null) {
            return send(Sent.ANNOUNCE, txns.announce(term, address, lease.number()));
        }
        if (toStore != null) {
            return send(Sent.STORE, txns.write(term, modified, toStore));
        }
        return send(Sent.FINISH, txns.end(term));
    }

    /** Tells the outcome of the request that {@link #next} gave last. */
    public void answer(EtcdReply reply, long nowNs) {
        Sent what = Objects.requireNonNull(sent, "no request is under way");
        sent = null;
        isAnswered = !(reply instanceof EtcdReply.Unknown);
        switch (what) {
            case GRANT -> onGrant(reply, nowNs);
            case KEEP_ALIVE -> onKeepAlive(reply, nowNs);
            case REVOKE -> {}
            default -> onTxn(what, reply instanceof EtcdReply.Done done ? done.answer() : null, nowNs);
        }
        tellFindable();
    }

    private void tellFindable() {
        boolean isFindable = isAnnounced && isAnswered;
        if (isFindable != toldFindable) {
            toldFindable = isFindable;
            listener.onFindable(isFindable);
        }
    }

    private void onGrant(EtcdReply reply, long nowNs) {
        if (reply instanceof EtcdReply.Granted granted) {
            lease.granted(granted.lease(), sentNs);
        } else {
            stayOutside(nowNs + me.retryNs());
        }
    }

    private void onKeepAlive(EtcdReply reply, long nowNs) {
        if (!(reply instanceof EtcdReply.Kept kept)) {
            lease.renewAt(nowNs + me.retryNs());
        } else if (kept.isAlive()) {
            lease.renewed(sentNs);
        } else {
            lease.lost();
            if (term != 0) {
                depose("its lease in etcd has ended", nowNs);
            } else if (stage != Stage.OUTSIDE) {
                stayOutside(nowNs + me.retryNs());
            }
        }
    }

    /** @param answer null if there is none */
    private void onTxn(Sent what, TxnAnswer answer, long nowNs) {
        switch (what) {
            case LOOK -> onLook(answer, nowNs);
            case CAMPAIGN -> onCampaign(answer, nowNs);
            case WANT -> stayOutside(nowNs + (answer == null ? me.retryNs() : me.pollNs()));
            case READ -> onRead(answer, nowNs);
            default -> onWrite(what, answer, nowNs);
        }
    }

    private void onLook(TxnAnswer answer, long nowNs) {
        if (answer == null) {
            lookNs = nowNs + me.retryNs();
            return;
        }
        lookNs = nowNs + me.pollNs();
        Entry office = answer.read().get(0);
        boolean isWanted = answer.read().get(1) != null;
        if (term != 0) {
            if (!isMine(office)) {
                depose("another process has the office", nowNs);
            } else if (isWanted && !me.isPreferred()) {
                layDown("a launcher wants the office");
            }
            return;
        }
        tell(office);
        if (office == null && (!isWanted || me.isPreferred())) {
            stage = Stage.CAMPAIGN;
            retryNs = nowNs;
        } else if (!isWanted && me.isPreferred()) {
            stage = Stage.WANT;
            retryNs = nowNs;
        }
    }

    private void onCampaign(TxnAnswer answer, long nowNs) {
        if (answer == null) {
            lease.drop();
            stayOutside(nowNs + me.retryNs());
        } else if (answer.succeeded()) {
            term = answer.revision();
            stage = Stage.READ;
            retryNs = nowNs;
        } else if (answer.fate() == TxnAnswer.Fate.NO_LEASE) {
            lease.lost();
            stayOutside(nowNs + me.retryNs());
        } else {
            tell(answer.read().get(0));
            // An attempt of this campaign that got no answer may still be carried out, or was carried out before.
            lease.drop();
            stayOutside(nowNs + me.retryNs());
        }
    }

    /** C6. */
    private void onRead(TxnAnswer answer, long nowNs) {
        if (term == 0) {
            return;
        }
        if (answer == null) {
            retryNs = nowNs + me.retryNs();
        } else if (!isMine(answer.read().get(0))) {
            depose("another process has the office", nowNs);
        } else {
            Entry state = answer.read().get(1);
            modified = state == null ? 0 : state.modified();
            stage = Stage.OFFICE;
            lookNs = nowNs + me.pollNs();
            retryNs = nowNs;
            listener.onElected(state == null ? null : state.value());
        }
    }

    private void onWrite(Sent what, TxnAnswer answer, long nowNs) {
        if (term == 0) {
            return;
        }
        if (answer == null) {
            retryNs = nowNs + me.retryNs();
        } else if (answer.succeeded()) {
            onWritten(what, answer.revision());
        } else {
            onRefused(what, answer, nowNs);
        }
    }

    private void onWritten(Sent what, long revision) {
        if (what == Sent.ANNOUNCE) {
            address = null;
            isAnnounced = true;
        } else if (what == Sent.FINISH) {
            forgetTerm();
            lease.drop();
            listener.onFinished();
        } else {
            modified = revision;
            toStore = null;
            listener.onStored();
        }
    }

    /**
     * C5: handles a write that was refused. What is stored in etcd now counts, and not what the write was meant to do.
     */
    private void onRefused(Sent what, TxnAnswer answer, long nowNs) {
        boolean isFinished = what == Sent.FINISH && answer.read().get(1) == null;
        if (isFinished) {
            onWritten(what, 0);
        } else if (answer.fate() == TxnAnswer.Fate.NO_LEASE
                || !isMine(answer.read().get(0))) {
            depose("another process has the office", nowNs);
        } else if (what == Sent.STORE) {
            // Only this process writes in this term: the state that is stored comes from one of its writes that got no
            // answer.
            Entry state = answer.read().get(1);
            modified = state == null ? 0 : state.modified();
            if (state != null && Arrays.equals(state.value(), toStore)) {
                onWritten(what, modified);
            }
        }
    }

    private boolean isMine(Entry office) {
        return office != null && office.created() == term;
    }

    private void tell(Entry office) {
        long now = office == null ? 0 : office.created();
        String where = office == null || office.value().length == 0
                ? null
                : new String(office.value(), StandardCharsets.UTF_8);
        if (now != toldTerm || !Objects.equals(where, toldAddress)) {
            toldTerm = now;
            toldAddress = where;
            listener.onCoordinator(where, now);
        }
    }

    private void stayOutside(long untilNs) {
        stage = Stage.OUTSIDE;
        lookNs = untilNs;
    }

    private void depose(String why, long nowNs) {
        forgetTerm();
        lease.drop();
        stayOutside(nowNs);
        listener.onDeposed(why);
    }

    private void forgetTerm() {
        term = 0;
        stage = Stage.OUTSIDE;
        address = null;
        toStore = null;
        isFinishing = false;
        isAnnounced = false;
        toldFindable = false;
    }
}
