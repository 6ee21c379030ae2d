package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import mpi.MPI;
import org.ulfmj.testkit.RankMain;

/**
 * The three test programs of the original, three versions each: every value is checked against what it must be, so a result that
 * was recovered wrongly cannot pass. One object serves all ranks of a world and remembers their final models.
 */
final class RecoverProgram implements RankMain {
    enum Variant {
        /** A bootstrap operation, an allgather, a global model. */
        MODEL,
        /** A local model besides, and input that is prepared only where it is needed. */
        LOCAL,
        /** A global model that is saved only if somebody needs it. */
        LAZY
    }

    static final int VERSIONS = 3;
    private static final int[] ROOTS = {0, 3, 6, 9};

    private final Variant variant;
    private final int length;
    private final String[] options;
    /** By rank. */
    final Map<Integer, byte[]> finalModels = new ConcurrentHashMap<>();

    final Map<Integer, Long> mostLogBytes = new ConcurrentHashMap<>();

    RecoverProgram(Variant variant, int length, String... options) {
        this.variant = variant;
        this.length = length;
        this.options = options;
    }

    @Override
    public void run() throws Exception {
        Rabit.run(options, this::program);
    }

    private void program() {
        if (variant == Variant.MODEL) {
            int[] highest = {Rabit.rank()};
            Rabit.allreduce(highest, MPI.MAX);
            assertThat(highest[0]).isEqualTo(Rabit.worldSize() - 1);
        }
        int version = Rabit.loadCheckpoint();
        if (version > 0) {
            checkModel(Rabit.globalModel(), version);
            if (variant == Variant.LOCAL) {
                assertThat(Rabit.localModel()).isEqualTo(local(version));
            }
        }
        for (; version < VERSIONS; version++) {
            assertThat(Rabit.version()).isEqualTo(version);
            version(version);
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
        } else {
            prepare.run();
            Rabit.allreduce(data, MPI.MAX);
        }
        check(data, version, true);
        for (int root : ROOTS) {
            if (root < ranks) {
                byte[] text = Rabit.rank() == root ? text(root, version) : null;
                assertThat(Rabit.broadcastBytes(text, root)).isEqualTo(text(root, version));
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
                assertThat(all[rank]).isEqualTo(rank * 10f + version);
            }
        }
        ByteBuffer model = model(data, version + 1);
        switch (variant) {
            case MODEL -> Rabit.checkpoint(model);
            case LOCAL -> Rabit.checkpoint(model, ByteBuffer.wrap(local(version + 1)));
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

    private static byte[] text(int root, int version) {
        return ("from " + root + " in version " + version).repeat(1 + root).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] local(int version) {
        return ("local " + Rabit.rank() + " " + version).getBytes(StandardCharsets.UTF_8);
    }

    /** Small whole numbers: their sums are exact. */
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
                throw new AssertionError("rank " + Rabit.rank() + ", version " + version + ", element " + i + ": "
                        + data[i] + ", not " + expected);
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
        assertThat(model.getInt()).isEqualTo(version);
        float[] data = new float[length];
        model.asFloatBuffer().get(data);
        check(data, version - 1, false);
    }

    /** All ranks came to the end with one model. */
    void requireOneModel(int ranks) {
        assertThat(finalModels).hasSize(ranks);
        for (byte[] model : finalModels.values()) {
            assertThat(model).isEqualTo(finalModels.get(0));
            checkModelOfEnd(model);
        }
    }

    private static void checkModelOfEnd(byte[] model) {
        assertThat(ByteBuffer.wrap(model).getInt()).isEqualTo(VERSIONS);
    }
}
