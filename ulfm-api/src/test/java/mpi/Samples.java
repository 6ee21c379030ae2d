package mpi;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;

/**
 * Arrays and buffers of every kind. Reads and writes their elements one by one, by code of its own, for tests to
 * compare the library with.
 */
final class Samples {
    static final List<Datatype> TYPES =
            List.of(MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.BOOLEAN, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE);

    private Samples() {}

    static int bytes(Datatype type) {
        return switch (type.toString()) {
            case "MPI.BYTE", "MPI.BOOLEAN" -> 1;
            case "MPI.CHAR", "MPI.SHORT" -> 2;
            case "MPI.INT", "MPI.FLOAT" -> 4;
            default -> 8;
        };
    }

    static Object array(Datatype type, int length) {
        return switch (type.toString()) {
            case "MPI.BYTE" -> new byte[length];
            case "MPI.CHAR" -> new char[length];
            case "MPI.SHORT" -> new short[length];
            case "MPI.BOOLEAN" -> new boolean[length];
            case "MPI.INT" -> new int[length];
            case "MPI.LONG" -> new long[length];
            case "MPI.FLOAT" -> new float[length];
            default -> new double[length];
        };
    }

    /** Random elements, small and great ones. */
    static Object filled(Datatype type, int length, Random random) {
        Object array = array(type, length);
        for (int i = 0; i < length; i++) {
            Array.set(array, i, element(type, random));
        }
        return array;
    }

    private static Object element(Datatype type, Random random) {
        boolean small = random.nextBoolean();
        long whole = small ? random.nextInt(5) - 2 : random.nextLong();
        return switch (type.toString()) {
            case "MPI.BYTE" -> (byte) whole;
            case "MPI.CHAR" -> (char) whole;
            case "MPI.SHORT" -> (short) whole;
            case "MPI.BOOLEAN" -> random.nextBoolean();
            case "MPI.INT" -> (int) whole;
            case "MPI.LONG" -> whole;
            case "MPI.FLOAT" -> small ? (float) whole : random.nextFloat() * 1000 - 500;
            default -> small ? (double) whole : random.nextDouble() * 1000 - 500;
        };
    }

    /** Returns the elements of an array as bytes in native order, written one by one. */
    static byte[] encode(Datatype type, Object array) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Array.getLength(array) * bytes(type)).order(ByteOrder.nativeOrder());
        for (int i = 0; i < Array.getLength(array); i++) {
            Object element = Array.get(array, i);
            switch (type.toString()) {
                case "MPI.BYTE" -> bytes.put((Byte) element);
                case "MPI.CHAR" -> bytes.putChar((Character) element);
                case "MPI.SHORT" -> bytes.putShort((Short) element);
                case "MPI.BOOLEAN" -> bytes.put((byte) ((Boolean) element ? 1 : 0));
                case "MPI.INT" -> bytes.putInt((Integer) element);
                case "MPI.LONG" -> bytes.putLong((Long) element);
                case "MPI.FLOAT" -> bytes.putFloat((Float) element);
                default -> bytes.putDouble((Double) element);
            }
        }
        return bytes.array();
    }

    /** A named way to hold elements. */
    record Holder(String name, BiFunction<Datatype, Integer, Object> maker) {
        Object make(Datatype type, int length) {
            return maker.apply(type, length);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Holder> holders(Datatype type) {
        List<Holder> holders = new ArrayList<>();
        holders.add(new Holder("array", Samples::array));
        holders.add(new Holder("direct bytes", (t, n) -> direct(t, n, ByteOrder.nativeOrder())));
        holders.add(new Holder("direct bytes of foreign order", (t, n) -> direct(t, n, foreign())));
        holders.add(new Holder("heap bytes", (t, n) -> ByteBuffer.allocate(n * bytes(t))));
        holders.add(new Holder("slice of heap bytes", (t, n) -> {
            ByteBuffer whole = ByteBuffer.allocate(n * bytes(t) + 5);
            return whole.position(5).slice();
        }));
        holders.add(new Holder(
                "direct bytes with a position and a limit", (t, n) -> limited(direct(t, n, ByteOrder.nativeOrder()))));
        if (type != MPI.BYTE && type != MPI.BOOLEAN) {
            holders.add(new Holder("direct", (t, n) -> view(t, direct(t, n, ByteOrder.nativeOrder()))));
            holders.add(new Holder("direct of foreign order", (t, n) -> view(t, direct(t, n, foreign()))));
            holders.add(new Holder("view of heap bytes", (t, n) -> view(t, ByteBuffer.allocate(n * bytes(t)))));
            holders.add(new Holder("heap", (t, n) -> wrap(t, array(t, n))));
            holders.add(new Holder("slice of array", (t, n) -> slice(t, array(t, n + 3), 3)));
            holders.add(new Holder("heap with a position and a limit", (t, n) -> limited(wrap(t, array(t, n)))));
        }
        return holders;
    }

    private static ByteBuffer direct(Datatype type, int length, ByteOrder order) {
        return ByteBuffer.allocateDirect(length * bytes(type)).order(order);
    }

    private static ByteOrder foreign() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    private static Buffer limited(Buffer buffer) {
        return buffer.limit(buffer.capacity() / 2).position(buffer.capacity() / 4);
    }

    private static Buffer view(Datatype type, ByteBuffer bytes) {
        return switch (type.toString()) {
            case "MPI.CHAR" -> bytes.asCharBuffer();
            case "MPI.SHORT" -> bytes.asShortBuffer();
            case "MPI.INT" -> bytes.asIntBuffer();
            case "MPI.LONG" -> bytes.asLongBuffer();
            case "MPI.FLOAT" -> bytes.asFloatBuffer();
            default -> bytes.asDoubleBuffer();
        };
    }

    private static Buffer wrap(Datatype type, Object array) {
        return switch (type.toString()) {
            case "MPI.CHAR" -> CharBuffer.wrap((char[]) array);
            case "MPI.SHORT" -> ShortBuffer.wrap((short[]) array);
            case "MPI.INT" -> IntBuffer.wrap((int[]) array);
            case "MPI.LONG" -> LongBuffer.wrap((long[]) array);
            case "MPI.FLOAT" -> FloatBuffer.wrap((float[]) array);
            default -> DoubleBuffer.wrap((double[]) array);
        };
    }

    static Buffer slice(Datatype type, Object array, int offset) {
        return switch (type.toString()) {
            case "MPI.BYTE" -> MPI.slice((byte[]) array, offset);
            case "MPI.CHAR" -> MPI.slice((char[]) array, offset);
            case "MPI.SHORT" -> MPI.slice((short[]) array, offset);
            case "MPI.INT" -> MPI.slice((int[]) array, offset);
            case "MPI.LONG" -> MPI.slice((long[]) array, offset);
            case "MPI.FLOAT" -> MPI.slice((float[]) array, offset);
            default -> MPI.slice((double[]) array, offset);
        };
    }

    /** Sets the elements of an array or buffer of any kind, one by one from element 0 on. */
    static void set(Datatype type, Object holder, Object array) {
        if (holder instanceof ByteBuffer bytes) {
            byte[] encoded = encode(type, array);
            for (int i = 0; i < encoded.length; i++) {
                bytes.duplicate().clear().put(i, encoded[i]);
            }
            return;
        }
        for (int i = 0; i < Array.getLength(array); i++) {
            Object element = Array.get(array, i);
            if (holder.getClass().isArray()) {
                Array.set(holder, i, element);
            } else if (holder instanceof CharBuffer typed) {
                typed.duplicate().clear().put(i, (Character) element);
            } else if (holder instanceof ShortBuffer typed) {
                typed.duplicate().clear().put(i, (Short) element);
            } else if (holder instanceof IntBuffer typed) {
                typed.duplicate().clear().put(i, (Integer) element);
            } else if (holder instanceof LongBuffer typed) {
                typed.duplicate().clear().put(i, (Long) element);
            } else if (holder instanceof FloatBuffer typed) {
                typed.duplicate().clear().put(i, (Float) element);
            } else {
                ((DoubleBuffer) holder).duplicate().clear().put(i, (Double) element);
            }
        }
    }

    /** Returns the first elements of an array or buffer of any kind as an array. */
    static Object get(Datatype type, Object holder, int length) {
        Object array = array(type, length);
        for (int i = 0; i < length; i++) {
            Array.set(array, i, element(type, holder, i));
        }
        return array;
    }

    private static Object element(Datatype type, Object holder, int i) {
        if (holder instanceof ByteBuffer bytes) {
            ByteBuffer all = bytes.duplicate().clear().order(ByteOrder.nativeOrder());
            int at = i * bytes(type);
            return switch (type.toString()) {
                case "MPI.BYTE" -> all.get(at);
                case "MPI.CHAR" -> all.getChar(at);
                case "MPI.SHORT" -> all.getShort(at);
                case "MPI.BOOLEAN" -> all.get(at) != 0;
                case "MPI.INT" -> all.getInt(at);
                case "MPI.LONG" -> all.getLong(at);
                case "MPI.FLOAT" -> all.getFloat(at);
                default -> all.getDouble(at);
            };
        }
        if (holder.getClass().isArray()) {
            return Array.get(holder, i);
        } else if (holder instanceof CharBuffer typed) {
            return typed.duplicate().clear().get(i);
        } else if (holder instanceof ShortBuffer typed) {
            return typed.duplicate().clear().get(i);
        } else if (holder instanceof IntBuffer typed) {
            return typed.duplicate().clear().get(i);
        } else if (holder instanceof LongBuffer typed) {
            return typed.duplicate().clear().get(i);
        } else if (holder instanceof FloatBuffer typed) {
            return typed.duplicate().clear().get(i);
        }
        return ((DoubleBuffer) holder).duplicate().clear().get(i);
    }
}
