package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The commonest operators on a few elements where they lie, without arrays or views. The results have the same bits as
 * those of {@link Elements#combine}.
 */
final class ShortVectors {
    /** The most elements. With more of them the loops over arrays are faster. */
    static final int MOST_ELEMENTS = 8;

    private ShortVectors() {}

    /** Does {@code result[i] = lower[i] op higher[i]}, from the positions on. False if this class cannot do it. */
    static boolean combine(
            Operator operator, BaseType base, ByteBuffer lower, ByteBuffer higher, ByteBuffer result, int count) {
        if (operator.compareTo(Operator.PROD) > 0 || !isNative(lower) || !isNative(higher) || !isNative(result)) {
            return false;
        }
        int a = lower.position();
        int b = higher.position();
        int to = result.position();
        switch (base) {
            case DOUBLE -> {
                for (int i = 0; i < count * Double.BYTES; i += Double.BYTES) {
                    result.putDouble(to + i, combine(operator, lower.getDouble(a + i), higher.getDouble(b + i)));
                }
            }
            case LONG -> {
                for (int i = 0; i < count * Long.BYTES; i += Long.BYTES) {
                    result.putLong(to + i, combine(operator, lower.getLong(a + i), higher.getLong(b + i)));
                }
            }
            case INT -> {
                for (int i = 0; i < count * Integer.BYTES; i += Integer.BYTES) {
                    result.putInt(to + i, combine(operator, lower.getInt(a + i), higher.getInt(b + i)));
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /**
     * As the other {@code combine}, from the given places on, with the result in the program's memory. The buffers are
     * in native order.
     */
    static boolean combine(
            Operator operator,
            BaseType base,
            ByteBuffer lower,
            int lowerAt,
            ByteBuffer higher,
            int higherAt,
            int count,
            Span result) {
        if (operator.compareTo(Operator.PROD) > 0) {
            return false;
        }
        switch (base) {
            case DOUBLE -> {
                for (int i = 0; i < count; i++) {
                    int at = i * Double.BYTES;
                    double lowerItem = lower.getDouble(lowerAt + at);
                    result.putDouble(i, combine(operator, lowerItem, higher.getDouble(higherAt + at)));
                }
            }
            case LONG -> {
                for (int i = 0; i < count; i++) {
                    int at = i * Long.BYTES;
                    long lowerItem = lower.getLong(lowerAt + at);
                    result.putLong(i, combine(operator, lowerItem, higher.getLong(higherAt + at)));
                }
            }
            case INT -> {
                for (int i = 0; i < count; i++) {
                    int at = i * Integer.BYTES;
                    int lowerItem = lower.getInt(lowerAt + at);
                    result.putInt(i, combine(operator, lowerItem, higher.getInt(higherAt + at)));
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static boolean isNative(ByteBuffer buffer) {
        return buffer.order() == ByteOrder.nativeOrder();
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
