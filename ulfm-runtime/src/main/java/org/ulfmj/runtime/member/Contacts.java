package org.ulfmj.runtime.member;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

/**
 * The addresses of the processes that this rank has been told of. To the protocols an address is an array of bytes,
 * which they pass on and compare; here it is a {@link MemberRecord}. Under the engine lock.
 */
public final class Contacts {
    /**
     * The first membership epoch of a world that is not the first one of its job, or in which not all members are the
     * first processes of their slots.
     */
    static final long FIRST_GATHERED_EPOCH = 1;

    private static final int LIMIT_BYTES = 4096;

    /** The name that a process without a slot has in its own address. */
    private static final ProcessId NAMELESS = ProcessId.of(Integer.MAX_VALUE);

    private final List<MemberRecord> table;
    private final Map<ProcessId, Contact> introduced = new HashMap<>();

    public Contacts(List<MemberRecord> table) {
        this.table = table;
    }

    public void add(Contact contact) {
        introduced.put(contact.process(), contact);
    }

    /**
     * Notes that another world counts from now on: forgets the processes whose slot has a later process in that world.
     */
    public void enter(Admission world) {
        introduced.keySet().removeIf(process -> {
            Contact present = world.members().get(process.slot());
            return present != null && present.process().incarnation() > process.incarnation();
        });
    }

    /**
     * Returns the contact of a process that was in the table at the start or has been introduced since; for any other
     * process, a contact without an address.
     */
    public Contact of(ProcessId process) {
        Contact contact = introduced.get(process);
        if (contact != null) {
            return contact;
        }
        for (MemberRecord member : table) {
            if (member.id().equals(process)) {
                return of(member);
            }
        }
        return of(unaddressed(process));
    }

    public static Contact of(MemberRecord member) {
        return new Contact(member.id(), member.nonce(), bytes(member));
    }

    /**
     * Returns a process without a slot, in the form in which members offer it. Its address has no name, since the
     * decision that lets it in gives the name; so all members have the same address.
     */
    public static Joiner joiner(int hostOrder, int localIndex, MemberRecord waiting) {
        return new Joiner(hostOrder, localIndex, waiting.nonce(), bytes(waiting.named(NAMELESS)));
    }

    private static byte[] bytes(MemberRecord member) {
        WireWriter bytes = new WireWriter(LIMIT_BYTES);
        member.writeTo(bytes);
        return bytes.toByteArray();
    }

    /**
     * Returns the record in a contact, which another member may have passed on.
     *
     * @throws WireFormatException if the address is no record, or not the record of the contact's process
     */
    public static MemberRecord record(Contact contact) {
        WireReader bytes = new WireReader(contact.address());
        MemberRecord record = MemberRecord.readFrom(bytes);
        bytes.requireEnd();
        if (record.id().equals(NAMELESS)) {
            record = record.named(contact.process());
        }
        if (!record.id().equals(contact.process()) || record.nonce() != contact.nonce()) {
            throw new WireFormatException("the address of process " + contact.process() + " is that of " + record);
        }
        return record;
    }

    /**
     * Returns on which hosts the processes run, by the keys of the hosts. The same at all members of a world, since all
     * have the same records.
     *
     * @param members in slot order
     */
    public static Placement placement(List<MemberRecord> members) {
        int[] slots = new int[members.size()];
        long[] hosts = new long[slots.length];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = members.get(i).id().slot();
            hosts[i] = members.get(i).hostKey();
        }
        return Placement.of(SlotRuns.of(slots), hosts);
    }

    /** Returns the records of the members of a world, in slot order. */
    public static List<MemberRecord> records(Admission admission) {
        List<MemberRecord> records = new ArrayList<>();
        for (Contact contact : admission.members().values()) {
            records.add(record(contact));
        }
        return records;
    }

    /**
     * Makes the world of the processes that the launcher has gathered after all members of an earlier one had ended.
     * All of these processes compute the same world: those that waited to be taken into the earlier world, and those
     * that came after its end.
     */
    public static Admission gathered(List<MemberRecord> members, CommunicatorIds ids) {
        SortedMap<Integer, Contact> contacts = new TreeMap<>();
        for (MemberRecord member : members) {
            contacts.put(member.id().slot(), of(member));
        }
        Admission unnamed = new Admission(FIRST_GATHERED_EPOCH, 0, contacts);
        return unnamed.named(ids.replace(0, 0, unnamed.digest(placement(members))));
    }

    private static MemberRecord unaddressed(ProcessId process) {
        return new MemberRecord(process, 0, 0, "", 0, "", HostProcess.UNKNOWN);
    }
}
