package org.ulfmj.rabit.engine;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * One rank's line of the {@code ActionSummary}, the record that survivors agree on after a failure: where it is, and
 * what it can give.
 *
 * @param fresh whether it is a replacement that has not fetched everything yet
 * @param untouched whether it can tell, being fresh, that nothing was ever committed in this job
 * @param reached B3: the place up to which it holds all results, not the one that its program has got to
 * @param horizon RELEASE: everything from here on is in its log
 * @param ranks of the world that it last went on in; 0 for one that has not yet
 * @param usesLocals whether the program keeps local models; false while no rank knows
 * @param domain ranks with equal numbers fail together
 */
public record SummaryRecord(
        ProcessId process,
        boolean fresh,
        boolean untouched,
        Position reached,
        long horizon,
        int ranks,
        boolean usesLocals,
        long domain,
        Holdings holdings,
        PlanTrouble trouble) {
    private static final int LIMIT_BYTES = 1 << 20;
    private static final int MAGIC = 0x53554d31;
    private static final int FRESH = 1;
    private static final int UNTOUCHED = 2;

    public byte[] toBytes() {
        WireWriter out = new WireWriter(LIMIT_BYTES);
        out.putInt(MAGIC).putProcess(process).putByte((fresh ? FRESH : 0) | (untouched ? UNTOUCHED : 0));
        out.putInt(reached.phase()).putInt(reached.version()).putLong(reached.sequence());
        out.putLong(horizon).putInt(ranks).putByte(usesLocals ? 1 : 0).putLong(domain);
        holdings.writeTo(out);
        trouble.writeTo(out);
        return out.toByteArray();
    }

    public static SummaryRecord fromBytes(byte[] bytes) {
        WireReader in = new WireReader(bytes);
        if (in.getInt() != MAGIC) {
            throw new IllegalStateException("a note of " + bytes.length + " bytes is no summary");
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
                in.getByte() != 0,
                in.getLong(),
                Holdings.readFrom(in),
                PlanTrouble.readFrom(in));
        in.requireEnd();
        return summary;
    }

    int slot() {
        return process.slot();
    }
}
