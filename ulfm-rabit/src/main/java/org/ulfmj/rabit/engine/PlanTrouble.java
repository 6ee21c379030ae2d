package org.ulfmj.rabit.engine;

import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * Why a rank recovers, and in which call: what other ranks need for their messages.
 *
 * @param kind what the rank met
 * @param position the place of the call that the rank is in
 * @param call the operation; empty if the rank is in no operation of all ranks
 * @param site where in the program the call is made
 * @param text what the other ranks are told; empty for {@link Kind#FAILURE}
 */
public record PlanTrouble(Kind kind, Position position, String call, String site, String text) {
    /** What a rank met. */
    public enum Kind {
        /** A death, another rank's recovery, processes that wait to come in, or that this rank itself has just come. */
        FAILURE,
        /** Another rank made another operation or model. */
        MISMATCH,
        /** A wait took longer than allowed. */
        DEADLINE,
        /** Something that a restart does not change, such as a reducer that throws or a model that cannot be saved. */
        ERROR
    }

    private static final String ELLIPSIS = "…";
    private static final int ELLIPSIS_BYTES = 3;
    private static final Kind[] KINDS = Kind.values();

    /** Cuts long texts, because every rank is sent the texts of all ranks. */
    public static PlanTrouble of(Kind kind, Position position, String call, String site, String text) {
        return new PlanTrouble(kind, position, cut(call, 100), cut(site, 200), cut(text, 600));
    }

    /** The text, cut so that it takes no more than this many bytes as UTF-8. A pair of surrogates stays together. */
    static String cut(String text, int mostBytes) {
        int whole = end(text, mostBytes);
        return whole == text.length() ? text : text.substring(0, end(text, mostBytes - ELLIPSIS_BYTES)) + ELLIPSIS;
    }

    /** The end of the longest prefix that has at most this many bytes as UTF-8. */
    private static int end(String text, int mostBytes) {
        int bytes = 0;
        int end = 0;
        while (end < text.length()) {
            int letter = text.codePointAt(end);
            bytes += letter < 0x80 ? 1 : letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
            if (bytes > mostBytes) {
                return end;
            }
            end += Character.charCount(letter);
        }
        return end;
    }

    void writeTo(WireWriter out) {
        out.putByte(kind.ordinal());
        out.putInt(position.phase()).putInt(position.version()).putLong(position.sequence());
        out.putText(call).putText(site).putText(text);
    }

    static PlanTrouble readFrom(WireReader in) {
        int kind = in.getByte();
        if (kind >= KINDS.length) {
            throw new WireFormatException("no trouble has number " + kind);
        }
        return new PlanTrouble(
                KINDS[kind],
                new Position(in.getInt(), in.getInt(), in.getLong()),
                in.getText(),
                in.getText(),
                in.getText());
    }

    /**
     * Returns a text such as {@code allreduce(double[8], MPI.SUM) as operation 3 of version 1 at
     * Boost.step(Boost.java:12)}.
     */
    @Override
    public String toString() {
        return (call.isEmpty() ? "nothing of all ranks" : call) + " as " + position + " at " + site;
    }
}
