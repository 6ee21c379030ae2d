package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks which of two pairs {@code MINLOC} and {@code MAXLOC} give, and that the result is the same, to the bit, in
 * whatever order two pairs and in whatever grouping three are combined.
 */
class PairReductionTest {
    private static final double[] VALUES = {
        1.5, -1.5, 0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
    };
    private static final long OTHER_NAN = 0xfff8_0000_0000_0000L;

    private static ByteBuffer pair(PairType type, double value, int index) {
        ByteBuffer pair = ByteBuffer.allocate(type.sizeBytes()).order(ByteOrder.nativeOrder());
        switch (type) {
            case INT2 -> pair.putInt(0, (int) value);
            case SHORT_INT -> pair.putShort(0, (short) value);
            case LONG_INT -> pair.putLong(0, (long) value);
            case FLOAT_INT -> pair.putFloat(0, (float) value);
            case DOUBLE_INT -> pair.putDouble(0, value);
        }
        return pair.putInt(type.valueBytes, index);
    }

    private static List<ByteBuffer> pairs(PairType type) {
        List<ByteBuffer> pairs = new ArrayList<>();
        for (double value : VALUES) {
            pairs.add(pair(type, value, 3));
            pairs.add(pair(type, value, 5));
        }
        if (type == PairType.DOUBLE_INT) {
            pairs.add(pair(type, 0, 3).putLong(0, OTHER_NAN));
        } else if (type == PairType.FLOAT_INT) {
            pairs.add(pair(type, 0, 3).putInt(0, (int) (OTHER_NAN >> 32)));
        }
        return pairs;
    }

    private static ByteBuffer combine(PairReduction reduction, ByteBuffer lower, ByteBuffer higher) {
        ByteBuffer inout = ByteBuffer.allocate(higher.capacity()).put(0, higher, 0, higher.capacity());
        reduction.apply(lower.duplicate(), inout, 1);
        return inout;
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotDependOnOrderOrGrouping(PairType type) {
        for (Operator operator : type.operators()) {
            PairReduction reduction = type.reduction(operator);
            List<ByteBuffer> pairs = pairs(type);
            for (ByteBuffer a : pairs) {
                for (ByteBuffer b : pairs) {
                    ByteBuffer both = combine(reduction, a, b);
                    assertThat(both).isIn(a, b).isEqualTo(combine(reduction, b, a));
                    for (ByteBuffer c : pairs) {
                        assertThat(combine(reduction, both, c))
                                .isEqualTo(combine(reduction, a, combine(reduction, b, c)));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        // The columns: lower operand's value and index, higher operand's value and index, and which of the two pairs
        // MINLOC and MAXLOC give.
        "1.5, 2, 2.5, 1, lower, higher",
        "2.5, 2, 2.5, 1, higher, higher",
        "2.5, 1, 2.5, 2, lower, lower",
        "0.0, 1, -0.0, 2, lower, lower",
        "0.0, 2, -0.0, 1, higher, higher",
        "NaN, 2, 1.0, 1, lower, lower",
        "1.0, 1, NaN, 2, higher, higher",
        "-Infinity, 1, NaN, 2, higher, higher",
        "NaN, 1, NaN, 2, lower, lower",
        "NaN, 2, NaN, 1, higher, higher",
    })
    void shouldLetANanWinAndOfEqualValuesTheSmallerIndex(
            double lower, int lowerIndex, double higher, int higherIndex, String smallest, String largest) {
        for (PairType type : new PairType[] {PairType.FLOAT_INT, PairType.DOUBLE_INT}) {
            ByteBuffer a = pair(type, lower, lowerIndex);
            ByteBuffer b = pair(type, higher, higherIndex);
            assertThat(combine(type.reduction(Operator.MINLOC), a, b)).isEqualTo(smallest.equals("lower") ? a : b);
            assertThat(combine(type.reduction(Operator.MAXLOC), a, b)).isEqualTo(largest.equals("lower") ? a : b);
        }
    }
}
