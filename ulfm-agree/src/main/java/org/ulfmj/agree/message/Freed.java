package org.ulfmj.agree.message;

import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * A communicator that some rank has freed or could not build, as a list of housekeeping names it.
 *
 * @param epoch the membership epoch of the members
 */
public record Freed(long communicator, long epoch, SlotRuns members) {
    public static final int LEAST_BYTES = 2 * Long.BYTES + Integer.BYTES;

    private static final int RUN_BYTES = 3 * Integer.BYTES;

    public int lengthBytes() {
        return LEAST_BYTES + members.runCount() * RUN_BYTES;
    }

    public void writeTo(WireWriter out) {
        members.writeTo(out.putLong(communicator).putLong(epoch));
    }

    public static Freed readFrom(WireReader in) {
        return new Freed(in.getLong(), in.getLong(), SlotRuns.readFrom(in, Integer.MAX_VALUE));
    }
}
