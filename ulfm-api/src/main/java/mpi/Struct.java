package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A datatype of named fields that a program reads and writes in a {@link ByteBuffer} or {@code byte[]}, as structs in
 * C. A subclass adds its fields when it is made, keeps the offsets that it gets for them, and has a class of views that
 * extends {@link Data}:
 *
 * <pre>{@code
 * final class Particle extends Struct {
 *     private final int place = addDouble(3);
 *     private final int charge = addInt();
 *
 *     @Override
 *     protected Data newData() {
 *         return new Data();
 *     }
 *
 *     final class Data extends Struct.Data {
 *         double place(int axis) {
 *             return getDouble(place, axis);
 *         }
 *
 *         void charge(int value) {
 *             putInt(charge, value);
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>Fields lie side by side, without the gaps that a compiler of C would leave between them; {@link #setOffset} leaves
 * gaps. Only the extent is rounded up as in C. Numbers are in native byte order; the order of a buffer does not count.
 * Fields may be added until the type is made, which {@link #getType}, {@link #getExtent} and {@link #getData} do. A
 * struct may be made before {@link MPI#Init}. After the type is made all threads may use the struct; a view belongs to
 * one thread.
 */
public abstract class Struct {
    /** @param type a {@link Datatype} or a {@link Struct} */
    private record Field(Object type, int offset, int extentBytes, int length) {}

    private final List<Field> fields = new ArrayList<>();
    /** Where the next field begins. */
    private int end;

    private Datatype type;
    /** The distance in bytes from one struct to the next, once the type is made. */
    private int extent;

    /** Makes a struct without fields. */
    public Struct() {}

    /**
     * Returns the extent of the type in bytes: how far structs in a row lie apart. Makes the type.
     *
     * <p>{@code MPI_Type_get_extent}, MPI 3.1 section 4.1.7.
     */
    public final int getExtent() {
        getType();
        return extent;
    }

    /**
     * Returns the datatype of this struct, committed; always the same one. Its base is {@link MPI#BYTE}. For
     * {@link MPI#doubleInt} and the like it is the constant, such as {@link MPI#DOUBLE_INT}.
     *
     * <p>{@code MPI_Type_create_struct}, MPI 3.1 section 4.1.2.
     */
    public final synchronized Datatype getType() {
        if (type == null) {
            Datatype made = makeType();
            extent = (int) made.map().extent();
            type = made;
        }
        return type;
    }

    /** Makes the committed type of all fields. */
    Datatype makeType() {
        int[] lengths = new int[fields.size()];
        int[] offsets = new int[fields.size()];
        Datatype[] types = new Datatype[fields.size()];
        for (int i = 0; i < types.length; i++) {
            Field field = fields.get(i);
            lengths[i] = field.length;
            offsets[i] = field.offset;
            types[i] = field.type instanceof Struct struct ? struct.getType() : (Datatype) field.type;
        }
        Datatype made = Datatype.createStruct(lengths, offsets, types);
        made.commit();
        return made;
    }

    /**
     * Returns a new object of the class of views by which a program reads and writes fields. It points at no struct
     * yet; {@link #getData} calls this method and points the view at one.
     */
    protected abstract Data newData();

    /**
     * Returns a view of the struct at the beginning of a buffer.
     *
     * @param <T> the class of {@link #newData}
     * @throws MPIException of class {@link MPI#ERR_BUFFER} if {@code buffer} is null or too small for a struct
     */
    public final <T extends Data> T getData(ByteBuffer buffer) {
        return view(buffer, 0);
    }

    /**
     * Returns a view of struct number {@code index} of those in a buffer, which lie one after the other by their
     * extent.
     *
     * @param <T> the class of {@link #newData}
     * @throws MPIException of class {@link MPI#ERR_BUFFER} if {@code buffer} is null or does not hold that struct
     */
    public final <T extends Data> T getData(ByteBuffer buffer, int index) {
        return view(buffer, index);
    }

    /**
     * Returns a view of the struct at the beginning of an array.
     *
     * @param <T> the class of {@link #newData}
     * @throws MPIException of class {@link MPI#ERR_BUFFER} if {@code array} is null or too small for a struct
     */
    public final <T extends Data> T getData(byte[] array) {
        return view(wrapped(array), 0);
    }

    /**
     * Returns a view of struct number {@code index} of those in an array, which lie one after the other by their
     * extent.
     *
     * @param <T> the class of {@link #newData}
     * @throws MPIException of class {@link MPI#ERR_BUFFER} if {@code array} is null or does not hold that struct
     */
    public final <T extends Data> T getData(byte[] array, int index) {
        return view(wrapped(array), index);
    }

    private static ByteBuffer wrapped(byte[] array) {
        return array == null ? null : ByteBuffer.wrap(array).order(ByteOrder.nativeOrder());
    }

    private <T extends Data> T view(ByteBuffer buffer, int index) {
        getType();
        if (buffer == null) {
            throw bad("getData", MPI.ERR_BUFFER, "the buffer is null; allowed: a ByteBuffer or a byte[]");
        }
        long end = ((long) index + 1) * extent;
        if (index < 0 || end > buffer.capacity()) {
            int most = extent == 0 ? Integer.MAX_VALUE : buffer.capacity() / extent;
            throw bad(
                    "getData",
                    MPI.ERR_BUFFER,
                    "index is " + index + " and the buffer holds " + most + " structs of " + extent
                            + " bytes; allowed: a struct within the buffer");
        }
        return viewAt(buffer, index * extent);
    }

    @SuppressWarnings("unchecked") // The program names the class that its newData returns.
    private <T extends Data> T viewAt(ByteBuffer buffer, int offset) {
        Data data = newData();
        data.point(buffer, offset);
        return (T) data;
    }

    /**
     * Sets where the next field begins, in bytes. Local.
     *
     * @return this struct
     * @throws MPIException of class {@link MPI#ERR_ARG} if {@code offset} lies before the end of the last field or
     *     before an offset that was set since; {@link MPI#ERR_TYPE} if the type of this struct was made already
     */
    public final Struct setOffset(int offset) {
        requireOpen("setOffset");
        if (offset < end) {
            throw bad(
                    "setOffset", MPI.ERR_ARG, "offset is " + offset + "; allowed: " + end + " to " + Integer.MAX_VALUE);
        }
        end = offset;
        return this;
    }

    /**
     * Adds a field of a {@code byte} and returns the offset of the field. Local.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if the type of this struct was made already
     */
    public final int addByte() {
        return addByte(1);
    }

    /**
     * Adds a field of {@code length} {@code byte}s and returns the offset of the field. Local.
     *
     * @throws MPIException as {@link #addByte()}; of class {@link MPI#ERR_ARG} if {@code length} is negative
     */
    public final int addByte(int length) {
        return add("addByte", MPI.BYTE, Byte.BYTES, length);
    }

    /**
     * Adds a field of a {@code char} and returns the offset of the field. Local.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if the type of this struct was made already
     */
    public final int addChar() {
        return addChar(1);
    }

    /**
     * Adds a field of {@code length} {@code char}s and returns the offset of the field. Local.
     *
     * @throws MPIException as {@link #addChar()}; of class {@link MPI#ERR_ARG} if {@code length} is negative
     */
    public final int addChar(int length) {
        return add("addChar", MPI.CHAR, Character.BYTES, length);
    }

    /**
     * Adds a field of a {@code short} and returns the offset of the field. Local.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if the type of this struct was made already
     */
    public final int addShort() {
        return addShort(1);
    }

    /**
     * Adds a field of {@code length} {@code short}s and returns the offset of the field. Local.
     *
     * @throws MPIException as {@link #addShort()}; of class {@link MPI#ERR_ARG} if {@code length} is negative
     */
    public final int addShort(int length) {
        return add("addShort", MPI.SHORT, Short.BYTES, length);
    }

    /**
     * Adds a field of a {@code int} and returns the offset of the field. Local.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if the type of this struct was made already
     */
    public final int addInt() {
        return addInt(1);
    }

    /**
     * Adds a field of {@code length} {@code int}s and returns the offset of the field. Local.
     *
     * @throws MPIException as {@link #addInt()}; of class {@link MPI#ERR_ARG} if {@code length} is negative
     */
    public final int addInt(int length) {
        return add("addInt", MPI.INT, Integer.BYTES, length);
    }

    /**
     * Adds a field of a {@code long} and returns the offset of the field. Local.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if the type of this struct was made already
     */
    public final int addLong() {
        return addLong(1);
    }

    /**
     * Adds a field of {@code length} {@code long}s and returns the offset of the field. Local.
     *
     * @throws MPIException as {@link #addLong()}; of class {@link MPI#ERR_ARG} if {@code length} is negative
     */
    public final int addLong(int length) {
        return add("addLong", MPI.LONG, Long.BYTES, length);
    }

    /**
     * Adds a field of a {@code float} and returns the offset of the field. Local.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if the type of this struct was made already
     */
    public final int addFloat() {
        return addFloat(1);
    }

    /**
     * Adds a field of {@code length} {@code float}s and returns the offset of the field. Local.
     *
     * @throws MPIException as {@link #addFloat()}; of class {@link MPI#ERR_ARG} if {@code length} is negative
     */
    public final int addFloat(int length) {
        return add("addFloat", MPI.FLOAT, Float.BYTES, length);
    }

    /**
     * Adds a field of a {@code double} and returns the offset of the field. Local.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if the type of this struct was made already
     */
    public final int addDouble() {
        return addDouble(1);
    }

    /**
     * Adds a field of {@code length} {@code double}s and returns the offset of the field. Local.
     *
     * @throws MPIException as {@link #addDouble()}; of class {@link MPI#ERR_ARG} if {@code length} is negative
     */
    public final int addDouble(int length) {
        return add("addDouble", MPI.DOUBLE, Double.BYTES, length);
    }

    /**
     * Adds a field of another struct and returns the offset of the field. Makes the type of that struct. Local.
     *
     * @throws MPIException as {@link #addByte()}; of class {@link MPI#ERR_ARG} if {@code struct} is null
     */
    public final int addStruct(Struct struct) {
        return addStruct(struct, 1);
    }

    /**
     * Adds a field of {@code length} structs and returns the offset of the field. Makes the type of these structs.
     * Local.
     *
     * @throws MPIException as {@link #addByte(int)}; of class {@link MPI#ERR_ARG} if {@code struct} is null
     */
    public final int addStruct(Struct struct, int length) {
        if (struct == null) {
            throw bad("addStruct", MPI.ERR_ARG, "struct is null; allowed: a Struct");
        }
        struct.getType();
        return add("addStruct", struct, struct.extent, length);
    }

    /**
     * Adds a field of a datatype and returns the offset of the field. Local.
     *
     * @throws MPIException as {@link #addByte()}; also of class {@link MPI#ERR_TYPE} if {@code type} is null or freed
     */
    public final int addData(Datatype type) {
        return addData(type, 1);
    }

    /**
     * Adds a field of {@code length} items of a datatype, one after the other by its extent, and returns the offset of
     * the field. Local.
     *
     * @throws MPIException as {@link #addByte(int)}; also of class {@link MPI#ERR_TYPE} if {@code type} is null or
     *     freed
     */
    public final int addData(Datatype type, int length) {
        if (type == null || type.isNull()) {
            throw bad("addData", MPI.ERR_TYPE, "type is " + type + "; allowed: a datatype such as MPI.INT");
        }
        long extentBytes = type.map().extent();
        if (extentBytes != (int) extentBytes) {
            throw bad(
                    "addData",
                    MPI.ERR_COUNT,
                    "the extent of " + type + " is " + extentBytes + " bytes; allowed: up to " + Integer.MAX_VALUE);
        }
        return add("addData", type, (int) extentBytes, length);
    }

    private synchronized int add(String call, Object fieldType, int extentBytes, int length) {
        requireOpen(call);
        if (length < 0) {
            throw bad(call, MPI.ERR_ARG, "length is " + length + "; allowed: 0 to " + Integer.MAX_VALUE);
        }
        long newEnd = end + (long) extentBytes * length;
        if (newEnd > Integer.MAX_VALUE - Long.BYTES || newEnd < end) {
            throw bad(
                    call,
                    MPI.ERR_COUNT,
                    "length is " + length + ", so that the struct has " + newEnd + " bytes; allowed: " + end + " to "
                            + (Integer.MAX_VALUE - Long.BYTES));
        }
        int offset = end;
        fields.add(new Field(fieldType, offset, extentBytes, length));
        end = (int) newEnd;
        return offset;
    }

    private synchronized void requireOpen(String call) {
        if (type != null) {
            throw bad(
                    call,
                    MPI.ERR_TYPE,
                    "the type of this " + getClass().getName()
                            + " was made already; allowed: calls before getType, getExtent and getData");
        }
    }

    private static MPIException bad(String call, int errorClass, String problem) {
        return Exceptions.withoutCommunicator("Struct." + call, errorClass, problem);
    }

    /** A view of one struct in a buffer. A subclass reads and writes fields by their offsets. */
    public abstract class Data {
        private ByteBuffer given;
        private ByteBuffer memory;
        private int offset;

        /** Called by {@link Struct#newData}. The view points at no struct before {@link Struct#getData} returns it. */
        public Data() {}

        private void point(ByteBuffer buffer, int at) {
            given = buffer;
            memory = buffer.duplicate().clear().order(ByteOrder.nativeOrder());
            offset = at;
        }

        /**
         * Returns a buffer that has the struct: if the struct is at byte 0 of the buffer that this view was made of,
         * that buffer, or one that shares the content of the array; else a slice that begins at the struct.
         */
        public final ByteBuffer getBuffer() {
            return offset == 0 ? given : from(offset);
        }

        private ByteBuffer from(int at) {
            return memory.slice(at, memory.capacity() - at).order(ByteOrder.nativeOrder());
        }

        /** Returns the buffer from a field's item on; the field was added by {@link Struct#addData} with length 1. */
        protected final ByteBuffer getBuffer(Datatype type, int field) {
            return getBuffer(type, field, 0);
        }

        /**
         * Returns the buffer from item {@code index} of a field on; the field was added by {@link Struct#addData}.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such item in it
         */
        protected final ByteBuffer getBuffer(Datatype type, int field, int index) {
            return from(place("getBuffer", field, index, type));
        }

        /**
         * Returns a view of the struct in a field that was added by {@link Struct#addStruct} with length 1.
         *
         * @param <S> the class of the struct
         * @param <D> the class of its views
         */
        protected final <S extends Struct, D extends Data> D getData(S struct, int field) {
            return getData(struct, field, 0);
        }

        /**
         * Returns a view of struct number {@code index} in a field that was added by {@link Struct#addStruct}.
         *
         * @param <S> the class of the struct
         * @param <D> the class of its views
         * @throws IndexOutOfBoundsException if there is no such field, or no such struct in it
         */
        protected final <S extends Struct, D extends Data> D getData(S struct, int field, int index) {
            int at = place("getData", field, index, struct);
            Struct inner = struct;
            return inner.viewAt(memory, at);
        }

        /** Returns the {@code byte} in a field of length 1. */
        protected final byte getByte(int field) {
            return getByte(field, 0);
        }

        /**
         * Returns one {@code byte} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code byte} in it
         */
        protected final byte getByte(int field, int index) {
            return memory.get(place("getByte", field, index, MPI.BYTE));
        }

        /** Sets the {@code byte} in a field of length 1. */
        protected final void putByte(int field, byte value) {
            putByte(field, 0, value);
        }

        /**
         * Sets one {@code byte} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code byte} in it
         */
        protected final void putByte(int field, int index, byte value) {
            memory.put(place("putByte", field, index, MPI.BYTE), value);
        }

        /** Returns the {@code char} in a field of length 1. */
        protected final char getChar(int field) {
            return getChar(field, 0);
        }

        /**
         * Returns one {@code char} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code char} in it
         */
        protected final char getChar(int field, int index) {
            return memory.getChar(place("getChar", field, index, MPI.CHAR));
        }

        /** Sets the {@code char} in a field of length 1. */
        protected final void putChar(int field, char value) {
            putChar(field, 0, value);
        }

        /**
         * Sets one {@code char} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code char} in it
         */
        protected final void putChar(int field, int index, char value) {
            memory.putChar(place("putChar", field, index, MPI.CHAR), value);
        }

        /** Returns the {@code short} in a field of length 1. */
        protected final short getShort(int field) {
            return getShort(field, 0);
        }

        /**
         * Returns one {@code short} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code short} in it
         */
        protected final short getShort(int field, int index) {
            return memory.getShort(place("getShort", field, index, MPI.SHORT));
        }

        /** Sets the {@code short} in a field of length 1. */
        protected final void putShort(int field, short value) {
            putShort(field, 0, value);
        }

        /**
         * Sets one {@code short} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code short} in it
         */
        protected final void putShort(int field, int index, short value) {
            memory.putShort(place("putShort", field, index, MPI.SHORT), value);
        }

        /** Returns the {@code int} in a field of length 1. */
        protected final int getInt(int field) {
            return getInt(field, 0);
        }

        /**
         * Returns one {@code int} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code int} in it
         */
        protected final int getInt(int field, int index) {
            return memory.getInt(place("getInt", field, index, MPI.INT));
        }

        /** Sets the {@code int} in a field of length 1. */
        protected final void putInt(int field, int value) {
            putInt(field, 0, value);
        }

        /**
         * Sets one {@code int} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code int} in it
         */
        protected final void putInt(int field, int index, int value) {
            memory.putInt(place("putInt", field, index, MPI.INT), value);
        }

        /** Returns the {@code long} in a field of length 1. */
        protected final long getLong(int field) {
            return getLong(field, 0);
        }

        /**
         * Returns one {@code long} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code long} in it
         */
        protected final long getLong(int field, int index) {
            return memory.getLong(place("getLong", field, index, MPI.LONG));
        }

        /** Sets the {@code long} in a field of length 1. */
        protected final void putLong(int field, long value) {
            putLong(field, 0, value);
        }

        /**
         * Sets one {@code long} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code long} in it
         */
        protected final void putLong(int field, int index, long value) {
            memory.putLong(place("putLong", field, index, MPI.LONG), value);
        }

        /** Returns the {@code float} in a field of length 1. */
        protected final float getFloat(int field) {
            return getFloat(field, 0);
        }

        /**
         * Returns one {@code float} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code float} in it
         */
        protected final float getFloat(int field, int index) {
            return memory.getFloat(place("getFloat", field, index, MPI.FLOAT));
        }

        /** Sets the {@code float} in a field of length 1. */
        protected final void putFloat(int field, float value) {
            putFloat(field, 0, value);
        }

        /**
         * Sets one {@code float} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code float} in it
         */
        protected final void putFloat(int field, int index, float value) {
            memory.putFloat(place("putFloat", field, index, MPI.FLOAT), value);
        }

        /** Returns the {@code double} in a field of length 1. */
        protected final double getDouble(int field) {
            return getDouble(field, 0);
        }

        /**
         * Returns one {@code double} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code double} in it
         */
        protected final double getDouble(int field, int index) {
            return memory.getDouble(place("getDouble", field, index, MPI.DOUBLE));
        }

        /** Sets the {@code double} in a field of length 1. */
        protected final void putDouble(int field, double value) {
            putDouble(field, 0, value);
        }

        /**
         * Sets one {@code double} of a field.
         *
         * @throws IndexOutOfBoundsException if there is no such field, or no such {@code double} in it
         */
        protected final void putDouble(int field, int index, double value) {
            memory.putDouble(place("putDouble", field, index, MPI.DOUBLE), value);
        }

        /** Returns the byte of the buffer at which item {@code index} of a field begins. */
        private int place(String call, int field, int index, Object wanted) {
            Field found = find(call, field, wanted);
            if (index < 0 || index >= found.length) {
                throw new IndexOutOfBoundsException(call + ": index is " + index + " in the field at " + field
                        + "; allowed: 0 to " + (found.length - 1));
            }
            return offset + field + index * found.extentBytes;
        }

        /** Finds the field at an offset by a binary search; fields are in ascending order of their offsets. */
        private Field find(String call, int field, Object wanted) {
            int low = 0;
            int high = fields.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (fields.get(middle).offset < field) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            Field other = null;
            for (; low < fields.size() && fields.get(low).offset == field; low++) { // some may be empty
                other = fields.get(low);
                if (other.type == wanted) {
                    return other;
                }
            }
            if (other == null) {
                throw new IndexOutOfBoundsException(
                        call + ": there is no field at " + field + "; allowed: what an add call returned");
            }
            throw bad(
                    call,
                    MPI.ERR_TYPE,
                    "the field at " + field + " has type " + name(other.type)
                            + "; allowed: a call for that type, not for " + name(wanted));
        }

        private String name(Object fieldType) {
            return fieldType instanceof Struct ? fieldType.getClass().getName() : String.valueOf(fieldType);
        }
    }
}
