package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.runtime.reduction.Reduction;

class KernelsTest {
    private static final List<Op> OPS =
            List.of(MPI.MAX, MPI.MIN, MPI.SUM, MPI.PROD, MPI.LAND, MPI.BAND, MPI.LOR, MPI.BOR, MPI.LXOR, MPI.BXOR);
    /**
     * The number of elements of each vector in the test of all pairs of type and operator: odd, and more than fit into
     * the scratch arrays of the code under test.
     */
    private static final int LENGTH = 8_209;

    private final Random random = new Random(7);

    @Test
    void shouldCombineEveryAllowedPairAsItsDefinitionSays() {
        int pairs = 0;
        for (Datatype type : Samples.TYPES) {
            for (Op op : OPS) {
                Reduction reduction = op.reduction(type);
                if (reduction == null) {
                    continue;
                }
                Object lower = Samples.filled(type, LENGTH, random);
                Object higher = Samples.filled(type, LENGTH, random);

                Object result = combine(reduction, type, lower, higher, pairs % 2 == 0);

                for (int i = 0; i < LENGTH; i++) {
                    Object expected = oracle(op, type, Array.get(lower, i), Array.get(higher, i));
                    if (!expected.equals(Array.get(result, i))) {
                        assertThat(Array.get(result, i))
                                .as("%s of %s and %s, %s", op, Array.get(lower, i), Array.get(higher, i), type)
                                .isEqualTo(expected);
                    }
                }
                pairs++;
            }
        }
        assertThat(pairs).isEqualTo(5 * 10 + 2 * 4 + 8);
    }

    @Test
    void shouldAllowExactlyThePairsThatMeanSomething() {
        for (Op op : OPS) {
            boolean arithmetic = Set.of(MPI.MAX, MPI.MIN, MPI.SUM, MPI.PROD).contains(op);
            boolean total = op == MPI.SUM || op == MPI.PROD;
            for (Datatype type : Samples.TYPES) {
                boolean floating = type == MPI.FLOAT || type == MPI.DOUBLE;
                boolean allowed = floating ? arithmetic : type != MPI.BOOLEAN || !total;
                assertThat(op.reduction(type) != null).as("%s of %s", op, type).isEqualTo(allowed);
            }
        }
    }

    @Test
    void shouldTouchNothingBeyondTheCount() {
        ByteBuffer in = ByteBuffer.allocateDirect(80).order(ByteOrder.nativeOrder());
        ByteBuffer inout = ByteBuffer.allocateDirect(80).order(ByteOrder.nativeOrder());
        for (int i = 0; i < 20; i++) {
            in.putInt(4 * i, 1);
            inout.putInt(4 * i, 10);
        }
        in.position(8);
        inout.position(4).limit(40);

        MPI.SUM.reduction(MPI.INT).apply(in, inout, 3);

        int[] ints = new int[20];
        inout.duplicate().order(ByteOrder.nativeOrder()).clear().asIntBuffer().get(ints);
        assertThat(ints).startsWith(10, 11, 11, 11, 10).hasSize(20);
        assertThat(inout.position()).isEqualTo(4);
        assertThat(in.position()).isEqualTo(8);
    }

    @Test
    void shouldLetANanWin() {
        double[] low = {Double.NaN, 1, 0.0};
        double[] high = {1, Double.NaN, -0.0};

        assertThat((double[]) combine(MPI.MAX.reduction(MPI.DOUBLE), MPI.DOUBLE, low, high, true))
                .containsExactly(Double.NaN, Double.NaN, 0.0);
        assertThat((double[]) combine(MPI.MIN.reduction(MPI.DOUBLE), MPI.DOUBLE, low, high, true))
                .containsExactly(Double.NaN, Double.NaN, -0.0);
    }

    static Stream<Arguments> typesOperatorsAndHolders() {
        return Samples.TYPES.stream().flatMap(type -> OPS.stream()
                .filter(op -> op.reduction(type) != null)
                .flatMap(op -> Samples.holders(type).stream().map(holder -> Arguments.of(type, op, holder))));
    }

    @ParameterizedTest(name = "{1} of {0}, {2}")
    @MethodSource("typesOperatorsAndHolders")
    void shouldCombineOneElementOfTwoRanksWhereTheProgramHasIt(Datatype type, Op op, Samples.Holder holder) {
        Reduction reduction = op.reduction(type);
        boolean isForThisWay = List.of(MPI.DOUBLE, MPI.LONG, MPI.INT).contains(type)
                && List.of(MPI.MAX, MPI.MIN, MPI.SUM, MPI.PROD).contains(op);
        for (int round = 0; round < 40; round++) {
            boolean isOwnLower = random.nextBoolean();
            int at = random.nextInt(3);
            Object mine = Samples.filled(type, 4, random);
            Object theirs = Samples.filled(type, 1, random);
            Object own = holder.make(type, 4);
            Object result = random.nextBoolean() ? own : holder.make(type, 4);
            Samples.set(type, own, mine);
            byte[] expected = Samples.encode(type, Samples.get(type, result, 4));
            ByteBuffer shared =
                    ByteBuffer.allocateDirect(24 + Samples.bytes(type)).order(ByteOrder.nativeOrder());
            shared.put(24, Samples.encode(type, theirs)).position(7);

            boolean isDone = reduction.combineOne(
                    new Span().set(own, at, 1, type), shared, 24, isOwnLower, new Span().set(result, at, 1, type));

            assertThat(isDone).isEqualTo(isForThisWay);
            if (isDone) {
                Object element = Samples.array(type, 1);
                Array.set(element, 0, Array.get(mine, at));
                Object combined = isOwnLower
                        ? combine(reduction, type, element, theirs, true)
                        : combine(reduction, type, theirs, element, true);
                System.arraycopy(
                        Samples.encode(type, combined), 0, expected, at * Samples.bytes(type), Samples.bytes(type));
            }
            assertThat(Samples.encode(type, Samples.get(type, result, 4))).isEqualTo(expected);
            assertThat(shared.position()).isEqualTo(7);
        }
    }

    @Test
    void shouldGiveTwoRanksTheSameBitsOfTwoNaNs() {
        double[] nans = {Double.longBitsToDouble(0xfff8000000000000L), Double.longBitsToDouble(0x7ff8000000000123L)};
        for (Op op : List.of(MPI.MAX, MPI.MIN, MPI.SUM, MPI.PROD)) {
            for (int round = 0; round < 20_000; round++) { // also as the second compiler has them
                long lower = combineOne(op, nans[0], nans[1], true);
                long higher = combineOne(op, nans[1], nans[0], false);
                if (lower != higher) {
                    assertThat(lower).as("%s in round %d", op, round).isEqualTo(higher);
                }
            }
        }
    }

    private static long combineOne(Op op, double mine, double theirs, boolean isOwnLower) {
        ByteBuffer shared =
                ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder()).putDouble(0, theirs);
        double[] data = {mine};
        Span span = new Span().set(data, 0, 1, MPI.DOUBLE);
        assertThat(op.reduction(MPI.DOUBLE).combineOne(span, shared, 0, isOwnLower, span))
                .isTrue();
        return Double.doubleToRawLongBits(data[0]);
    }

    private static Object combine(Reduction reduction, Datatype type, Object lower, Object higher, boolean direct) {
        ByteBuffer in = buffer(Samples.encode(type, lower), direct);
        ByteBuffer inout = buffer(Samples.encode(type, higher), direct);
        int length = Array.getLength(lower);
        reduction.apply(in, inout, length);
        return Samples.get(type, inout, length);
    }

    private static ByteBuffer buffer(byte[] bytes, boolean direct) {
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(bytes.length) : ByteBuffer.allocate(bytes.length);
        return buffer.put(bytes).flip().order(ByteOrder.nativeOrder());
    }

    private static Object oracle(Op op, Datatype type, Object a, Object b) {
        return switch (type.toString()) {
            case "MPI.BOOLEAN" -> truth(op, (Boolean) a, (Boolean) b);
            case "MPI.FLOAT" -> (float) floating(op, (Float) a, (Float) b);
            case "MPI.DOUBLE" -> floating(op, (Double) a, (Double) b);
            case "MPI.CHAR" ->
                (char) whole(op, unsigned((Character) a), unsigned((Character) b))
                        .intValue();
            case "MPI.BYTE" ->
                whole(op, unsigned(Byte.toUnsignedInt((Byte) a)), unsigned(Byte.toUnsignedInt((Byte) b)))
                        .byteValue();
            case "MPI.SHORT" -> whole(op, signed(a), signed(b)).shortValue();
            case "MPI.INT" -> whole(op, signed(a), signed(b)).intValue();
            default -> whole(op, signed(a), signed(b)).longValue();
        };
    }

    private static BigInteger unsigned(int value) {
        return BigInteger.valueOf(value);
    }

    private static BigInteger signed(Object value) {
        return BigInteger.valueOf(((Number) value).longValue());
    }

    private static BigInteger whole(Op op, BigInteger a, BigInteger b) {
        boolean first = a.signum() != 0;
        boolean second = b.signum() != 0;
        return switch (op.toString()) {
            case "MPI.MAX" -> a.max(b);
            case "MPI.MIN" -> a.min(b);
            case "MPI.SUM" -> a.add(b);
            case "MPI.PROD" -> a.multiply(b);
            case "MPI.BAND" -> a.and(b);
            case "MPI.BOR" -> a.or(b);
            case "MPI.BXOR" -> a.xor(b);
            case "MPI.LAND" -> BigInteger.valueOf(first && second ? 1 : 0);
            case "MPI.LOR" -> BigInteger.valueOf(first || second ? 1 : 0);
            default -> BigInteger.valueOf(first != second ? 1 : 0);
        };
    }

    /**
     * Combines two numbers as doubles. A float is exact as a double, and the caller rounds the result to float only
     * once.
     */
    private static double floating(Op op, double a, double b) {
        return switch (op.toString()) {
            case "MPI.MAX" -> a > b ? a : b;
            case "MPI.MIN" -> a < b ? a : b;
            case "MPI.SUM" -> a + b;
            default -> a * b;
        };
    }

    private static boolean truth(Op op, boolean a, boolean b) {
        return switch (op.toString()) {
            case "MPI.MIN", "MPI.LAND", "MPI.BAND" -> a && b;
            case "MPI.MAX", "MPI.LOR", "MPI.BOR" -> a || b;
            default -> a != b;
        };
    }
}
