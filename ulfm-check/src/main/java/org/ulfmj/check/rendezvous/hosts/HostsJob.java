package org.ulfmj.check.rendezvous.hosts;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.lease.GrantedLeases;
import org.ulfmj.rendezvous.lease.LeaseTimes;
import org.ulfmj.rendezvous.silence.LaunchersSide;
import org.ulfmj.rendezvous.silence.SilenceEffects;
import org.ulfmj.rendezvous.silence.SilenceJudge;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/** Ranks on several hosts, an agent per host, and a launcher on host 0 that judges silences and grants leases. */
final class HostsJob implements SilenceEffects {
    static final long MS = 1_000_000;
    static final long TIMEOUT_NS = 1_000 * MS;
    static final long PERIOD_NS = TIMEOUT_NS / 10;
    static final long LEASE_NS = 3 * TIMEOUT_NS;
    static final LeaseTimes LEASE = new LeaseTimes(LEASE_NS, LEASE_NS / 5, TIMEOUT_NS / 4);
    static final long BUDGET_NS = 3 * TIMEOUT_NS / 5;
    /** The start-up time of the judge: how late a rank may answer the launcher for the first time. */
    static final long START_NS = 10 * TIMEOUT_NS;
    /** How late ranks may begin to send to each other, in one of two cases that are drawn per pair of ranks. */
    private static final long MOST_QUIET_NS = 5 * TIMEOUT_NS;

    private static final long LATE_QUIET_NS = 4 * MOST_QUIET_NS;

    private static final long LOOK_NS = 20 * MS;
    private static final long MOST_KILL_NS = 100 * MS;
    private static final long WHOLE_TIMEOUTS = 20;
    private static final ProcessId LAUNCHER = ProcessId.of(1_000);

    private final Simulation world;
    private final SeededRandom random;
    private final SilenceJudge judge = new SilenceJudge(TIMEOUT_NS, START_NS, GrantedLeases.countedNs(LEASE_NS), this);
    private final GrantedLeases leases = new GrantedLeases(LEASE_NS);
    private final List<HostedRank> ranks = new ArrayList<>();
    private final List<HostAgent> agents = new ArrayList<>();
    private final List<ProcessId> news = new ArrayList<>();
    private final SortedSet<ProcessId> lost = new TreeSet<>();
    /**
     * When the launcher last took a host for lost; 0 if no host was lost since the launcher last counted a rank as
     * dead.
     */
    private long lostLastNs;

    final SortedSet<ProcessId> dead = new TreeSet<>();
    /**
     * The time from which on each rank (first index) sends to each other rank (second index); {@link Long#MAX_VALUE}
     * for never.
     */
    private final long[][] sendsFromNs;

    final Links links;
    boolean hasLauncher = true;
    /**
     * Whether {@code ulfm.ft.quorum=majority} is set: only a majority goes on, even without the launcher, and no lease
     * ends a rank.
     */
    final boolean needsMajority;

    HostsJob(Simulation world, SeededRandom random, int hosts) {
        this(world, random, hosts, false);
    }

    HostsJob(Simulation world, SeededRandom random, int hosts, boolean needsMajority) {
        this.needsMajority = needsMajority;
        this.world = world;
        this.random = random;
        this.links = new Links(world, random, hosts);
        for (int host = 0; host < hosts; host++) {
            agents.add(new HostAgent(host));
        }
        for (int slot = 0; slot < world.ranks(); slot++) {
            ranks.add(new HostedRank(ProcessId.of(slot), slot * hosts / world.ranks(), this));
        }
        sendsFromNs = new long[world.ranks()][world.ranks()];
        for (int one = 0; one < world.ranks(); one++) {
            for (int other = 0; other < one; other++) {
                drawTraffic(one, other);
            }
        }
    }

    /** Draws the traffic of two ranks: one of them sends to the other, or each sends to the other. */
    private void drawTraffic(int one, int other) {
        int which = random.below(3);
        long mostNs = random.chance(50) ? LATE_QUIET_NS : MOST_QUIET_NS;
        sendsFromNs[one][other] = which == 0 ? Long.MAX_VALUE : random.between(0, mostNs);
        sendsFromNs[other][one] = which == 1 ? Long.MAX_VALUE : random.between(0, mostNs);
    }

    /** Whether a rank has begun to send messages to another. */
    boolean sends(HostedRank from, HostedRank to) {
        return nowNs() >= sendsFromNs[from.id.slot()][to.id.slot()];
    }

    /**
     * Lets a rank do nothing until a time, because it loads its classes. If that time is close to the end of its lease,
     * the rank may end itself (V15), and counts as hurt. To be called before {@link #start}.
     */
    void beginsLate(HostedRank rank, long atNs) {
        rank.isLoading = true;
        rank.isHurt |= atNs <= LEASE_NS + LOOK_NS && atNs > LEASE_NS - LOOK_NS;
        later(atNs, rank::begin);
    }

    void start() {
        for (HostedRank rank : ranks) {
            judge.placed(rank.id, rank.host, 0);
            judge.runs(rank.id, 0);
            keepAlive(rank);
            each(PERIOD_NS, () -> !rank.hasEnded, () -> rank.input(rank::live));
        }
        for (HostAgent agent : agents) {
            each(PERIOD_NS, () -> true, () -> work(agent));
        }
        each(LOOK_NS, () -> hasLauncher, this::launch);
    }

    /** Sets the time bounds, and checks the usual rules, for a job that this number of faults hits. */
    void mustHold(int faults) {
        mustHold(faults, new HealthyHostsLive(this));
        world.must(new OneSideGoesOn(this));
    }

    /** Sets the time bounds, and checks one rule, for a job that this number of faults hits. */
    void mustHold(int faults, Invariant rule) {
        world.bound(ended -> WHOLE_TIMEOUTS * (faults + 1) * TIMEOUT_NS);
        world.limitNs(10 * WHOLE_TIMEOUTS * (faults + 1) * TIMEOUT_NS);
        world.must(rule);
    }

    private interface Condition {
        boolean holds();
    }

    private void each(long periodNs, Condition isOn, Runnable action) {
        later(random.between(1, periodNs), () -> repeat(periodNs, isOn, action));
    }

    private void repeat(long periodNs, Condition isOn, Runnable action) {
        if (isOn.holds()) {
            action.run();
            later(periodNs, () -> repeat(periodNs, isOn, action));
        }
    }

    private void later(long delayNs, Runnable action) {
        world.at(world.nowNs() + delayNs, action);
    }

    void log(ProcessId process, String verb, ProcessId other) {
        int peer = other == null ? EventLog.NO_PROCESS : other.slot();
        world.log().add(world.nowNs(), process.slot(), verb, peer, null);
    }

    long nowNs() {
        return world.nowNs();
    }

    void cover(String what) {
        world.cover(what);
    }

    SilenceJudge judge() {
        return judge;
    }

    List<HostedRank> ranks() {
        return ranks;
    }

    int hosts() {
        return agents.size();
    }

    HostAgent agent(int host) {
        return agents.get(host);
    }

    private HostedRank rank(ProcessId id) {
        return ranks.get(id.slot());
    }

    boolean hearEachOther(ProcessId one, ProcessId other) {
        return links.areConnected(rank(one).host, rank(other).host);
    }

    /** Whether the launcher and this host can send messages to each other. */
    boolean hasLine(int host) {
        return hasLauncher && links.areConnected(0, host);
    }

    void beat(HostedRank from, ProcessId to) {
        if (!to.equals(from.id)) {
            HostedRank receiver = rank(to);
            links.send(
                    from.host, receiver.host, from.id + ">" + to, () -> receiver.input(() -> receiver.onBeat(from.id)));
        }
    }

    /** The link of a rank that has marked another one answers the marked rank by telling it so. */
    void tellFailed(HostedRank from, HostedRank failed) {
        links.send(from.host, failed.host, from.id + ">" + failed.id, () -> failed.input(() -> failed.mark(failed.id)));
    }

    void tellPeers(HostedRank from, ProcessId failed) {
        for (HostedRank peer : ranks) {
            if (peer != from) {
                links.send(
                        from.host,
                        peer.host,
                        from.id + ">" + peer.id,
                        () -> peer.input(() -> {
                            if (!peer.marked.contains(from.id)) {
                                peer.mark(failed);
                            }
                        }));
            }
        }
    }

    void toLauncher(HostedRank from, LongConsumer message) {
        if (from.hasLostLauncher) {
            return;
        }
        links.send(from.host, 0, from.id + ">launcher", () -> {
            if (hasLauncher && !dead.contains(from.id)) {
                message.accept(world.nowNs());
            }
        });
    }

    private void toRank(ProcessId to, Runnable step) {
        HostedRank rank = rank(to);
        links.send(0, rank.host, "launcher>" + to, () -> {
            if (!rank.hasLostLauncher) {
                rank.input(step);
            }
        });
    }

    void keepAlive(HostedRank rank) {
        int number = rank.lease.send(world.nowNs());
        toLauncher(rank, at -> {
            judge.heardFrom(rank.id, at);
            if (!lost.contains(rank.id)) {
                leases.renew(rank.id, at);
                links.send(0, rank.host, "launcher>" + rank.id, () -> rank.kept(number));
            }
        });
    }

    /**
     * The work of an agent in each period: it keeps its lease alive, and tells the launcher which of its ranks have
     * ended. It ends once its lease has run out, unless a majority is asked for.
     */
    private void work(HostAgent agent) {
        if (!agent.isUp) {
            return;
        }
        if (!needsMajority && agent.lease.isOver(world.nowNs())) {
            endAgent(agent);
            return;
        }
        int number = agent.lease.send(world.nowNs());
        List<ProcessId> ended = new ArrayList<>();
        for (HostedRank rank : ranks) {
            if (rank.host == agent.host && rank.hasEnded) {
                ended.add(rank.id);
            }
        }
        links.send(agent.host, 0, "agent " + agent.host + ">launcher", () -> {
            if (hasLauncher) {
                judge.agentHeard(agent.host, world.nowNs());
                ended.forEach(this::onProof);
                links.send(0, agent.host, "launcher>agent " + agent.host, () -> agent.lease.answered(number));
            }
        });
    }

    void endAgent(HostAgent agent) {
        log(LAUNCHER, "loses the agent of host " + agent.host, null);
        agent.isUp = false;
        links.send(agent.host, 0, "agent " + agent.host + ">launcher", () -> judge.agentLost(agent.host, nowNs()));
        later(
                random.between(1, MOST_KILL_NS),
                () -> ranks.forEach(rank -> {
                    if (rank.host == agent.host) {
                        rank.end();
                    }
                }));
    }

    /** The power of a host is cut: its agent and its ranks end at once, and no agent tells the launcher. */
    void powerOff(int host) {
        agent(host).isUp = false;
        agent(host).wasReplaced = true;
        for (HostedRank rank : ranks) {
            if (rank.host == host) {
                rank.isHurt = true;
                rank.end();
            }
        }
    }

    void endLauncher() {
        log(LAUNCHER, "ends", null);
        hasLauncher = false;
        if (!needsMajority) {
            endAgent(agent(0));
        }
    }

    /** The launcher reaches too few members: it ends at once, and the ranks of its host end soon after it. */
    private void endInMinority() {
        log(LAUNCHER, "ends in the minority", null);
        world.cover("a launcher in the minority");
        hasLauncher = false;
        endAgent(agent(0));
    }

    /**
     * A path to a host, which was cut, works again: each rank of the host dials the launcher anew, also if the path did
     * not lead to the launcher. Where a majority is asked for, every rank of the job also repeats its obituaries.
     */
    void reconnect(int host) {
        if (needsMajority) {
            // This stands for links that kept the obituaries which they could not send during the split.
            for (HostedRank rank : ranks) {
                later(
                        random.between(1, PERIOD_NS),
                        () -> rank.input(() -> rank.marked.forEach(each -> tellPeers(rank, each))));
            }
        }
        for (HostedRank rank : ranks) {
            if (rank.host == host) {
                later(random.between(1, PERIOD_NS), () -> rank.input(rank::reconnect));
            }
        }
    }

    /** The launcher's work once per look. */
    private void launch() {
        for (HostedRank rank : ranks) {
            boolean isSeen = hasLine(rank.host) && agent(rank.host).isUp;
            if (isSeen && !rank.hasEnded && !dead.contains(rank.id)) {
                judge.looked(rank.id, rank.isStopped ? 'T' : 'S', false, world.nowNs());
            }
            tellNews(rank);
        }
        judge.onTick(world.nowNs());
        for (ProcessId process : new ArrayList<>(lost)) {
            if (leases.isOver(process, world.nowNs())) {
                world.cover("a lease is over");
                onLeaseOver(process);
            }
        }
        for (HostAgent agent : agents) {
            boolean isNeeded = !agent.isUp && !agent.wasReplaced && hasLine(agent.host);
            if (isNeeded && random.chance(5)) {
                world.cover("a new agent");
                agent.replace();
                ranks.stream().filter(rank -> rank.host == agent.host).forEach(HostedRank::end);
            }
        }
    }

    /**
     * Sends a rank the news of failed ranks that it has not taken in yet, if the launcher and its host are connected.
     */
    private void tellNews(HostedRank rank) {
        if (!hasLine(rank.host)) {
            return;
        }
        for (int i = rank.news; i < news.size(); i++) {
            int number = i;
            toRank(rank.id, () -> {
                rank.news = Math.max(rank.news, number + 1);
                rank.mark(news.get(number));
            });
        }
    }

    /**
     * The lease of a lost process has run out: the process counts as dead. Unless a majority is asked for, checks that
     * it cannot act then.
     */
    private void onLeaseOver(ProcessId process) {
        HostedRank rank = rank(process);
        if (!needsMajority && rank.mayAct() && !rank.lease.isOver(world.nowNs())) {
            throw new Violation("rank " + process + " is told dead and can run");
        }
        onDeath(process);
    }

    private void onProof(ProcessId process) {
        onDeath(process);
        judge.leaves(process, world.nowNs());
    }

    private void onDeath(ProcessId process) {
        if (dead.add(process)) {
            log(LAUNCHER, "knows the end of", process);
            lostLastNs = 0; // what was counted when a host was lost is not what is counted now
            lost.remove(process);
            leases.forget(process);
            if (!news.contains(process)) {
                news.add(process);
            }
        }
    }

    @Override
    public void ask(ProcessId member, long question, List<ProcessId> complainers) {
        toRank(member, () -> rank(member).asked(question, complainers));
    }

    @Override
    public void askComplainer(ProcessId complainer, long question, ProcessId about) {
        toRank(complainer, () -> rank(complainer).askedAgain(question, about));
    }

    @Override
    public void kill(ProcessId process, String reason) {
        log(LAUNCHER, "kills", process);
        world.cover(
                reason.contains("which has no path")
                        ? "a host ended for a path"
                        : reason.contains("which was silent") ? "killed when heard again" : "a rank ended");
        HostAgent agent = agent(rank(process).host);
        links.send(0, agent.host, "launcher>agent " + agent.host, () -> {
            if (agent.isUp) {
                later(random.between(1, MOST_KILL_NS), () -> rank(process).end());
            }
        });
    }

    @Override
    public void lose(int host, List<ProcessId> processes, String reason) {
        log(LAUNCHER, "loses host " + host, null);
        lostLastNs = world.nowNs();
        world.cover("a host is lost");
        for (ProcessId process : processes) {
            lost.add(process);
            leases.begin(process, world.nowNs());
            news.add(process);
        }
    }

    @Override
    public boolean isMinorityWithout(List<ProcessId> unheard) {
        int members = 0;
        int reached = 0;
        boolean isAnyMember = false;
        for (HostedRank rank : ranks) {
            if (!dead.contains(rank.id)) {
                boolean isAsked = unheard.contains(rank.id);
                members++;
                isAnyMember |= isAsked;
                reached += isAsked || lost.contains(rank.id) ? 0 : 1;
            }
        }
        return needsMajority && isAnyMember && !LaunchersSide.goesOn(reached, members);
    }

    /**
     * Ends the launcher. Checks that hosts that fell silent together were counted together: no host may have been taken
     * for lost shortly before the launcher found itself in the minority.
     */
    @Override
    public void endInMinority(List<ProcessId> unheard) {
        if (lostLastNs != 0 && world.nowNs() - lostLastNs < TIMEOUT_NS / 4) {
            throw new Violation("the launcher held a host for failed, and found itself in the minority "
                    + (world.nowNs() - lostLastNs) / MS + " ms later");
        }
        endInMinority();
    }

    @Override
    public void giveUp(ProcessId process, String reason) {
        throw new Violation("rank " + process + " is given up, and waits for no disk");
    }
}
