package org.ulfmj.runtime.waits;

import java.util.List;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the report on a rank's waits that the rank sends to the launcher. */
final class WaitReportFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        return List.of(WaitReportCodec.encode(WaitReportCodecTest.REPORT));
    }

    @Override
    public void parse(byte[] input) {
        WaitReportCodec.decode(input);
    }
}
