package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Maximum, minimum, sum and product of a few elements of {@code double}, {@code long} or {@code int}, computed where
 * these lie, without arrays or views. The results have the same bits as those of {@link Elements#combine}, except for
 * the bits of a NaN.
 */
final class ShortVectors {
    /** The most elements for which {@link Kernels} uses this class. */
    static final int MOST_ELEMENTS = 8;

    private ShortVectors() {}

    /**
     * Sets {@code result[i]} to {@code lower[i] op higher[i]}, counted from the position of each buffer. Returns false,
     * and does nothing, if this class cannot compute it.
     */
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
     * Combines the one element of a message in the program's memory with the one at {@code otherAt} of a buffer in
     * native order. Returns false, and does nothing, if this class cannot compute it.
     *
     * @param own may be the same object as {@code result}
     */
    static boolean combineOne(
            Operator operator,
            BaseType base,
            Span own,
            ByteBuffer other,
            int otherAt,
            boolean isOwnLower,
            Span result) {
        if (operator.compareTo(Operator.PROD) > 0) {
            return false;
        }
        switch (base) {
            case DOUBLE -> {
                double mine = own.getDouble();
                double theirs = other.getDouble(otherAt);
                double combined = isOwnLower ? combine(operator, mine, theirs) : combine(operator, theirs, mine);
                // If both operands are NaNs, compiled code may give either one's bits, whatever their order here. So
                // any NaN becomes the same one.
                result.putDouble(combined == combined ? combined : Double.NaN);
            }
            case LONG -> {
                long mine = own.getLong();
                long theirs = other.getLong(otherAt);
                result.putLong(isOwnLower ? combine(operator, mine, theirs) : combine(operator, theirs, mine));
            }
            case INT -> {
                int mine = own.getInt();
                int theirs = other.getInt(otherAt);
                result.putInt(isOwnLower ? combine(operator, mine, theirs) : combine(operator, theirs, mine));
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
