package mpi;

import java.util.Set;

/**
 * What a buffer holds (MPI 3.1 section 3.2.2 and chapter 4): the basic types {@link MPI#BYTE}, {@link MPI#CHAR} (16
 * bits), {@link MPI#SHORT}, {@link MPI#BOOLEAN} (one byte), {@link MPI#INT}, {@link MPI#LONG} (64 bits),
 * {@link MPI#FLOAT} and {@link MPI#DOUBLE}; {@link MPI#PACKED}; complex numbers and pairs; and types that a program
 * derives from others.
 *
 * <p><b>Base type.</b> Each type has a basic type as its base: that of the type that it was made of, the part's type
 * for complex numbers, and {@link MPI#BYTE} for pairs, {@link MPI#PACKED} and {@link #createStruct}. A type goes with
 * the primitive array and the {@code java.nio} buffer of its base; a {@link java.nio.ByteBuffer} goes with every type
 * and is then read as bytes in native order. In an array or a typed buffer all blocks and items must begin between
 * elements: a type with a displacement, a lower bound or an extent in bytes that the size of the base does not divide
 * raises {@link MPI#ERR_TYPE} there.
 *
 * <p><b>Units.</b> {@link #getSize}, {@link #getLb}, {@link #getExtent}, {@link #getTrueLb} and {@link #getTrueExtent}
 * count elements of the base, as in Open MPI's bindings, and cut fractions off. {@link #createHVector},
 * {@link #createHIndexed}, {@link #createStruct} and {@link #createResized} take bytes.
 *
 * <p><b>Gaps.</b> A message has the blocks of a type in the order in which the type was made. Bytes between and beside
 * the blocks are neither sent nor written.
 *
 * <p><b>Life.</b> A derived type is committed before it is used in communication, and {@linkplain #free freed} when it
 * is no longer needed. Operations that use the type go on, and types made of it stay as they are. All methods may be
 * called by all threads.
 */
public final class Datatype implements Freeable, Cloneable {
    private static final int LONGEST_DESCRIPTION = 80;

    /** What kinds of types there are. */
    private enum Kind {
        /** The eight types of the primitive arrays, and {@link MPI#DATATYPE_NULL}. */
        BASIC,
        /** {@link MPI#PACKED}. */
        PACKED,
        /** The predefined types of several numbers. */
        COMBINED,
        DERIVED
    }

    private final Kind kind;
    /** The constant's name, or how the type was made. */
    private final String description;

    private final BaseType base;
    /** Bytes of an item in a message; -1 if they are more than an {@code int} counts. */
    private final int sizeBytes;
    /**
     * How many elements of the base one item has; 0 if items have gaps, no bytes or more bytes than an {@code int}
     * counts, or do not consist of whole elements.
     */
    private final int elementsEach;

    /** The layout of an item. For constants it is made at the first use, and null before. */
    private volatile TypeMap map;

    private volatile String name;
    private volatile boolean isUsable;
    private volatile boolean isFreed;

    private Datatype(Kind kind, String constant, BaseType base, int sizeBytes, int elementsEach) {
        this.kind = kind;
        this.description = constant;
        this.name = "MPI_" + constant;
        this.base = base;
        this.sizeBytes = sizeBytes;
        this.elementsEach = elementsEach;
        this.isUsable = base != null;
    }

    private Datatype(String description, BaseType base, TypeMap map) {
        this.kind = Kind.DERIVED;
        this.description = description;
        this.name = "";
        this.base = base;
        this.map = map;
        this.sizeBytes = map.sizeBytes() > Integer.MAX_VALUE ? -1 : (int) map.sizeBytes();
        boolean isPlain = sizeBytes > 0 && map.isContiguous() && map.isAligned(base.elements.sizeBytes);
        this.elementsEach = isPlain ? sizeBytes / base.elements.sizeBytes : 0;
    }

    /** Makes the constant of a basic type; that of no type ({@link MPI#DATATYPE_NULL}) if {@code base} is null. */
    Datatype(String constant, BaseType base) {
        this(Kind.BASIC, constant, base, base == null ? 0 : base.elements.sizeBytes, 1);
    }

    static Datatype packed() {
        return new Datatype(Kind.PACKED, "PACKED", BaseType.BYTE, 1, 1);
    }

    /**
     * Makes the constant of a type whose items are several numbers, with the {@link Combined} of the same name.
     * {@code hasGaps} says whether items have gaps in memory.
     */
    static Datatype combined(String constant, BaseType base, int sizeBytes, boolean hasGaps) {
        return new Datatype(
                Kind.COMBINED, constant, base, sizeBytes, hasGaps ? 0 : sizeBytes / base.elements.sizeBytes);
    }

    /**
     * The number of base elements in one item: 1 for the basic types, as in Open MPI's bindings. Not a number of bytes.
     * {@link MPI#UNDEFINED} if they are more than an {@code int} counts.
     *
     * <p>{@code MPI_Type_size}, MPI 3.1 section 4.1.5.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if the type is null
     */
    public int getSize() {
        return inElements(existing("getSize").map().sizeBytes());
    }

    /**
     * The lower bound of an item in base elements: where the item begins, counted from its origin.
     *
     * <p>{@code MPI_Type_get_extent}, MPI 3.1 section 4.1.7.
     */
    public int getLb() {
        return inElements(existing("getLb").map().lower());
    }

    /**
     * The extent in base elements: how far apart the items in a buffer begin.
     *
     * <p>{@code MPI_Type_get_extent}, MPI 3.1 section 4.1.7.
     */
    public int getExtent() {
        return inElements(existing("getExtent").map().extent());
    }

    /**
     * The place of the first byte that an item has, in base elements from its origin.
     *
     * <p>{@code MPI_Type_get_true_extent}, MPI 3.1 section 4.1.8.
     */
    public int getTrueLb() {
        return inElements(existing("getTrueLb").map().trueLower);
    }

    /**
     * The distance from the first byte that an item has to the end of its last byte, in base elements.
     *
     * <p>{@code MPI_Type_get_true_extent}, MPI 3.1 section 4.1.8.
     */
    public int getTrueExtent() {
        TypeMap found = existing("getTrueExtent").map();
        return inElements(found.trueUpper - found.trueLower);
    }

    private int inElements(long bytes) {
        long count = bytes / base.elements.sizeBytes;
        return count == (int) count ? (int) count : MPI.UNDEFINED;
    }

    /**
     * Makes the type good for communication. A type that is committed stays so. Local.
     *
     * <p>{@code MPI_Type_commit}, MPI 3.1 section 4.1.9.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if the type is null
     */
    public void commit() {
        existing("commit").isUsable = true;
    }

    /**
     * Gives the type back; it is null afterwards. Operations under way with it go on, and types made of it stay as they
     * are. Attributes are deleted first, the one that was set last before the others; if an {@link AttributeDelete}
     * throws, this call throws that exception and the type stays. Local.
     *
     * <p>{@code MPI_Type_free}, MPI 3.1 section 4.1.9.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} for a type that is null, or one of the constants
     */
    @Override
    public void free() {
        existing("free");
        if (kind != Kind.DERIVED) {
            throw Derivation.bad("free", MPI.ERR_TYPE, this + " is a constant; allowed: a derived type");
        }
        TypeAttributes.deleteAll(this);
        isUsable = false;
        isFreed = true;
    }

    /** Whether the type was freed, or is {@link MPI#DATATYPE_NULL}. */
    public boolean isNull() {
        return base == null || isFreed;
    }

    /**
     * As {@link #dup}.
     *
     * <p>{@code MPI_Type_dup}, MPI 3.1 section 4.1.10.
     */
    @Override
    public Datatype clone() {
        return dup();
    }

    /**
     * Returns a new type that is like this one, and committed if this one is. It has no name yet. What becomes of an
     * attribute is said by the {@link AttributeCopy} of its key. Local.
     *
     * <p>{@code MPI_Type_dup}, MPI 3.1 section 4.1.10.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if the type is null
     */
    public Datatype dup() {
        existing("dup");
        Attributes<Datatype> copies = TypeAttributes.copiesFor(this);
        Datatype copy = derived("dup of " + this, map());
        copy.isUsable = isUsable;
        TypeAttributes.give(copy, copies);
        return copy;
    }

    /**
     * Makes a type of {@code count} items of {@code oldType}, one after the other by its extent. Local.
     *
     * <p>{@code MPI_Type_contiguous}, MPI 3.1 section 4.1.2.
     *
     * @throws MPIException of class {@link MPI#ERR_COUNT} if {@code count} is negative, or the type would be larger
     *     than 64 bits count; {@link MPI#ERR_TYPE} if {@code oldType} is null
     */
    public static Datatype createContiguous(int count, Datatype oldType) {
        return Derivation.contiguous(count, oldType);
    }

    /**
     * Makes a type of {@code count} blocks of {@code blockLength} items of {@code oldType}. Blocks begin {@code stride}
     * extents of {@code oldType} apart. Local.
     *
     * <p>{@code MPI_Type_vector}, MPI 3.1 section 4.1.2.
     *
     * @throws MPIException as {@link #createContiguous}; {@link MPI#ERR_ARG} if {@code blockLength} is negative
     */
    public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType) {
        return Derivation.vector(count, blockLength, stride, oldType);
    }

    /**
     * As {@link #createVector}, with a stride in bytes.
     *
     * <p>{@code MPI_Type_create_hvector}, MPI 3.1 section 4.1.2.
     */
    public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType) {
        return Derivation.hvector(count, blockLength, stride, oldType);
    }

    /**
     * Makes a type of blocks of {@code oldType}. Block i has {@code blockLengths[i]} items and begins
     * {@code displacements[i]} extents of {@code oldType} from the origin. Local.
     *
     * <p>{@code MPI_Type_indexed}, MPI 3.1 section 4.1.2.
     *
     * @throws MPIException as {@link #createVector}; {@link MPI#ERR_ARG} if an array is null or the two differ in
     *     length
     */
    public static Datatype createIndexed(int[] blockLengths, int[] displacements, Datatype oldType) {
        return Derivation.indexed(blockLengths, displacements, oldType);
    }

    /**
     * As {@link #createIndexed}, with displacements in bytes.
     *
     * <p>{@code MPI_Type_create_hindexed}, MPI 3.1 section 4.1.2.
     */
    public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType) {
        return Derivation.hindexed(blockLengths, displacements, oldType);
    }

    /**
     * Makes a type of blocks of any types. Block i has {@code blockLengths[i]} items of {@code types[i]} and begins
     * {@code displacements[i]} bytes from the origin. Its base is {@link MPI#BYTE}. The extent is rounded up to the
     * alignment of the largest basic element inside, as for a struct in C, unless {@link #createResized} set the bounds
     * of a part. Local.
     *
     * <p>{@code MPI_Type_create_struct}, MPI 3.1 section 4.1.2.
     *
     * @throws MPIException as {@link #createIndexed}
     */
    public static Datatype createStruct(int[] blockLengths, int[] displacements, Datatype[] types) {
        return Derivation.struct(blockLengths, displacements, types);
    }

    /**
     * Makes a type with the items of {@code oldType} and another lower bound and extent, both in bytes. Local.
     *
     * <p>{@code MPI_Type_create_resized}, MPI 3.1 section 4.1.7.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if {@code oldType} is null
     */
    public static Datatype createResized(Datatype oldType, int lb, int extent) {
        return Derivation.resized(oldType, lb, extent);
    }

    /**
     * Names the type. At most {@link MPI#MAX_OBJECT_NAME} characters are kept. Local.
     *
     * <p>{@code MPI_Type_set_name}, MPI 3.1 section 6.8.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if the type is null, {@link MPI#ERR_ARG} if the name is
     */
    public void setName(String name) {
        existing("setName");
        if (name == null) {
            throw Derivation.bad("setName", MPI.ERR_ARG, "name is null; allowed: a string");
        }
        this.name = CommState.cut(name);
    }

    /**
     * Returns the name that was set; {@code MPI_INT} and the like for constants, and an empty string for other types.
     *
     * <p>{@code MPI_Type_get_name}, MPI 3.1 section 6.8.
     */
    public String getName() {
        return existing("getName").name;
    }

    /** Returns this type; throws if it was freed, or is {@link MPI#DATATYPE_NULL}. */
    private Datatype existing(String call) {
        if (isNull()) {
            throw Derivation.bad(call, MPI.ERR_TYPE, this + (isFreed ? " was freed" : " is no type"));
        }
        return this;
    }

    /** Makes a derived type that has the same base as this one and is not committed. */
    Datatype derived(String how, TypeMap newMap) {
        return derived(how, base, newMap);
    }

    static Datatype derived(String how, BaseType base, TypeMap map) {
        String description = how.length() <= LONGEST_DESCRIPTION ? how : how.substring(0, LONGEST_DESCRIPTION) + " ...";
        return new Datatype(description, base, map);
    }

    /** Whether communication may use the type: it exists and is committed. */
    boolean isUsable() {
        return isUsable;
    }

    /**
     * Makes a key for attributes of datatypes. A duplicate of a datatype gets the same value by reference, and nothing
     * is done when a value is deleted. The key is of the calling rank. Local.
     *
     * <p>{@code MPI_Type_create_keyval}, MPI 3.1 section 6.7.4, with {@code MPI_TYPE_DUP_FN} and
     * {@code MPI_TYPE_NULL_DELETE_FN}.
     */
    public static int createKeyval() {
        return createKeyval((type, keyval, value) -> value, (type, keyval, value) -> {});
    }

    /**
     * As {@link #createKeyval()} with functions of the program, which say what becomes of a value when a datatype is
     * duplicated, and what is to be done when a datatype loses a value. Local.
     *
     * <p>{@code MPI_Type_create_keyval}, MPI 3.1 section 6.7.4.
     *
     * @throws MPIException of class {@code ERR_ARG} if a function is null
     */
    public static int createKeyval(AttributeCopy<Datatype> copy, AttributeDelete<Datatype> delete) {
        return Keyvals.make(TypeAttributes.KIND, copy, delete);
    }

    /**
     * Gives a key back: no value can be set with it any more. Datatypes that have a value for it keep the value, and
     * its functions still count, until the value is deleted. Local.
     *
     * <p>{@code MPI_Type_free_keyval}, MPI 3.1 section 6.7.4.
     *
     * @throws MPIException of class {@code ERR_KEYVAL} if there is no such key for datatypes
     */
    public static void freeKeyval(int keyval) {
        Keyvals.release(TypeAttributes.KIND, keyval);
    }

    /**
     * Keeps a value with this datatype, by reference, at the calling rank. A value that the key had here is deleted
     * first. Local.
     *
     * <p>{@code MPI_Type_set_attr}, MPI 3.1 section 6.7.4.
     *
     * @throws MPIException of class {@code ERR_KEYVAL} if there is no such key for datatypes, {@code ERR_TYPE} if the
     *     type is null
     */
    public void setAttr(int keyval, Object value) {
        TypeAttributes.set(this, keyval, value);
    }

    /**
     * Returns the value that a key has here at the calling rank; null if there is none. Local.
     *
     * <p>{@code MPI_Type_get_attr}, MPI 3.1 section 6.7.4.
     *
     * @throws MPIException of class {@code ERR_KEYVAL} if there is no such key for datatypes, {@code ERR_TYPE} if the
     *     type is null
     */
    public Object getAttr(int keyval) {
        return TypeAttributes.get(this, keyval);
    }

    /**
     * Deletes the value of a key. Local.
     *
     * <p>{@code MPI_Type_delete_attr}, MPI 3.1 section 6.7.4.
     *
     * @throws MPIException of class {@code ERR_KEYVAL} if there is no such key for datatypes, or it has no value here,
     *     {@code ERR_TYPE} if the type is null
     */
    public void deleteAttr(int keyval) {
        TypeAttributes.delete(this, keyval);
    }

    /** The basic type that is the base of this type; null for {@link MPI#DATATYPE_NULL}. */
    BaseType base() {
        return base;
    }

    Elements elements() {
        return base.elements;
    }

    /** This type as a predefined type whose items are several numbers; null if it is none. */
    Combined combined() {
        return kind == Kind.COMBINED ? Combined.named(description) : null;
    }

    /** Whether this is one of the eight basic types, or {@link MPI#DATATYPE_NULL}. */
    boolean isBasic() {
        return kind == Kind.BASIC;
    }

    /** Whether items have no gaps and lie in memory as in a message: elements of the base, one after the other. */
    boolean isPlain() {
        return elementsEach > 0;
    }

    /** Elements of the base in an item of a type without gaps; 1 for the basic types. */
    int elementsEach() {
        return elementsEach;
    }

    /** Bytes of an item in a message; −1 if they are more than an {@code int} counts. */
    int sizeBytes() {
        return sizeBytes;
    }

    /** Bytes and bounds of an item. */
    TypeMap map() {
        TypeMap found = map;
        if (found == null) {
            found = kind == Kind.COMBINED ? combined().map() : TypeMap.basic(base.elements.sizeBytes);
            map = found;
        }
        return found;
    }

    /** The predefined operators that combine items of this type. */
    Set<Operator> operators() {
        if (isBasic()) {
            return base.elements.operators();
        }
        return kind == Kind.COMBINED ? combined().operators() : Set.of();
    }

    /** For example {@code MPI.INT}, or {@code vector of 3 times 2 MPI.INT, stride 4}. */
    @Override
    public String toString() {
        if (kind != Kind.DERIVED) {
            return "MPI." + description;
        }
        String given = name;
        return given.isEmpty() ? description : '"' + given + "\" (" + description + ")";
    }
}
