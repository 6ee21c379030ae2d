package org.ulfmj.rabit.engine;

import java.util.SortedMap;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * What a rank says in the agreement that commits a checkpoint, or ends the job.
 *
 * @param intent whether the call is a checkpoint or the end
 * @param position the place of the call in the sequence of operations
 * @param withLocal whether there is a local model
 * @param modelBytes length of the global model; {@link #NOT_SAVED} where it is not saved, and at the end of the job
 * @param modelCrc CRC32C of the global model; 0 where it is not saved
 * @param site where in the program the call is
 */
public record CommitNote(
        Intent intent, Position position, boolean withLocal, long modelBytes, int modelCrc, String site) {
    /** The length in a note whose model is not saved, because it is a reference, and in a note without a model. */
    public static final long NOT_SAVED = -1;

    /** The length of a note without {@code site}, which is for people only. */
    public static final int LEAST_BYTES = 1 + 4 * Integer.BYTES;

    private static final int SHORTEST_SITE_BYTES = 16;
    private static final int LONGEST_SITE_BYTES = 500;

    /** The length that no note exceeds. */
    public static final int MOST_BYTES = LEAST_BYTES + LONGEST_SITE_BYTES;

    private static final Intent[] INTENTS = Intent.values();

    /** What a commit is for. */
    public enum Intent {
        CHECKPOINT("checkpoint"),
        SHUTDOWN("shutdown");

        private final String call;

        Intent(String call) {
            this.call = call;
        }

        @Override
        public String toString() {
            return call;
        }
    }

    /** What the decision of the agreement means for the commit; the same at all live ranks. */
    public enum Verdict {
        COMMITTED,
        /** Some rank recovers, or one has died without which this cannot be committed: nothing is committed. */
        RECOVER
    }

    /**
     * @param mostBytes at least {@link #LEAST_BYTES}; if there is little room for more, the note does not say where in
     *     the program the call is, which matters to people only
     */
    public byte[] toBytes(int mostBytes) {
        WireWriter out = new WireWriter(MOST_BYTES);
        out.putByte(intent.ordinal() * 4 + position.phase() * 2 + (withLocal ? 1 : 0));
        out.putInt(position.version()).putInt(sequenceBits());
        out.putInt((int) modelBytes).putInt(modelCrc);
        int room = Math.min(mostBytes - LEAST_BYTES, LONGEST_SITE_BYTES);
        if (room >= SHORTEST_SITE_BYTES) {
            out.putText(PlanTrouble.cut(site, room - Integer.BYTES));
        }
        return out.toByteArray();
    }

    /**
     * The low 32 bits of the number of the operation. They suffice to tell two numbers apart, because ranks that have
     * passed the same checkpoints are never so many operations apart.
     */
    private int sequenceBits() {
        return (int) position.sequence();
    }

    static CommitNote fromBytes(byte[] bytes) {
        WireReader in = new WireReader(bytes);
        int call = in.getByte();
        int version = in.getInt();
        long sequence = Integer.toUnsignedLong(in.getInt());
        CommitNote note = new CommitNote(
                INTENTS[call / 4 % INTENTS.length],
                new Position(call / 2 % 2, version, sequence),
                call % 2 != 0,
                in.getInt(),
                in.getInt(),
                in.remaining() == 0 ? "" : in.getText());
        in.requireEnd();
        return note;
    }

    /**
     * B2.3: what the decision means. A mixed decision means that some rank recovers: a commit would then leave ranks in
     * two versions. A death is harmless for a global model, which all ranks have; but a dead rank's local model may
     * exist nowhere. The end of the job needs all ranks, too.
     *
     * <p>The global models that are saved are compared while it is known which rank made which: models that differ
     * would make results that differ, at some rank after some restart.
     *
     * @param isCommitOnly whether all ranks that took part meant to commit
     * @param anyFailed whether the decision counts any rank as failed
     * @param notes the notes of the ranks that took part
     * @throws Mismatch if all meant to commit, but notes name different calls or different models
     */
    public static Verdict judge(
            boolean isCommitOnly, boolean anyFailed, SortedMap<Integer, byte[]> notes, SlotRuns members) {
        if (!isCommitOnly) {
            return Verdict.RECOVER;
        }
        CommitNote first = null;
        int firstSlot = -1;
        CommitNote model = null;
        int modelSlot = -1;
        for (SortedMap.Entry<Integer, byte[]> entry : notes.entrySet()) {
            CommitNote note = fromBytes(entry.getValue());
            if (first == null) {
                first = note;
                firstSlot = entry.getKey();
            } else if (!note.isSameCall(first)) {
                throw new Mismatch("ranks make different calls: rank " + members.rank(firstSlot) + " " + first
                        + "; rank " + members.rank(entry.getKey()) + " " + note);
            }
            if (note.modelBytes != NOT_SAVED) {
                if (model == null) {
                    model = note;
                    modelSlot = entry.getKey();
                } else if (note.modelBytes != model.modelBytes || note.modelCrc != model.modelCrc) {
                    throw new Mismatch("the global models of ranks differ, which must be the same: rank "
                            + members.rank(modelSlot) + " " + model.describeModel() + "; rank "
                            + members.rank(entry.getKey()) + " " + note.describeModel());
                }
            }
        }
        boolean needsAll = first != null && (first.withLocal || first.intent == Intent.SHUTDOWN);
        return !(anyFailed && needsAll) ? Verdict.COMMITTED : Verdict.RECOVER;
    }

    private String describeModel() {
        return this + " has one of " + modelBytes + " bytes with checksum " + Integer.toHexString(modelCrc);
    }

    private boolean isSameCall(CommitNote other) {
        return intent == other.intent && position.equals(other.position) && withLocal == other.withLocal;
    }

    /**
     * Returns a text such as {@code checkpoint with a local model as operation 3 of version 1 at
     * Boost.main(Boost.java:12)}.
     */
    @Override
    public String toString() {
        return intent + (withLocal ? " with a local model" : "") + " as " + position
                + (site.isEmpty() ? "" : " at " + site);
    }
}
