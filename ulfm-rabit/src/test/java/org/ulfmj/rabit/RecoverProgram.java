package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;
import mpi.MPI;

/**
 * The test programs of the original Rabit, three versions each if {@link #main} is not told otherwise. Results are
 * checked against what they must be, also recovered ones. One object serves all ranks of a world and remembers their
 * final models; {@link #main} is for ranks that are processes, and so needs nothing that is only there for tests.
 */
public final class RecoverProgram {
    enum Variant {
        /** A bootstrap operation; in each version two reductions, broadcasts and an allgather; a global model. */
        MODEL,
        /**
         * Two reductions and broadcasts in each version; a global and a local model. The input of the first reduction
         * is prepared only where it is needed.
         */
        LOCAL,
        /** Two reductions and broadcasts in each version; a global model that is saved only when it is needed. */
        LAZY,
        /**
         * One sum per version, a global and a local model: the program with which the original Rabit tests its Python
         * binding.
         */
        SUM
    }

    static final int VERSIONS = 3;
    private static final int[] ROOTS = {0, 3, 6, 9};

    private final Variant variant;
    private final int length;
    private final int versions;
    /** How long a rank pauses after each version. */
    private final long pauseNs;

    private final String[] options;
    /** By rank. */
    final Map<Integer, byte[]> finalModels = new ConcurrentHashMap<>();

    final Map<Integer, Long> mostLogBytes = new ConcurrentHashMap<>();

    RecoverProgram(Variant variant, int length, String... options) {
        this(variant, length, VERSIONS, 0, options);
    }

    private RecoverProgram(Variant variant, int length, int versions, long pauseNs, String... options) {
        this.variant = variant;
        this.length = length;
        this.versions = versions;
        this.pauseNs = pauseNs;
        this.options = options;
    }

    /**
     * @param args the variant and the number of floats; then, if the program is to run for a longer time, the number of
     *     versions and the milliseconds between them
     */
    public static void main(String[] args) throws Exception {
        Variant variant = Variant.valueOf(args[0]);
        int length = Integer.parseInt(args[1]);
        RecoverProgram program = args.length == 2
                ? new RecoverProgram(variant, length)
                : new RecoverProgram(variant, length, Integer.parseInt(args[2]), Long.parseLong(args[3]) * 1_000_000);
        program.run();
        for (byte[] model : program.finalModels.values()) {
            CRC32 sum = new CRC32();
            sum.update(model);
            System.out.println(
                    "version " + ByteBuffer.wrap(model).getInt() + ", model " + Long.toHexString(sum.getValue()));
        }
    }

    void run() throws Exception {
        Rabit.run(options, this::program);
    }

    private void program() {
        if (variant == Variant.MODEL) {
            int[] highest = {Rabit.rank()};
            Rabit.allreduce(highest, MPI.MAX);
            require(Rabit.worldSize() - 1, highest[0], "highest rank");
        }
        int version = Rabit.loadCheckpoint();
        if (version > 0) {
            checkModel(Rabit.globalModel(), version);
            if (hasLocalModel()) {
                require(text(local(version)), text(Rabit.localModel()), "local model of version " + version);
            }
        }
        for (; version < versions; version++) {
            require(version, Rabit.version(), "version");
            version(version);
            LockSupport.parkNanos(pauseNs);
        }
        finalModels.put(Rabit.rank(), Rabit.globalModel());
        mostLogBytes.put(Rabit.rank(), Rabit.mostLogBytes());
    }

    private void version(int version) {
        int ranks = Rabit.worldSize();
        float[] data = new float[length];
        Runnable prepare = () -> {
            for (int i = 0; i < length; i++) {
                data[i] = value(Rabit.rank(), i, version);
            }
        };
        if (variant == Variant.LOCAL) {
            Rabit.allreduce(data, MPI.MAX, prepare);
            check(data, version, true);
        } else if (variant != Variant.SUM) {
            prepare.run();
            Rabit.allreduce(data, MPI.MAX);
            check(data, version, true);
        }
        for (int root : variant == Variant.SUM ? new int[0] : ROOTS) {
            if (root < ranks) {
                byte[] text = Rabit.rank() == root ? ofRoot(root, version) : null;
                byte[] received = Rabit.broadcastBytes(text, root);
                require(text(ofRoot(root, version)), text(received), "broadcast from " + root);
            }
        }
        prepare.run();
        Rabit.allreduce(data, MPI.SUM);
        check(data, version, false);
        if (variant == Variant.MODEL) {
            float[] mine = {Rabit.rank() * 10f + version};
            float[] all = new float[ranks];
            Rabit.allgather(mine, all);
            for (int rank = 0; rank < ranks; rank++) {
                require(rank * 10f + version, all[rank], "gathered from " + rank);
            }
        }
        ByteBuffer model = model(data, version + 1);
        switch (variant) {
            case MODEL -> Rabit.checkpoint(model);
            case LOCAL, SUM -> Rabit.checkpoint(model, ByteBuffer.wrap(local(version + 1)));
            case LAZY ->
                Rabit.lazyCheckpoint(new Model() {
                    @Override
                    public ByteBuffer save() {
                        return model.duplicate();
                    }

                    @Override
                    public void load(ByteBuffer saved) {
                        throw new UnsupportedOperationException("it is read from globalModel");
                    }
                });
        }
    }

    private boolean hasLocalModel() {
        return variant == Variant.LOCAL || variant == Variant.SUM;
    }

    private static void require(Object expected, Object actual, String what) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError("rank " + Rabit.rank() + ", " + what + ": " + actual + ", not " + expected);
        }
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "nothing" : new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] ofRoot(int root, int version) {
        return ("from " + root + " in version " + version).repeat(1 + root).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] local(int version) {
        return ("local " + Rabit.rank() + " " + version).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns an input of a rank: a small whole number, so that sums are exact. */
    private static float value(int rank, int i, int version) {
        return (float) (i * (rank + 1)) % 111 + version;
    }

    private void check(float[] data, int version, boolean isMax) {
        for (int i = 0; i < length; i++) {
            float expected = value(0, i, version);
            for (int rank = 1; rank < Rabit.worldSize(); rank++) {
                float other = value(rank, i, version);
                expected = isMax ? Math.max(expected, other) : expected + other;
            }
            if (data[i] != expected) {
                require(expected, data[i], "element " + i + " in version " + version);
            }
        }
    }

    private ByteBuffer model(float[] data, int version) {
        ByteBuffer model = ByteBuffer.allocate(Integer.BYTES + Float.BYTES * length);
        model.putInt(version);
        model.asFloatBuffer().put(data);
        return model.clear();
    }

    private void checkModel(byte[] bytes, int version) {
        ByteBuffer model = ByteBuffer.wrap(bytes);
        require(version, model.getInt(), "version in the model");
        float[] data = new float[length];
        model.asFloatBuffer().get(data);
        check(data, version - 1, false);
    }

    /** Throws unless all ranks came to the end with the same model. */
    void requireOneModel(int ranks) {
        for (int rank = 0; rank < ranks; rank++) {
            byte[] model = finalModels.get(rank);
            if (model == null || !Arrays.equals(model, finalModels.get(0))) {
                throw new AssertionError("rank " + rank + " ended with "
                        + (model == null ? "no model" : "another model than rank 0") + "; models of ranks "
                        + finalModels.keySet());
            }
            require(versions, ByteBuffer.wrap(model).getInt(), "versions at rank " + rank);
        }
    }
}
