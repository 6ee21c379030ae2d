package org.ulfmj.check.rendezvous.hosts;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.detector.UnjudgedSilences;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.lease.HeldLease;

/**
 * A simulated rank, as far as silences matter: it sends heartbeats, complains, answers the judge, keeps its lease
 * alive, and fences itself when the lease has run out, or, where a majority is asked for, goes on without the launcher.
 * It checks its lease before each step. If the lease runs out before its first step, it waits for the answer to one
 * more keep-alive.
 */
final class HostedRank {
    final ProcessId id;
    final int host;
    private final HostsJob job;
    private final List<Runnable> missed = new ArrayList<>();
    private final SortedMap<ProcessId, Long> heardNs = new TreeMap<>();
    final HeldLease lease = new HeldLease(HostsJob.LEASE);
    /** The ranks of which this rank complains because no heartbeat comes. */
    private final SortedSet<ProcessId> silent = new TreeSet<>();
    /** The ranks of which this rank complains because the links to them are lost. */
    private final SortedSet<ProcessId> unlinked = new TreeSet<>();
    /** Per rank: when the link to it last counted as working, or when this rank last went on after a stop. */
    private final SortedMap<ProcessId, Long> acknowledgedNs = new TreeMap<>();

    final SortedSet<ProcessId> marked = new TreeSet<>();
    private final UnjudgedSilences unjudged = new UnjudgedSilences(HostsJob.TIMEOUT_NS);
    /**
     * Whether this rank goes on without the launcher, because the launcher has not answered for the length of a lease.
     */
    boolean hasLostLauncher;

    /** Whether this rank still loads its classes and has not taken its first step. */
    boolean isLoading;
    /** V15: whether this rank may take its first step only once a new keep-alive is answered. */
    private boolean isHeldBack;

    boolean isStopped;
    boolean hasEnded;
    boolean isFenced;
    /**
     * Whether it is no error if this rank ends: a fault has hit it, its agent or the power of its host, or it takes its
     * first step close to the end of its lease.
     */
    boolean isHurt;

    private ProcessId observed;
    /** How many items of the launcher's list of failed ranks this rank was told of. */
    int news;

    HostedRank(ProcessId id, int host, HostsJob job) {
        this.id = id;
        this.host = host;
        this.job = job;
    }

    /**
     * Whether the rank has taken its first step, or may take it now, and has not ended: false while it loads its
     * classes, and while it is held back until its keep-alive is answered. Does not look at whether its lease is over
     * or whether it is stopped.
     */
    boolean mayAct() {
        return !hasEnded && !isLoading && !isHeldBack;
    }

    boolean runs() {
        return !isStopped && !hasEnded;
    }

    /**
     * Runs a step now, or, if the rank is stopped, held back or still loads its classes, when it goes on. If the lease
     * has run out, the rank fences itself instead, or, with a majority asked for, goes on without the launcher. Without
     * effect if the rank has ended.
     */
    void input(Runnable step) {
        if (hasEnded) {
            return;
        }
        if (isStopped || isLoading) {
            missed.add(step);
            return;
        }
        if (lease.isOver(job.nowNs()) && !job.needsMajority) {
            fence("its lease is over");
            return;
        }
        if (lease.isOver(job.nowNs()) && !hasLostLauncher) {
            job.log(id, "has lost the launcher", null);
            job.cover("a rank that goes on without the launcher");
            hasLostLauncher = true;
            unjudged.launcherLost(job.nowNs());
        }
        if (isHeldBack) {
            missed.add(step);
            if (lease.isKeepAliveDue(job.nowNs())) {
                job.keepAlive(this);
            }
            return;
        }
        step.run();
    }

    /** Has loaded its classes. */
    void begin() {
        isLoading = false;
        if (hasEnded || isStopped) {
            return;
        }
        if (lease.isOver(job.nowNs())) {
            job.log(id, "is held back", null);
            lease.beginAnew();
            isHeldBack = true;
            job.keepAlive(this);
        } else {
            catchUp();
        }
    }

    /** The launcher has answered a keep-alive. */
    void kept(int number) {
        if (hasEnded || !isHeldBack || isStopped) {
            input(() -> lease.answered(number));
            return;
        }
        lease.answered(number);
        if (lease.isAnswered()) {
            job.log(id, "begins", null);
            job.cover("a rank began past its lease");
            isHeldBack = false;
            catchUp();
        }
    }

    private void catchUp() {
        List<Runnable> steps = new ArrayList<>(missed);
        missed.clear();
        steps.forEach(this::input);
    }

    void stop() {
        if (!hasEnded) {
            job.log(id, "is stopped", null);
            isStopped = true;
        }
    }

    void goOn() {
        if (!isStopped || hasEnded) {
            return;
        }
        job.log(id, "goes on", null);
        isStopped = false;
        heardNs.replaceAll((peer, atNs) -> job.nowNs());
        acknowledgedNs.replaceAll((peer, atNs) -> job.nowNs());
        catchUp();
    }

    void fence(String why) {
        job.log(id, "fences itself: " + why, null);
        isFenced = true;
        end();
    }

    void end() {
        if (!hasEnded) {
            job.log(id, "ends", null);
            hasEnded = true;
            missed.clear();
        }
    }

    /**
     * The work of each period: heartbeats, a look at the observed rank and at the links, and a keep-alive if it is due.
     * Where a majority is asked for, this rank also marks silent ranks some time after it has lost the launcher, and
     * fences itself if too few ranks are left.
     */
    void live() {
        long nowNs = job.nowNs();
        if (job.needsMajority) {
            beatObservers();
        } else {
            job.beat(this, next(1));
        }
        ProcessId peer = next(-1);
        if (!peer.equals(observed)) {
            heardNs.put(peer, nowNs);
            observed = peer;
        }
        if (!peer.equals(id) && nowNs - heardNs.get(peer) > HostsJob.TIMEOUT_NS + HostsJob.PERIOD_NS) {
            suspect(peer);
        }
        job.ranks().forEach(each -> look(each, nowNs));
        if (job.needsMajority) {
            unjudged.takeDue(nowNs).forEach(this::mark);
            endWithoutMajority();
        }
        if (lease.isKeepAliveDue(nowNs)) {
            job.keepAlive(this);
        }
    }

    /**
     * Sends a heartbeat to each running rank that observes this one and whose messages reach this one. A rank that this
     * one has marked failed is told that instead.
     */
    private void beatObservers() {
        for (HostedRank peer : job.ranks()) {
            if (id.equals(peer.observed) && peer.runs() && job.links.leads(peer.host, host)) {
                if (marked.contains(peer.id)) {
                    job.tellFailed(this, peer);
                } else {
                    job.beat(this, peer.id);
                }
            }
        }
    }

    /** Fences this rank if the ranks that it has not marked failed are not more than half of all ranks. */
    private void endWithoutMajority() {
        int all = job.ranks().size();
        if (2 * (all - marked.size()) <= all) {
            job.cover("ranks without a majority");
            fence("too few are left");
        }
    }

    /**
     * Looks at the link to a rank. The link is lost once nothing that was sent to the rank was acknowledged for the
     * link's budget. After a further timeout this rank complains of the other one. A link on which nothing is sent
     * counts as working.
     */
    private void look(HostedRank peer, long nowNs) {
        if (peer == this || marked.contains(peer.id)) {
            return;
        }
        boolean isQuiet = !job.sends(this, peer) || job.hearEachOther(id, peer.id) && peer.runs();
        if (isQuiet) {
            acknowledgedNs.put(peer.id, nowNs);
            if (unlinked.remove(peer.id)) {
                withdraw(peer.id);
            }
        } else if (nowNs - acknowledgedNs.computeIfAbsent(peer.id, id -> nowNs)
                > HostsJob.BUDGET_NS + HostsJob.TIMEOUT_NS) {
            boolean isNew = !complainsOf(peer.id);
            unlinked.add(peer.id);
            if (isNew) {
                complain(peer.id);
            }
        }
    }

    boolean complainsOf(ProcessId peer) {
        return silent.contains(peer) || unlinked.contains(peer);
    }

    private ProcessId next(int step) {
        int slot = id.slot();
        do {
            slot = Math.floorMod(slot + step, job.ranks().size());
        } while (slot != id.slot() && marked.contains(ProcessId.of(slot)));
        return ProcessId.of(slot);
    }

    void onBeat(ProcessId from) {
        heardNs.put(from, job.nowNs());
        if (job.hearEachOther(id, from) && silent.remove(from)) {
            withdraw(from);
        }
    }

    /** J1: one reason for a complaint is gone. The complaint is withdrawn unless there is another reason for it. */
    private void withdraw(ProcessId peer) {
        if (!complainsOf(peer)) {
            unjudged.drop(peer);
            job.toLauncher(this, at -> job.judge().hears(id, peer, at));
        }
    }

    /** J1: complains of a rank of which no heartbeat comes. Also called by a timer that fires early. */
    void suspect(ProcessId peer) {
        boolean isNew = !complainsOf(peer);
        if (!marked.contains(peer) && silent.add(peer) && isNew) {
            complain(peer);
        }
    }

    private void complain(ProcessId peer) {
        unjudged.silent(peer, job.nowNs());
        job.toLauncher(this, at -> job.judge().suspects(id, peer, at));
    }

    /** The connection to the launcher stands again: on it the rank sends a keep-alive, and repeats its complaints. */
    void reconnect() {
        job.toLauncher(this, at -> job.judge().connects(id, at));
        job.keepAlive(this);
        complaints().forEach(this::complain);
    }

    SortedSet<ProcessId> complaints() {
        SortedSet<ProcessId> all = new TreeSet<>(silent);
        all.addAll(unlinked);
        return all;
    }

    /** Marks a rank failed and tells the other ranks; fences this rank instead if it is the one. */
    void mark(ProcessId peer) {
        if (peer.equals(id)) {
            fence("it is held for failed");
        } else if (marked.add(peer)) {
            job.log(id, "marks", peer);
            silent.remove(peer);
            unlinked.remove(peer);
            unjudged.drop(peer);
            job.tellPeers(this, peer);
        }
    }

    void asked(long question, List<ProcessId> complainers) {
        complainers.forEach(complainer -> job.beat(this, complainer));
        job.toLauncher(this, at -> job.judge().answers(id, question, at));
    }

    void askedAgain(long question, ProcessId about) {
        if (complainsOf(about)) {
            job.toLauncher(this, at -> job.judge().confirms(id, question, about, at));
        } else if (!marked.contains(about)) {
            job.toLauncher(this, at -> job.judge().hears(id, about, at));
        }
    }
}
