package mpi;

import java.util.Arrays;

/**
 * Makes datatypes of other datatypes: checks the arguments, makes the new type, and gives it a description in words.
 * Without state.
 */
final class Derivation {
    private Derivation() {}

    static Datatype contiguous(int count, Datatype old) {
        String call = "createContiguous";
        type(call, "oldType", old);
        count(call, count);
        return made(call, old, count + " times " + old, () -> old.map().repeated(count));
    }

    static Datatype vector(int count, int blockLength, int stride, Datatype old) {
        String call = "createVector";
        type(call, "oldType", old);
        count(call, count);
        blockLength(call, "blockLength", blockLength);
        String how = "vector of " + count + " times " + blockLength + " " + old + ", stride " + stride;
        return made(call, old, how, () -> {
            long bytes = Math.multiplyExact(stride, old.map().extent());
            return old.map().repeated(blockLength).repeated(count, bytes);
        });
    }

    static Datatype hvector(int count, int blockLength, int stride, Datatype old) {
        String call = "createHVector";
        type(call, "oldType", old);
        count(call, count);
        blockLength(call, "blockLength", blockLength);
        String how = "vector of " + count + " times " + blockLength + " " + old + ", stride " + stride + " bytes";
        return made(call, old, how, () -> old.map().repeated(blockLength).repeated(count, stride));
    }

    static Datatype indexed(int[] blockLengths, int[] displacements, Datatype old) {
        String call = "createIndexed";
        type(call, "oldType", old);
        return made(call, old, "indexed type of " + old, () -> {
            arrays(call, blockLengths, displacements);
            return blocks(blockLengths, displacements, old.map().extent(), old.map());
        });
    }

    static Datatype hindexed(int[] blockLengths, int[] displacements, Datatype old) {
        String call = "createHIndexed";
        type(call, "oldType", old);
        return made(call, old, "indexed type of " + old, () -> {
            arrays(call, blockLengths, displacements);
            return blocks(blockLengths, displacements, 1, old.map());
        });
    }

    private static TypeMap blocks(int[] blockLengths, int[] displacements, long unit, TypeMap old) {
        TypeMap[] maps = new TypeMap[blockLengths.length];
        Arrays.fill(maps, old);
        return TypeMap.blocks(blockLengths, bytes(displacements, unit), maps);
    }

    private static long[] bytes(int[] displacements, long unit) {
        long[] bytes = new long[displacements.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Math.multiplyExact(displacements[i], unit);
        }
        return bytes;
    }

    static Datatype struct(int[] blockLengths, int[] displacements, Datatype[] types) {
        String call = "createStruct";
        arrays(call, blockLengths, displacements);
        if (types == null || types.length != blockLengths.length) {
            throw bad(
                    call,
                    MPI.ERR_ARG,
                    "types " + (types == null ? "is null" : "has " + types.length + " elements")
                            + "; allowed: as many as blockLengths, which are " + blockLengths.length);
        }
        TypeMap[] maps = new TypeMap[types.length];
        for (int i = 0; i < types.length; i++) {
            type(call, "types[" + i + "]", types[i]);
            maps[i] = types[i].map();
        }
        String how = "struct of " + types.length + " blocks";
        TypeMap map = checked(call, () -> TypeMap.blocks(blockLengths, bytes(displacements, 1), maps));
        return Datatype.derived(how, BaseType.BYTE, map);
    }

    static Datatype resized(Datatype old, int lower, int extent) {
        String call = "createResized";
        type(call, "oldType", old);
        return old.derived(old + " resized to " + extent + " bytes", old.map().resized(lower, extent));
    }

    /** Computes a map. */
    private interface Maker {
        TypeMap make();
    }

    private static Datatype made(String call, Datatype old, String how, Maker maker) {
        return old.derived(how, checked(call, maker));
    }

    private static TypeMap checked(String call, Maker maker) {
        try {
            return maker.make().padded();
        } catch (ArithmeticException large) {
            throw bad(call, MPI.ERR_COUNT, "the type would be larger than 64 bits count; allowed: a smaller one");
        }
    }

    private static void type(String call, String name, Datatype type) {
        if (type == null || type.isNull()) {
            throw bad(
                    call,
                    MPI.ERR_TYPE,
                    name + " is " + type + (type != null && type.base() != null ? ", which was freed" : "")
                            + "; allowed: a datatype such as MPI.INT");
        }
    }

    private static void count(String call, int count) {
        if (count < 0) {
            throw bad(call, MPI.ERR_COUNT, "count is " + count + "; allowed: 0 to " + Integer.MAX_VALUE);
        }
    }

    private static void blockLength(String call, String name, int length) {
        if (length < 0) {
            throw bad(call, MPI.ERR_ARG, name + " is " + length + "; allowed: 0 to " + Integer.MAX_VALUE);
        }
    }

    private static void arrays(String call, int[] blockLengths, int[] displacements) {
        if (blockLengths == null || displacements == null || blockLengths.length != displacements.length) {
            throw bad(
                    call,
                    MPI.ERR_ARG,
                    "blockLengths " + length(blockLengths) + " and displacements " + length(displacements)
                            + "; allowed: two arrays of one length");
        }
        for (int i = 0; i < blockLengths.length; i++) {
            if (blockLengths[i] < 0) {
                blockLength(call, "blockLengths[" + i + "]", blockLengths[i]);
            }
        }
    }

    private static String length(int[] array) {
        return array == null ? "is null" : "has " + array.length + " elements";
    }

    /** The exception for a bad argument of a call on a datatype. */
    static MPIException bad(String call, int errorClass, String problem) {
        return Exceptions.withoutCommunicator("Datatype." + call, errorClass, problem);
    }
}
