package org.ulfmj.runtime.process;

import java.io.File;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Proves the ends of processes on this host by {@code /proc/PID/stat}. A rank looks at a peer only while it has reason
 * to. It looks at a neighbour until the lifeline to that neighbour stands, and once that lifeline has ended; and at a
 * silent process that it was to send SIGKILL. When the launcher is lost, or from the beginning where the coordinator is
 * elected, it looks at the nearest live predecessor too.
 *
 * <p>A process is gone for certain if its pid exists no more, or belongs to another process by now, or if the process
 * has ended and only waits for its parent to take note. A pid of another pid namespace means nothing here: then a lost
 * lifeline is a suspicion only, and the heartbeats decide.
 *
 * <p>Under the engine lock; never waits.
 */
final class EvidenceWatch {
    /** How often a process is looked at. */
    private static final long PERIOD_NS = 5_000_000;
    /**
     * How long after the end of a process's lifeline this rank begins to look at the process, at the latest, while the
     * launcher is there. The launcher tells of a death itself, mostly sooner.
     */
    static final long PATIENCE_NS = 20_000_000;

    /** Is told of each end of a process that is proven. */
    interface Proof {
        void onEnded(ProcessId process, String reason);
    }

    /** Knows the lifelines. */
    interface Lifelines {
        boolean stands(ProcessId peer);
    }

    /**
     * A process that this rank looks at.
     *
     * @param stat kept open; null if it could not be opened: there was no such process, or no file descriptor was left
     * @param untilLifeline whether this rank stops looking once a lifeline to the process stands
     */
    private record Watched(MemberRecord member, String why, ProcessStat stat, boolean untilLifeline) {}

    /** Where the system shows its processes. */
    private final String processes;

    private final MemberRecord me;
    /** The present world in slot order. */
    private List<MemberRecord> world = List.of();
    /** By slot, the last process of the slot that was in the world. */
    private final Map<Integer, MemberRecord> known = new TreeMap<>();

    private final Lifelines lifelines;
    private final Map<ProcessId, Watched> watched = new TreeMap<>();
    private final GoneProcesses gone = new GoneProcesses();
    /**
     * The processes whose lifelines ended while the launcher was there, and at which this rank looks only from
     * {@link #putOffUntilNs} on.
     */
    private final List<ProcessId> putOff = new ArrayList<>(0);

    private long putOffUntilNs;
    private boolean alone;
    private long nextLookNs = Long.MIN_VALUE;

    /** @param table all members in slot order, this process among them */
    EvidenceWatch(MemberRecord me, List<MemberRecord> table, Lifelines lifelines) {
        this(ProcessStat.PROC, me, table, lifelines);
    }

    EvidenceWatch(String processes, MemberRecord me, List<MemberRecord> table, Lifelines lifelines) {
        this.processes = processes;
        this.me = me;
        this.lifelines = lifelines;
        onWorld(table);
    }

    /** Sets the members of the world from now on, in slot order, this process among them. */
    void onWorld(List<MemberRecord> members) {
        world = members;
        for (MemberRecord member : members) {
            known.put(member.id().slot(), member);
        }
        if (alone) {
            watchPredecessor();
        }
    }

    /**
     * Begins to look at these neighbours, to which lifelines are being opened: else this rank would not see the death
     * of a process before its lifeline stands.
     */
    void awaitLifelines(List<ProcessId> neighbours) {
        for (ProcessId neighbour : neighbours) {
            watch(neighbour, "it had no lifeline yet", true);
        }
    }

    /**
     * Notes that the lifeline to a process ended, or could not be opened in time: this rank looks at that process from
     * the next poll on, if it can.
     */
    void onLifelineLost(ProcessId process) {
        close(watched.remove(process));
        watch(process, "its lifeline ended", false);
        nextLookNs = Long.MIN_VALUE;
    }

    /**
     * Notes that the lifeline to a process ended, or could not be opened in time. If the launcher is there, it looks at
     * that process too, and this rank looks up to {@link #PATIENCE_NS} later, unless the process is known to be gone by
     * then. All neighbours of a dead process lose their lifelines at once, and if each of them looked, other ranks
     * would wait for the cores that they share.
     */
    void onLifelineLost(ProcessId process, long nowNs) {
        if (alone) {
            onLifelineLost(process);
        } else if (!gone.contains(process)) {
            if (putOff.isEmpty()) {
                putOffUntilNs = nowNs + PATIENCE_NS;
            }
            putOff.add(process);
        }
    }

    /** Notes that a silent process was sent SIGKILL, unless it was gone, and begins to look for its end. */
    void onKilled(ProcessId process) {
        close(watched.remove(process));
        watch(process, "nothing was heard of it, and mpiexec is dead", false);
        nextLookNs = Long.MIN_VALUE;
    }

    /**
     * Returns the record of a process at which this process can look in {@code /proc}: both are on this host and in the
     * same pid namespace, the start time of the other is known, and no later process of its slot has been in the world.
     * Else null.
     */
    MemberRecord comparable(ProcessId process) {
        MemberRecord member = known.get(process.slot());
        boolean isComparable = member != null
                && member.id().equals(process)
                && me.isOnHostOf(member)
                && me.process().sharesPidsWith(member.process())
                && member.process().startTicks() != 0;
        return isComparable ? member : null;
    }

    private void lookIntoPutOff() {
        for (ProcessId process : putOff) {
            onLifelineLost(process);
        }
        putOff.clear();
    }

    /**
     * Notes that the launcher is lost, so that it does not look at processes any more: this rank begins to look at its
     * nearest live predecessor, and at the processes whose lifelines have ended.
     */
    void onLauncherLost() {
        alone = true;
        lookIntoPutOff();
        watchPredecessor();
    }

    /** Whether a process has failed or departed. */
    boolean isGone(ProcessId process) {
        return gone.contains(process);
    }

    /** Notes that the process failed or departed: this rank does not look at it any more. */
    void onGone(ProcessId process) {
        gone.add(process);
        putOff.remove(process);
        close(watched.remove(process));
        if (alone) {
            watchPredecessor();
        }
    }

    /** How many entries are kept: slots that the world has had, and slots of which a process is gone. */
    int kept() {
        return known.size() + gone.kept();
    }

    private void watchPredecessor() {
        int here = 0;
        while (!world.get(here).id().equals(me.id())) {
            here++;
        }
        for (int distance = 1; distance < world.size(); distance++) {
            ProcessId candidate =
                    world.get(Math.floorMod(here - distance, world.size())).id();
            if (!gone.contains(candidate)) {
                close(watched.remove(candidate));
                watch(candidate, "only this rank looks after it since mpiexec is lost", false);
                return;
            }
        }
    }

    private void watch(ProcessId process, String why, boolean untilLifeline) {
        MemberRecord member = comparable(process);
        if (member != null && !gone.contains(process)) {
            watched.put(
                    process,
                    new Watched(
                            member,
                            why,
                            ProcessStat.open(folder(member.process().pid())),
                            untilLifeline));
        }
    }

    private String folder(long pid) {
        return ProcessStat.folder(processes, pid);
    }

    private ProcessStat read(Watched one) {
        if (one.stat() == null) {
            return ProcessStat.now(folder(one.member().process().pid()));
        }
        return one.stat().read() ? one.stat() : null;
    }

    /**
     * Whether a process whose file cannot be opened may be alive: it may as long as its folder in {@code /proc} is
     * shown. To see that takes no file descriptor.
     */
    private boolean mayLiveUnseen(Watched one, ProcessStat stat) {
        return stat == null
                && one.stat() == null
                && new File(folder(one.member().process().pid())).exists();
    }

    /**
     * The time at which {@link #poll} is due; {@link Long#MAX_VALUE} for none. A first look needs no deadline: the next
     * poll makes it.
     */
    long nextDeadlineNs() {
        long lookNs = watched.isEmpty() || nextLookNs == Long.MIN_VALUE ? Long.MAX_VALUE : nextLookNs;
        return putOff.isEmpty() ? lookNs : Math.min(lookNs, putOffUntilNs);
    }

    /** Looks at the processes, if it is time to. Each end that is proven is told to {@code proof}. */
    void poll(long nowNs, Proof proof) {
        if (!putOff.isEmpty() && nowNs - putOffUntilNs >= 0) {
            lookIntoPutOff();
        }
        if (watched.isEmpty() || nextLookNs != Long.MIN_VALUE && nowNs - nextLookNs < 0) {
            return;
        }
        nextLookNs = nowNs + PERIOD_NS;
        for (Iterator<Watched> each = watched.values().iterator(); each.hasNext(); ) {
            Watched one = each.next();
            if (one.untilLifeline() && lifelines.stands(one.member().id())) {
                each.remove();
                close(one);
                continue;
            }
            ProcessStat stat = read(one);
            String end = mayLiveUnseen(one, stat) ? null : endOf(one.member(), stat);
            if (end != null) {
                each.remove();
                close(one);
                proof.onEnded(one.member().id(), reason(one, end));
            }
        }
    }

    /**
     * Returns the reason in words. The text is not joined by +, whose first use would add ten milliseconds to the first
     * death.
     */
    private static String reason(Watched one, String end) {
        return new StringBuilder("pid ")
                .append(one.member().process().pid())
                .append(' ')
                .append(end)
                .append(" (")
                .append(one.why())
                .append(')')
                .toString();
    }

    /** Returns how the process has ended, in words; null if it may be alive. */
    private static String endOf(MemberRecord member, ProcessStat stat) {
        if (stat == null) {
            return "is gone";
        }
        if (stat.startTicks() != member.process().startTicks()) {
            return "is gone, its pid is another process";
        }
        return stat.hasEnded() ? "has ended" : null;
    }

    private static void close(Watched one) {
        if (one != null && one.stat() != null) {
            one.stat().close();
        }
    }
}
