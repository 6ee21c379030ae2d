package org.ulfmj.runtime.inter;

import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * The message that the leader of one group sends to the leader of the other when an inter-communicator is made, and
 * that each leader then sends to its own group: the members of the other group, or why no inter-communicator is made.
 *
 * @param error {@link ErrorClass#SUCCESS}, or the error that the call raises; then only {@code why} counts besides
 * @param epoch the membership epoch of the group
 * @param tag the tag that the leader gave
 */
public record Introduction(ErrorClass error, String why, CommunicatorIds.Half half, long epoch, int tag) {
    private static final CommunicatorIds.Half NONE = new CommunicatorIds.Half(0, 0, SlotRuns.of());
    private static final int LIMIT_BYTES = 1 << 26;
    private static final int MOST_WORDS = 1000;

    /** Makes the introduction of a group from which an inter-communicator can be made. */
    public static Introduction of(CommunicatorIds.Half half, long epoch, int tag) {
        return new Introduction(ErrorClass.SUCCESS, "", half, epoch, tag);
    }

    /** Makes the message that no inter-communicator will be made, with the error and the reason. */
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
