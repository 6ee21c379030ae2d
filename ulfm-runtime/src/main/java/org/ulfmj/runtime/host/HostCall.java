package org.ulfmj.runtime.host;

/**
 * The call that a rank is in, as one word of 64 bits, which is equal at all ranks of a correct program: the operation,
 * its root, its operator and type, and how many bytes. A rank that finds another word at another rank knows that the
 * program is wrong.
 */
public final class HostCall {
    /** Kinds of operations. */
    public static final int BARRIER = 1;

    public static final int BCAST = 2;
    public static final int REDUCE = 3;
    public static final int ALL_REDUCE = 4;
    public static final int ALL_GATHER = 5;
    public static final int ALL_TO_ALL = 6;
    /** The number above all kinds. */
    public static final int KINDS = 7;

    private static final String[] NAMES = {"nothing", "barrier", "bcast", "reduce", "allReduce", "allGather", "allToAll"
    };
    /** The bit that is set in the word of a call whose operation has a description. */
    static final long DESCRIBED = 1L << 63;

    private static final int KIND_SHIFT = 60;
    private static final int KIND_MASK = 0x7;
    private static final int ROOT_SHIFT = 48;
    private static final int CODE_SHIFT = 32;
    private static final int ROOT_MASK = 0xfff;
    private static final int CODE_MASK = 0xffff;

    private HostCall() {}

    /** @param code the code of operator and type; 0 if nothing is combined */
    static long of(int kind, int root, int code, int bytes) {
        return (long) kind << KIND_SHIFT
                | (long) (root & ROOT_MASK) << ROOT_SHIFT
                | (long) (code & CODE_MASK) << CODE_SHIFT
                | bytes & 0xffff_ffffL;
    }

    /** {@code allReduce of 8 bytes}. */
    static String describe(long call) {
        int kind = (int) (call >>> KIND_SHIFT) & KIND_MASK;
        StringBuilder text = new StringBuilder(kind < NAMES.length ? NAMES[kind] : "an unknown call");
        if (kind != BARRIER) {
            text.append(" of ").append(call & 0xffff_ffffL).append(" bytes");
        }
        if (kind == BCAST || kind == REDUCE) {
            text.append(" with root ").append(call >>> ROOT_SHIFT & ROOT_MASK);
        }
        long code = call >>> CODE_SHIFT & CODE_MASK;
        if (code != 0) {
            text.append(", operator and type ").append(code);
        }
        return (call & DESCRIBED) == 0
                ? text.toString()
                : text.append(", with a description").toString();
    }
}
