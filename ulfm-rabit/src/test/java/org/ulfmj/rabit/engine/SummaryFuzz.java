package org.ulfmj.rabit.engine;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.fuzz.FuzzTarget;

/**
 * Feeds the reader of {@code SummaryRecord}, what a rank tells the others about itself after a failure, with damaged
 * bytes.
 */
final class SummaryFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        Runs.Builder results = new Runs.Builder();
        for (long number : new long[] {1, 3, 5, 6, 7, 20}) {
            results.add(number);
        }
        Holdings holdings = new Holdings(2, 1, results.build(), 1, 99, 1000, List.of(0, 1), List.of(1));
        PlanTrouble trouble = PlanTrouble.of(
                PlanTrouble.Kind.MISMATCH, Position.START, "allreduce(double[2], MPI.SUM)", "site", "text");
        return List.of(new SummaryRecord(
                        new ProcessId(3, 1), true, false, Position.ofVersion(1), 4, 8, -9, true, 5, holdings, trouble)
                .toBytes());
    }

    @Override
    public void parse(byte[] input) {
        SummaryRecord.fromBytes(input);
    }
}
