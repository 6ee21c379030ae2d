package org.ulfmj.testkit.sim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

/**
 * What a launcher knows of the world of its ranks: which processes are in it as far as it was told, which wait to be
 * admitted, and for which slots there will be none. It never says "admitted": that the members do. Not thread-safe.
 */
final class KnownWorld {
    /** By slot: the process that was started last. */
    private final ProcessId[] latest;

    /** By slot: the member, as those who commit a world say. */
    private final MemberRecord[] world;

    private final SortedMap<ProcessId, MemberRecord> pending = new TreeMap<>();
    private final SortedMap<Integer, String> noMore = new TreeMap<>();
    private long epoch;

    KnownWorld(int slots) {
        this.latest = new ProcessId[slots];
        this.world = new MemberRecord[slots];
        for (int slot = 0; slot < slots; slot++) {
            latest[slot] = ProcessId.of(slot);
            world[slot] = record(latest[slot], 0);
        }
    }

    /** How a process that is a thread describes itself. */
    static MemberRecord record(ProcessId process, long nonce) {
        return new MemberRecord(process, nonce, "", 0, "", 0, 0, "", 0);
    }

    /** A process has ended; true if it is the last one that was started for its slot, and another may follow it. */
    boolean ended(ProcessId process) {
        pending.remove(process);
        return latest[process.slot()].equals(process);
    }

    /** This process is to take the place of the one before it. */
    void follows(ProcessId next) {
        latest[next.slot()] = next;
    }

    /** No process will take this place. */
    void noMore(int slot, String why) {
        noMore.put(slot, why);
    }

    /** The newcomer has joined and waits. */
    void joined(MemberRecord newcomer) {
        pending.put(newcomer.id(), newcomer);
    }

    /** A member says what the world is; the newcomers for which there is no place in it any more are returned. */
    List<ProcessId> committed(long newEpoch, Collection<MemberRecord> members) {
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

    /** No newcomer will be admitted any more. */
    void close() {
        pending.clear();
    }

    /** The newcomers that wait to be admitted. */
    List<ProcessId> waiting() {
        return List.copyOf(pending.keySet());
    }

    /** Those in the world as far as is known, dead ones included, by slot. */
    List<MemberRecord> members() {
        List<MemberRecord> members = new ArrayList<>();
        for (MemberRecord member : world) {
            if (member != null) {
                members.add(member);
            }
        }
        return members;
    }

    /** What the newcomers that wait say of themselves. */
    Collection<MemberRecord> pending() {
        return List.copyOf(pending.values());
    }

    /** Slots for which no rank is started any more, and why. */
    SortedMap<Integer, String> noMore() {
        return new TreeMap<>(noMore);
    }
}
