package org.ulfmj.testkit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

/**
 * What a launcher knows of the processes that take the place of dead ones: which it may still start, which wait to be
 * admitted, and who is in the world as far as it was told. It never says "admitted": that the members do. Not
 * thread-safe. For the worlds of this library.
 */
public final class Restarts {
    private final int most;
    /** By slot: the process that was started last. */
    private final ProcessId[] latest;

    /** By slot: the member, as those who commit a world say. */
    private final MemberRecord[] world;

    private final SortedMap<ProcessId, MemberRecord> pending = new TreeMap<>();
    private final SortedMap<Integer, String> noMore = new TreeMap<>();
    private long epoch;
    private String overBecause;

    /** @param most how often each rank may be started again, as with the launcher's {@code --max-restarts} */
    public Restarts(int slots, int most) {
        this.most = most;
        this.latest = new ProcessId[slots];
        this.world = new MemberRecord[slots];
        for (int slot = 0; slot < slots; slot++) {
            latest[slot] = ProcessId.of(slot);
            world[slot] = record(latest[slot], 0);
        }
    }

    /** How a process that is a thread describes itself. */
    public static MemberRecord record(ProcessId process, long nonce) {
        return new MemberRecord(process, nonce, "", 0, "", 0, 0, "", 0);
    }

    /**
     * The process that is to take the place of this one, which is dead; null if none is, and {@link #noMore} says why.
     */
    public ProcessId successor(ProcessId dead) {
        pending.remove(dead);
        if (!latest[dead.slot()].equals(dead)) {
            return null;
        }
        if (overBecause != null) {
            noMore.put(dead.slot(), overBecause);
            return null;
        }
        if (dead.incarnation() == most) {
            noMore.put(
                    dead.slot(),
                    most == 0
                            ? "no restarts were asked for"
                            : "it has been started again " + (most == 1 ? "once" : most + " times")
                                    + ", as often as was asked for");
            return null;
        }
        latest[dead.slot()] = new ProcessId(dead.slot(), dead.incarnation() + 1);
        return latest[dead.slot()];
    }

    /** The newcomer has joined and waits. */
    public void joined(MemberRecord newcomer) {
        pending.put(newcomer.id(), newcomer);
    }

    /** A process has ended that is not to be replaced. */
    public void ended(ProcessId process) {
        pending.remove(process);
    }

    /** A member says what the world is; the newcomers for which there is no place in it any more are returned. */
    public List<ProcessId> committed(long newEpoch, Collection<MemberRecord> members) {
        if (newEpoch <= epoch) {
            return List.of();
        }
        epoch = newEpoch;
        MemberRecord[] now = new MemberRecord[world.length];
        for (MemberRecord member : members) {
            now[member.id().slot()] = member;
            pending.remove(member.id());
        }
        System.arraycopy(now, 0, world, 0, now.length);
        List<ProcessId> superfluous = new ArrayList<>();
        for (ProcessId waiting : pending.keySet()) {
            MemberRecord holder = now[waiting.slot()];
            // A newcomer for one that is in the world is wanted: the one it is to replace died after that was agreed.
            if (holder == null || holder.id().incarnation() > waiting.incarnation()) {
                superfluous.add(waiting);
            }
        }
        pending.keySet().removeAll(superfluous);
        return superfluous;
    }

    /** Nothing is started any more; the newcomers that wait in vain are returned. */
    public List<ProcessId> close(String why) {
        overBecause = overBecause == null ? why : overBecause;
        List<ProcessId> superfluous = List.copyOf(pending.keySet());
        pending.clear();
        return superfluous;
    }

    /** Those in the world as far as is known, dead ones included, by slot. */
    public List<MemberRecord> world() {
        List<MemberRecord> members = new ArrayList<>();
        for (MemberRecord member : world) {
            if (member != null) {
                members.add(member);
            }
        }
        return members;
    }

    /** Those that wait to be admitted. */
    public Collection<MemberRecord> pending() {
        return List.copyOf(pending.values());
    }

    /** Slots for which no rank is started any more, and why. */
    public SortedMap<Integer, String> noMore() {
        return new TreeMap<>(noMore);
    }
}
