package org.ulfmj.runtime.inter;

import java.util.List;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the message by which the leaders of the two groups of a new inter-communicator introduce their groups. */
final class IntroductionFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        CommunicatorIds.Half half = new CommunicatorIds.Half(11, 12, SlotRuns.of(0, 2, 4, 5, 9));
        return List.of(
                Introduction.of(half, 3, 7).toBytes(),
                Introduction.refusal(ErrorClass.COMM, "the groups overlap").toBytes());
    }

    @Override
    public void parse(byte[] input) {
        Introduction.of(input);
    }

    /** The members of a group are kept as runs of slots, and a second time sorted. */
    @Override
    public long capBytes(int lengthBytes) {
        return 32 * 1024 + 128L * lengthBytes;
    }
}
