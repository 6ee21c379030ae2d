package org.ulfmj.rabit.engine;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * One rank's line of the {@code ActionSummary}, the record that all ranks agree on in a recovery: where the rank is,
 * what it can give, and why it recovers.
 *
 * @param fresh whether the process may have come into a running job, and has not fetched everything yet
 * @param untouched whether the rank is fresh, and can tell that nothing was ever committed in this job
 * @param reached B3: the place up to which the rank has got all results, not the place that its program has got to
 * @param horizon RELEASE: the number from which on every result before {@code reached} is in the rank's log
 * @param ranks number of ranks of the world that the rank last went on in; 0 if it has not gone on yet
 * @param lineup stands for the members of that world, in their order; 0 if it has not gone on yet
 * @param usesLocals whether the program keeps local models, as far as the rank knows
 * @param domain the failure domain: ranks with equal numbers may fail together
 */
public record SummaryRecord(
        ProcessId process,
        boolean fresh,
        boolean untouched,
        Position reached,
        long horizon,
        int ranks,
        long lineup,
        boolean usesLocals,
        long domain,
        Holdings holdings,
        PlanTrouble trouble) {
    private static final int LIMIT_BYTES = 1 << 20;
    private static final int MAGIC = 0x53554d31;
    private static final int FRESH = 1;
    private static final int UNTOUCHED = 2;
    private static final long LINEUP_FACTOR = 0x9e3779b97f4a7c15L;

    public byte[] toBytes() {
        WireWriter out = new WireWriter(LIMIT_BYTES);
        out.putInt(MAGIC).putProcess(process).putByte((fresh ? FRESH : 0) | (untouched ? UNTOUCHED : 0));
        out.putInt(reached.phase()).putInt(reached.version()).putLong(reached.sequence());
        out.putLong(horizon)
                .putInt(ranks)
                .putLong(lineup)
                .putByte(usesLocals ? 1 : 0)
                .putLong(domain);
        holdings.writeTo(out);
        trouble.writeTo(out);
        return out.toByteArray();
    }

    public static SummaryRecord fromBytes(byte[] bytes) {
        WireReader in = new WireReader(bytes);
        if (in.getInt() != MAGIC) {
            throw new WireFormatException("a note of " + bytes.length + " bytes is no summary");
        }
        ProcessId process = in.getProcess();
        int flags = in.getByte();
        SummaryRecord summary = new SummaryRecord(
                process,
                (flags & FRESH) != 0,
                (flags & UNTOUCHED) != 0,
                new Position(in.getInt(), in.getInt(), in.getLong()),
                in.getLong(),
                in.getInt(),
                in.getLong(),
                in.getByte() != 0,
                in.getLong(),
                Holdings.readFrom(in),
                PlanTrouble.readFrom(in));
        in.requireEnd();
        return summary;
    }

    /** The number that stands for the slots of members in their order. */
    static long lineupOf(SlotRuns members) {
        // Each step is one to one, so two lists of equal length that differ in one place have two numbers.
        long lineup = 0;
        for (int rank = 0; rank < members.size(); rank++) {
            lineup = (lineup + members.slot(rank) + 1) * LINEUP_FACTOR;
            lineup ^= lineup >>> 32;
        }
        return lineup;
    }

    int slot() {
        return process.slot();
    }
}
