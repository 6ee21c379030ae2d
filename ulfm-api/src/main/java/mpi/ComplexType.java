package mpi;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/** The types of complex numbers: a real and an imaginary part, side by side. */
enum ComplexType implements Combined {
    FLOAT_COMPLEX(BaseType.FLOAT) {
        @Override
        void multiply(ByteBuffer in, int from, ByteBuffer inout, int to) {
            float a = in.getFloat(from);
            float b = in.getFloat(from + Float.BYTES);
            float c = inout.getFloat(to);
            float d = inout.getFloat(to + Float.BYTES);
            inout.putFloat(to, a * c - b * d);
            inout.putFloat(to + Float.BYTES, a * d + b * c);
        }
    },
    DOUBLE_COMPLEX(BaseType.DOUBLE) {
        @Override
        void multiply(ByteBuffer in, int from, ByteBuffer inout, int to) {
            double a = in.getDouble(from);
            double b = in.getDouble(from + Double.BYTES);
            double c = inout.getDouble(to);
            double d = inout.getDouble(to + Double.BYTES);
            inout.putDouble(to, a * c - b * d);
            inout.putDouble(to + Double.BYTES, a * d + b * c);
        }
    };

    private static final Set<Operator> OPERATORS = EnumSet.of(Operator.SUM, Operator.PROD);

    final BaseType part;
    private final ComplexReduction sum = new ComplexReduction(this, Operator.SUM);
    private final ComplexReduction product = new ComplexReduction(this, Operator.PROD);

    ComplexType(BaseType part) {
        this.part = part;
    }

    /**
     * Replaces the number at {@code to} of {@code inout} by its product with the number at {@code from} of {@code in},
     * both in native order.
     */
    abstract void multiply(ByteBuffer in, int from, ByteBuffer inout, int to);

    @Override
    public TypeMap map() {
        return TypeMap.complex(part.elements.sizeBytes);
    }

    @Override
    public ComplexReduction reduction(Operator operator) {
        return operator == Operator.SUM ? sum : operator == Operator.PROD ? product : null;
    }

    @Override
    public Set<Operator> operators() {
        return OPERATORS;
    }
}
