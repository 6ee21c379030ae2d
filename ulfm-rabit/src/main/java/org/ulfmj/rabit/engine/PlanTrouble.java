package org.ulfmj.rabit.engine;

import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * Why a rank recovers, and in which call: what others need for their messages.
 *
 * @param kind what it met
 * @param position of the call it is in
 * @param call the operation; empty for one that is none of all ranks
 * @param site where in the program it is made
 * @param text what the others are told; empty of {@link Kind#FAILURE}
 */
public record PlanTrouble(Kind kind, Position position, String call, String site, String text) {
    /** What a rank met. */
    public enum Kind {
        /** A death, or another rank's recovery. */
        FAILURE,
        /** Another rank made another operation. */
        MISMATCH,
        /** A wait took longer than allowed. */
        DEADLINE,
        /** Something that a restart does not change: the program's own code threw in a call, or its disk is full. */
        ERROR
    }

    private static final String ELLIPSIS = "…";
    private static final int ELLIPSIS_BYTES = 3;
    private static final Kind[] KINDS = Kind.values();

    /** Long texts are cut: all ranks are sent those of all ranks. */
    public static PlanTrouble of(Kind kind, Position position, String call, String site, String text) {
        return new PlanTrouble(kind, position, cut(call, 100), cut(site, 200), cut(text, 600));
    }

    /**
     * So that it takes no more than this many bytes as UTF-8, regardless of its letters; a pair of surrogates stays
     * together.
     */
    static String cut(String text, int mostBytes) {
        int whole = end(text, mostBytes);
        return whole == text.length() ? text : text.substring(0, end(text, mostBytes - ELLIPSIS_BYTES)) + ELLIPSIS;
    }

    /** Of the longest part from the beginning on that has this many bytes at most. */
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
            throw new IllegalStateException("no trouble has number " + kind);
        }
        return new PlanTrouble(
                KINDS[kind],
                new Position(in.getInt(), in.getInt(), in.getLong()),
                in.getText(),
                in.getText(),
                in.getText());
    }

    /** {@code allreduce(double[8], MPI.SUM) as operation 3 of version 1 at Boost.step(Boost.java:12)}. */
    @Override
    public String toString() {
        return (call.isEmpty() ? "nothing of all ranks" : call) + " as " + position + " at " + site;
    }
}
