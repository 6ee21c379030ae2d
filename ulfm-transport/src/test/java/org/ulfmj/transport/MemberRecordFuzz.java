package org.ulfmj.transport;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.sim.fuzz.FuzzTarget;
import org.ulfmj.transport.host.HostProcess;

/** Fuzzes the reading of a rank's {@link MemberRecord}, whose bytes another rank has made. */
final class MemberRecordFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        WireWriter out = new WireWriter(4096);
        new MemberRecord(
                        new ProcessId(3, 1),
                        4711,
                        0,
                        "127.0.0.1",
                        5000,
                        "/run/user/1000/ulfm-1/life.3",
                        new HostProcess(4000, 77, 4026531836L, "9c0e"))
                .writeTo(out);
        return List.of(out.toByteArray());
    }

    @Override
    public void parse(byte[] input) {
        WireReader in = new WireReader(input);
        MemberRecord.readFrom(in);
        in.requireEnd();
    }
}
