package org.ulfmj.runtime.member;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.transport.MemberRecord;

/**
 * Which rank of which job this process is.
 *
 * @param id slot and incarnation of this process
 * @param nonce random bits drawn once by this process: they tell it from any other process that had the same id
 * @param members the members of the world that this process joined, on the hosts that the table says; at a newcomer,
 *     those of the world to which it waits to be admitted, of which it is no member
 * @param table where the members are, in slot order; empty where no rank needs addresses, as for ranks that are threads
 * @param jobSecret the key under which communicators get their ids; the same at all members
 */
public record RankIdentity(ProcessId id, long nonce, Membership members, List<MemberRecord> table, byte[] jobSecret) {
    public RankIdentity {
        table = List.copyOf(table);
        members = members.on(Contacts.placement(table));
    }

    /** Makes the identity of a member of a first world whose processes need neither nonce nor address. */
    public RankIdentity(ProcessId id, Membership members, byte[] jobSecret) {
        this(id, 0, members, List.of(), jobSecret);
        if (!members.contains(id)) {
            throw new IllegalArgumentException("process " + id + " is not a member of " + members);
        }
    }

    /**
     * Makes the identity of a process of a job whose members are in this table.
     *
     * @param table without this process if it is a newcomer
     */
    public static RankIdentity of(MemberRecord me, List<MemberRecord> table, byte[] jobSecret) {
        return of(me, table, jobSecret, false);
    }

    /**
     * As {@link #of(MemberRecord, List, byte[])}.
     *
     * @param isLater whether the job has had another world whose members may have had the same process ids, as in an
     *     elastic job: then the communicators of this world get other ids
     */
    public static RankIdentity of(MemberRecord me, List<MemberRecord> table, byte[] jobSecret, boolean isLater) {
        int[] slots = new int[table.size()];
        Map<Integer, Integer> incarnations = new TreeMap<>();
        for (int i = 0; i < slots.length; i++) {
            ProcessId member = table.get(i).id();
            slots[i] = member.slot();
            if (member.incarnation() > 0) {
                incarnations.put(member.slot(), member.incarnation());
            }
        }
        Membership members = Membership.of(
                incarnations.isEmpty() && !isLater ? 0 : Contacts.FIRST_GATHERED_EPOCH,
                SlotRuns.of(slots),
                incarnations);
        return new RankIdentity(me.id(), me.nonce(), members, table, jobSecret);
    }

    /** Whether this process waits to be admitted to a world that runs already. */
    public boolean isNewcomer() {
        return !members.contains(id);
    }
}
