package mpi;

import java.nio.ByteBuffer;

/**
 * The commonest operators on a few elements where they lie: no arrays, no views. The same bits as {@link Elements#combine}
 * gives.
 */
final class ShortVectors {
    /** Beyond it the loops over arrays are faster. */
    static final int MOST_ELEMENTS = 8;

    private ShortVectors() {}

    /** Whether it did {@code inout[i] = in[i] op inout[i]}, from the positions on; both are in native order. */
    static boolean combine(Operator operator, BaseType base, ByteBuffer in, ByteBuffer inout, int count) {
        if (operator.compareTo(Operator.PROD) > 0) {
            return false;
        }
        int from = in.position();
        int to = inout.position();
        switch (base) {
            case DOUBLE -> {
                for (int i = 0; i < count * Double.BYTES; i += Double.BYTES) {
                    inout.putDouble(to + i, combine(operator, in.getDouble(from + i), inout.getDouble(to + i)));
                }
            }
            case LONG -> {
                for (int i = 0; i < count * Long.BYTES; i += Long.BYTES) {
                    inout.putLong(to + i, combine(operator, in.getLong(from + i), inout.getLong(to + i)));
                }
            }
            case INT -> {
                for (int i = 0; i < count * Integer.BYTES; i += Integer.BYTES) {
                    inout.putInt(to + i, combine(operator, in.getInt(from + i), inout.getInt(to + i)));
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static double combine(Operator operator, double lower, double higher) {
        return switch (operator) {
            case MAX -> Math.max(lower, higher);
            case MIN -> Math.min(lower, higher);
            case SUM -> lower + higher;
            default -> lower * higher;
        };
    }

    private static long combine(Operator operator, long lower, long higher) {
        return switch (operator) {
            case MAX -> Math.max(lower, higher);
            case MIN -> Math.min(lower, higher);
            case SUM -> lower + higher;
            default -> lower * higher;
        };
    }

    private static int combine(Operator operator, int lower, int higher) {
        return switch (operator) {
            case MAX -> Math.max(lower, higher);
            case MIN -> Math.min(lower, higher);
            case SUM -> lower + higher;
            default -> lower * higher;
        };
    }
}
