package org.ulfmj.rendezvous;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.lease.GrantedLeases;
import org.ulfmj.rendezvous.message.RendezvousCodec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.silence.LaunchersSide;
import org.ulfmj.rendezvous.silence.SilenceEffects;
import org.ulfmj.rendezvous.silence.SilenceJudge;

/**
 * Connects the silence judge with the core. This class tells the judge which processes of a running world are judged,
 * and by what, passes on their messages, and carries out the judge's decisions. There is no judge in a job that does
 * not survive failures. Not thread-safe; part of the core.
 *
 * <p>A spare has no slot in the world. The judge knows it by a slot number behind those of the world.
 *
 * <p>In an elastic world names change. The judge knows a process by its present name, because members complain by it.
 * What has to outlast a name is kept here by {@link Seat#lastingName}.
 */
final class Silences implements SilenceEffects {
    /** The beginning of the text that tells a process that it was lost; the judge's words follow. */
    private static final String FENCE_BEGINS = "its process ";

    private final Roster roster;
    private final RunSpec run;
    private final ServerListener listener;
    private final News news;

    /** The judge; null if no silence is judged, as in a job that does not survive failures. */
    private final SilenceJudge judge;

    /** V15: null in a job without leases. */
    private final GrantedLeases leases;

    /**
     * The host of each process that does not run on the launcher's own host. In an elastic world the key is
     * {@link #child}.
     */
    private final SortedMap<ProcessId, Integer> places = new TreeMap<>();

    /** The processes of lost hosts that do not count as ended yet, by their lasting names. */
    private final SortedSet<ProcessId> lost = new TreeSet<>();

    /**
     * The processes of lost hosts that count as dead since their leases are over. They may be stopped and not have
     * ended, so the judge keeps them until their ends are proven: if the agent of their host is heard again, it ends
     * them.
     */
    private final SortedSet<ProcessId> unproven = new TreeSet<>();

    /**
     * The processes of {@link #lost} and {@link #unproven} that have got another name, under which the judge has to be
     * told of them again.
     */
    private final SortedSet<ProcessId> renamed = new TreeSet<>();

    /** Whether the launcher has stopped its processes. */
    private boolean isSuspended;

    /** Whether the messages of the core do not leave for now. */
    private boolean isMute;

    private boolean hasGivenUp;

    /** The time of the present step. */
    private long nowNs;

    private Outbox<Long, RendezvousMessage> out;

    /** @param isJudging whether processes that are silent are ended, in a job that survives failures */
    Silences(Roster roster, RunSpec run, ServerListener listener, News news, boolean isJudging) {
        this.roster = roster;
        this.run = run;
        this.listener = listener;
        this.news = news;
        boolean hasJudge = isJudging && run.silenceNs() > 0;
        boolean hasLeases = hasJudge && run.leaseNs() > 0;
        long mostNs = hasLeases ? GrantedLeases.countedNs(run.leaseNs()) : Long.MAX_VALUE;
        this.judge = hasJudge ? new SilenceJudge(run.silenceNs(), run.confirmTimeoutNs(), mostNs, this) : null;
        this.leases = hasLeases ? new GrantedLeases(run.leaseNs()) : null;
    }

    /**
     * Appends on which hosts processes are, and which are lost. The judge's open cases are not written: it looks at
     * each silence anew.
     */
    void writeImage(WireWriter out) {
        out.putInt(places.size());
        for (SortedMap.Entry<ProcessId, Integer> place : places.entrySet()) {
            out.putProcess(place.getKey()).putInt(place.getValue());
        }
        RendezvousCodec.putProcesses(out, List.copyOf(lost));
    }

    void readImage(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, Long.BYTES, "places");
        for (int i = 0; i < count; i++) {
            places.put(in.getProcess(), in.getInt());
        }
        lost.addAll(RendezvousCodec.getProcesses(in));
    }

    /**
     * Goes on with a world that ran under another coordinator: each process is judged from now on.
     *
     * @param findNs how long a process may take to find this coordinator
     */
    void resume(long findNs) {
        settleAll();
        if (judge == null) {
            return;
        }
        for (Seat seat : roster.all()) {
            judge.returns(seat.id(), findNs);
            if (isLost(seat)) {
                seat.lostBecause = seat.fence.substring(FENCE_BEGINS.length());
                judge.wasLost(seat.id(), seat.lostBecause, nowNs);
            } else if (seat.isGivenUp && !seat.ended) {
                judge.wasGivenUp(seat.id());
            }
        }
    }

    /** Tells the judge that the process has not found this coordinator yet, and may take this long. */
    void awaitReturn(Seat seat, long findNs) {
        if (judge != null) {
            judge.returns(seat.id(), findNs);
        }
    }

    /** Sets the time and the outbox for all calls until the next {@code begin}. */
    void begin(long stepNs, Outbox<Long, RendezvousMessage> stepOut) {
        nowNs = stepNs;
        out = stepOut;
    }

    /** Tells the judge anew of every process that ever joined, as {@link #settle} does, after the world has changed. */
    void settleAll() {
        if (judge != null) {
            for (Seat seat : roster.all()) {
                settle(seat);
            }
        }
    }

    /**
     * J2: tells the judge how a process of a running world is judged. A member that runs is judged by all that is known
     * of it. A process that waits, or that must end, is judged by its state alone, or like a member once a member
     * complains of it while it waits. A process that has said goodbye, or has left, is not judged.
     */
    void settle(Seat seat) {
        if (judge == null) {
            return;
        }
        ProcessId lasting = seat.lastingName();
        if (seat.ended) {
            lost.remove(lasting);
            if (leases != null) {
                leases.forget(lasting);
            }
        }
        boolean isUnproven = unproven.contains(lasting);
        boolean isRenamed = renamed.remove(lasting);
        if (isUnproven && !isRenamed) {
            return;
        }
        boolean isGone = seat.ended || seat.saidGoodbye || seat.hasLeft || seat.out != null && !seat.excluded;
        if (isGone && !isUnproven) {
            judge.leaves(seat.id(), nowNs);
            return;
        }
        tellPlace(seat.id(), child(seat));
        if (seat.running && seat.isLive() && roster.holds(seat)) {
            judge.runs(seat.id(), nowNs);
        } else {
            judge.waits(seat.id(), nowNs);
        }
        if (isRenamed) {
            judge.wasLost(seat.id(), seat.lostBecause, nowNs);
        }
    }

    /**
     * Lets the judge forget a process that is about to get another name. The process is judged anew at its next
     * {@link #settle}.
     */
    void forget(Seat seat) {
        if (judge != null) {
            judge.leaves(seat.id(), nowNs);
            if (lost.contains(seat.lastingName()) || unproven.contains(seat.lastingName())) {
                renamed.add(seat.lastingName());
            }
        }
    }

    /** Whether the process was lost together with its host, and does not count as ended yet. */
    boolean isLost(Seat seat) {
        return lost.contains(seat.lastingName());
    }

    /**
     * Stops the judging of the processes that joined, because the world is gone; in a static world those of
     * {@link #unproven} are kept. Spares are still judged.
     */
    void settleNone() {
        if (judge != null) {
            for (Seat seat : roster.all()) {
                if (run.isElastic()) {
                    forget(seat);
                } else if (!unproven.contains(seat.id())) {
                    judge.leaves(seat.id(), nowNs);
                }
            }
        }
    }

    /**
     * The key under which the host of a process was noted: its name or, in an elastic world, the number with which its
     * launcher started it.
     */
    private static ProcessId child(Seat seat) {
        return seat.joiner == null ? seat.id() : ProcessId.of(seat.joiner.localIndex());
    }

    /**
     * Notes the host of a process, before it is started.
     *
     * @param process the process; in an elastic world a name whose slot is the number with which the process will join
     *     ({@link org.ulfmj.rendezvous.rounds.Joiner#localIndex})
     */
    void place(ProcessId process, int host) {
        if (host != 0) {
            places.put(process, host);
        }
    }

    void placeSpare(int number, int host) {
        place(spare(number), host);
    }

    private void tellPlace(ProcessId process) {
        tellPlace(process, process);
    }

    /** @param key the key under which the host was noted */
    private void tellPlace(ProcessId process, ProcessId key) {
        Integer host = places.get(key);
        if (host != null) {
            judge.placed(process, host, nowNs);
        }
    }

    void onAgentHeard(int host) {
        if (judge != null) {
            judge.agentHeard(host, nowNs);
        }
    }

    void onAgentLost(int host) {
        if (judge != null) {
            judge.agentLost(host, nowNs);
        }
    }

    /**
     * V15: handles a keep-alive of a process. It is answered in a job that has leases or needs a majority, unless the
     * process is lost or has ended.
     */
    private void onKeepAlive(Seat from, RendezvousMessage.KeepAlive message) {
        boolean isAnswered = leases != null || run.needsMajority();
        if (isAnswered && !isLost(from) && !from.ended) {
            if (leases != null) {
                leases.renew(from.lastingName(), nowNs);
            }
            out.send(from.nonce(), new RendezvousMessage.Kept(message.number()));
        }
    }

    /** J4: takes the processes of lost hosts whose leases are over, and which count as ended from now on. */
    List<Seat> takeOverdue() {
        if (leases == null || lost.isEmpty()) {
            return List.of();
        }
        List<Seat> overdue = new ArrayList<>();
        for (Seat seat : roster.all()) {
            if (isLost(seat) && leases.isOver(seat.lastingName(), nowNs)) {
                overdue.add(seat);
                lost.remove(seat.lastingName());
                unproven.add(seat.lastingName());
            }
        }
        return overdue;
    }

    /** Handles the proven end of a process that counted as dead since its lease was over. */
    void proven(Seat seat) {
        renamed.remove(seat.lastingName());
        if (unproven.remove(seat.lastingName())) {
            judge.leaves(seat.id(), nowNs);
        }
    }

    void spareWaits(int number) {
        if (judge != null) {
            tellPlace(spare(number));
            judge.waits(spare(number), nowNs);
        }
    }

    /**
     * A spare becomes the next process of a slot. It is still judged by its state alone: if it were stopped now, it
     * would never join.
     */
    void assigned(int number, ProcessId next) {
        place(next, places.getOrDefault(spare(number), 0));
        if (judge != null) {
            judge.leaves(spare(number), nowNs);
        }
        comes(next);
    }

    /** Lets the judge watch a process that was a spare and is about to join. */
    void comes(ProcessId next) {
        if (judge != null) {
            tellPlace(next);
            judge.waits(next, nowNs);
        }
    }

    /** A process has ended before it joined. */
    void endedWithoutSeat(ProcessId process) {
        if (judge != null) {
            judge.leaves(process, nowNs);
        }
    }

    /** A spare has ended. */
    void spareLeaves(int number) {
        if (judge != null) {
            judge.leaves(spare(number), nowNs);
        }
    }

    private ProcessId spare(int number) {
        return ProcessId.of(run.size() + number);
    }

    private boolean isSpare(ProcessId process) {
        return !run.isElastic() && process.slot() >= run.size();
    }

    void onConnected(Seat seat) {
        if (judge != null) {
            judge.connects(seat.id(), nowNs);
        }
    }

    /**
     * Handles a message of a process that joined. A message that is not meant for the judge only shows that the process
     * lives.
     */
    void onMessage(Seat seat, RendezvousMessage message) {
        ProcessId from = seat.id();
        if (message instanceof RendezvousMessage.Suspect suspect) {
            onSuspect(seat, suspect.process());
        }
        if (judge == null) {
            return;
        }
        if (message instanceof RendezvousMessage.KeepAlive keepAlive) {
            onKeepAlive(seat, keepAlive);
        }
        if (message instanceof RendezvousMessage.Heard heard) {
            judge.hears(from, heard.process(), nowNs);
        } else if (message instanceof RendezvousMessage.Here here) {
            judge.answers(from, here.question(), nowNs);
        } else if (message instanceof RendezvousMessage.StillNothing nothing) {
            judge.confirms(from, nothing.question(), nothing.process(), nowNs);
        } else {
            judge.heardFrom(from, nowNs);
        }
    }

    private void onSuspect(Seat from, ProcessId process) {
        Seat about = roster.of(process);
        boolean isNews = about != null && about != from && !about.ended && !about.saidGoodbye && !about.hasLeft;
        if (!isNews || !from.running || !from.isLive()) {
            return;
        }
        listener.onSuspect(from.id(), process);
        // A process that is to end itself is not judged for what members complain of.
        if (judge != null && about.isLive()) {
            judge.suspects(from.id(), process, nowNs);
        }
    }

    /**
     * The reason of a death as members are told it: the judge's reason, if the judge had the process killed, else the
     * given one.
     */
    String reasonOf(Seat seat, String reason) {
        String why = judge == null ? null : judge.reasonOf(seat.id());
        return why == null ? reason : "its process " + why + ", and mpiexec ended it";
    }

    void onLooked(ProcessId process, char state, boolean isKillPending) {
        if (judge != null) {
            judge.looked(process, state, isKillPending, nowNs);
        }
    }

    void onSpareLooked(int number, char state, boolean isKillPending) {
        onLooked(spare(number), state, isKillPending);
    }

    void suspend() {
        isSuspended = true;
        if (judge != null) {
            judge.suspend();
        }
    }

    void restart() {
        isSuspended = false;
        goOn();
    }

    /**
     * Stops judging while the messages of the core do not leave: a process cannot answer a question that it has not
     * heard.
     */
    void mute() {
        isMute = true;
        if (judge != null) {
            judge.suspend();
        }
    }

    void unmute() {
        isMute = false;
        goOn();
    }

    /** Tells the judge whether processes can find this coordinator now. */
    void show(boolean isFindable) {
        if (judge == null) {
            return;
        }
        if (isFindable) {
            judge.shows(nowNs);
        } else {
            judge.hides();
        }
    }

    private void goOn() {
        if (judge != null && !isSuspended && !isMute) {
            judge.restart(nowNs);
        }
    }

    /**
     * Lets the judge act. Returns whether the judge gave up a process that SIGKILL does not end: it may have been the
     * last one that ran.
     */
    boolean onTick() {
        hasGivenUp = false;
        if (judge != null) {
            judge.onTick(nowNs);
        }
        return hasGivenUp;
    }

    long nextDeadlineNs() {
        return judge == null ? Long.MAX_VALUE : judge.nextDeadlineNs();
    }

    @Override
    public void ask(ProcessId member, long question, List<ProcessId> complainers) {
        out.send(roster.of(member).nonce(), new RendezvousMessage.AreYouThere(question, complainers));
    }

    @Override
    public long waitedForCoreNs(ProcessId process) {
        return listener.waitedForCoreNs(
                process, roster.of(process).member.process().pid());
    }

    @Override
    public boolean isCoreWaitKnown(ProcessId process) {
        return listener.isCoreWaitKnown(process);
    }

    @Override
    public void askComplainer(ProcessId complainer, long question, ProcessId about) {
        out.send(roster.of(complainer).nonce(), new RendezvousMessage.DoYouHear(question, about));
    }

    @Override
    public void kill(ProcessId process, String reason) {
        if (isSpare(process)) {
            listener.onSpareSilent(process.slot() - run.size(), reason);
        } else {
            Seat seat = roster.of(process);
            if (seat == null) {
                listener.onSilent(process, reason);
            } else {
                listener.onSilent(process, seat.nonce(), reason);
            }
        }
    }

    @Override
    public void endHost(int host) {
        listener.onHostEnds(host);
    }

    @Override
    public void lose(int host, List<ProcessId> processes, String reason) {
        for (ProcessId process : processes) {
            Seat seat = roster.of(process);
            if (seat == null) {
                continue;
            }
            lost.add(seat.lastingName());
            if (leases != null) {
                leases.begin(seat.lastingName(), nowNs);
            }
            // The process itself is told too, in case it is reached again before its agent ends it.
            seat.lostBecause = reason;
            seat.fence = FENCE_BEGINS + reason;
            out.send(seat.nonce(), new RendezvousMessage.Fence(seat.fence));
            if (roster.holds(seat) || seat.announced) {
                news.tellForGood(silenced(seat, seat.fence), out);
            }
        }
        listener.onLost(host, processes, reason);
    }

    /**
     * In a job that needs a majority: whether the launcher's side without these processes is no majority, and a member
     * is among these. Never so once a member has said goodbye: Finalize was agreed on by a majority, so no other side
     * can go on. Processes that are no members do not count.
     */
    @Override
    public boolean isMinorityWithout(List<ProcessId> unheard) {
        Side side = run.needsMajority() ? sideWithout(unheard) : null;
        return side != null && side.isSmaller();
    }

    @Override
    public void endInMinority(List<ProcessId> unheard) {
        Side side = sideWithout(unheard);
        listener.onMinority(side.reached(), side.members());
    }

    /**
     * How many of the members that are not known to have ended, left or said goodbye the launcher reaches.
     *
     * @param unheard how many of the members are among the unheard processes that were asked about
     */
    private record Side(int reached, int members, int unheard, boolean isFinalized) {
        boolean isSmaller() {
            return unheard > 0 && !isFinalized && !LaunchersSide.goesOn(reached, members);
        }
    }

    private Side sideWithout(List<ProcessId> processes) {
        int members = 0;
        int reached = 0;
        int unheard = 0;
        boolean isFinalized = false;
        for (Seat seat : roster.all()) {
            if (!roster.holds(seat)) {
                continue;
            }
            isFinalized |= seat.saidGoodbye;
            if (!seat.ended && !seat.saidGoodbye && !seat.hasLeft) {
                boolean isAsked = processes.contains(seat.id());
                members++;
                unheard += isAsked ? 1 : 0;
                reached += isAsked || isLost(seat) ? 0 : 1;
            }
        }
        return new Side(reached, members, unheard, isFinalized);
    }

    @Override
    public void giveUp(ProcessId process, String reason) {
        if (isSpare(process)) {
            listener.onSpareGivenUp(process.slot() - run.size(), reason);
            return;
        }
        Seat seat = roster.of(process);
        if (seat != null) {
            seat.isGivenUp = true;
            hasGivenUp = true;
        }
        if (seat != null && roster.holds(seat)) {
            news.tellForGood(silenced(seat, "its process " + reason + ", and SIGKILL does not end it"), out);
        }
        listener.onGivenUp(process, reason);
    }

    private static RendezvousMessage silenced(Seat seat, String why) {
        return new RendezvousMessage.Silenced(seat.id(), seat.nonceIfNamesChange(), why);
    }

    /**
     * Tells the members of an elastic world that a process which they have just admitted is lost with its host, by the
     * name that they gave it.
     */
    void tellThatLost(Seat seat) {
        news.tellForGood(silenced(seat, seat.fence), out);
    }
}
