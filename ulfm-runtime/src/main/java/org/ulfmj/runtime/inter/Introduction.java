package org.ulfmj.runtime.inter;

import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * What the leader of one group tells the leader of the other when an inter-communicator is made, and then its own
 * group: who is in the other group, or why there will be no inter-communicator.
 *
 * @param error {@link ErrorClass#SUCCESS}, or what the call raises; then only {@code why} counts besides
 * @param epoch membership epoch of the group
 * @param tag that the leader gave
 */
public record Introduction(ErrorClass error, String why, CommunicatorIds.Half half, long epoch, int tag) {
    private static final CommunicatorIds.Half NONE = new CommunicatorIds.Half(0, 0, SlotRuns.of());
    private static final int LIMIT_BYTES = 1 << 26;
    private static final int MOST_WORDS = 1000;

    /** The group that can be part of an inter-communicator. */
    public static Introduction of(CommunicatorIds.Half half, long epoch, int tag) {
        return new Introduction(ErrorClass.SUCCESS, "", half, epoch, tag);
    }

    /** The word that there will be no inter-communicator. */
    public static Introduction refusal(ErrorClass error, String why) {
        String words = why.length() <= MOST_WORDS ? why : why.substring(0, MOST_WORDS);
        return new Introduction(error, words, NONE, 0, 0);
    }

    public boolean isRefusal() {
        return error != ErrorClass.SUCCESS;
    }

    public byte[] toBytes() {
        WireWriter out = new WireWriter(LIMIT_BYTES)
                .putInt(error.ordinal())
                .putText(why)
                .putLong(half.parent())
                .putLong(half.sequence())
                .putLong(epoch)
                .putInt(tag);
        half.members().writeTo(out);
        return out.toByteArray();
    }

    /** Reads what {@link #toBytes} wrote; throws {@link WireFormatException} for anything else. */
    public static Introduction of(byte[] bytes) {
        WireReader in = new WireReader(bytes);
        int number = in.getInt();
        if (number < 0 || number >= ErrorClass.values().length) {
            throw new WireFormatException("no error class has number " + number);
        }
        ErrorClass error = ErrorClass.values()[number];
        String why = in.getText();
        long parent = in.getLong();
        long sequence = in.getLong();
        long epoch = in.getLong();
        int tag = in.getInt();
        SlotRuns members = SlotRuns.readFrom(in, Integer.MAX_VALUE);
        in.requireEnd();
        return new Introduction(error, why, new CommunicatorIds.Half(parent, sequence, members), epoch, tag);
    }
}
