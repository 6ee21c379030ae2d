package org.ulfmj.runtime.member;

import java.util.List;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.fuzz.FuzzTarget;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

/** Fuzzes the contact of a process, with its address, as members pass it on to each other. */
final class ContactsFuzz implements FuzzTarget {
    private static final MemberRecord MEMBER = new MemberRecord(
            new ProcessId(3, 1),
            4711,
            0,
            "127.0.0.1",
            5000,
            "/tmp/life.3",
            new HostProcess(4000, 77, 4026531836L, "b"));

    @Override
    public List<byte[]> samples() {
        return List.of(Contacts.of(MEMBER).address());
    }

    @Override
    public void parse(byte[] input) {
        Contacts.record(new Contact(MEMBER.id(), MEMBER.nonce(), input));
    }
}
