package org.ulfmj.testkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import mpi.MPI;

/**
 * Kinds of buffers in which a program may hold ints: an array, a direct IntBuffer, a direct and a heap ByteBuffer, and
 * a slice of an array.
 */
enum Ints {
    ARRAY {
        @Override
        Object of(int... values) {
            return values.clone();
        }
    },
    DIRECT {
        @Override
        Object of(int... values) {
            return MPI.newIntBuffer(values.length).put(values).clear();
        }
    },
    DIRECT_BYTES {
        @Override
        Object of(int... values) {
            ByteBuffer bytes = MPI.newByteBuffer(values.length * Integer.BYTES);
            bytes.asIntBuffer().put(values);
            return bytes;
        }
    },
    HEAP_BYTES {
        @Override
        Object of(int... values) {
            ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES);
            bytes.order(ByteOrder.nativeOrder()).asIntBuffer().put(values);
            return bytes;
        }
    },
    SLICE {
        @Override
        Object of(int... values) {
            int[] whole = new int[values.length + 2];
            System.arraycopy(values, 0, whole, 2, values.length);
            return MPI.slice(whole, 2);
        }
    };

    abstract Object of(int... values);

    /** All that a holder holds. */
    static int[] in(Object holder) {
        if (holder instanceof int[] array) {
            return array;
        }
        IntBuffer ints = holder instanceof ByteBuffer bytes
                ? bytes.duplicate().clear().order(ByteOrder.nativeOrder()).asIntBuffer()
                : ((IntBuffer) holder).duplicate().clear();
        int[] values = new int[ints.remaining()];
        ints.get(values);
        return values;
    }
}
