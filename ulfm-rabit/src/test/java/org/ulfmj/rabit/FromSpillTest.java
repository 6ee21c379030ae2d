package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.testkit.LocalWorld;

/** The owner of a local model and the only other rank that has a copy die: all ranks go back to a version on disk. */
class FromSpillTest {
    private static final int RANKS = 3;
    private static final int VERSIONS = 4;

    @TempDir
    private Path directory;

    /** The ranks, without the spoiler, that went back to version 1 while version 2 was still on their disk. */
    private final Queue<Integer> withLater = new ConcurrentLinkedQueue<>();

    /**
     * Returns the versions that the replacements of ranks 0 and 1 load; both die in version 2, with the only copies of
     * rank 0's model.
     *
     * @param spoiler the rank whose last file is not what was written; −1 for none
     */
    private Queue<Integer> loadedAfter(int spoiler) {
        Queue<Integer> loaded = new ConcurrentLinkedQueue<>();
        String[] options = {"ulfm.rabit.local.replicas=1", "ulfm.rabit.spill=" + directory};
        LocalWorld.of(RANKS)
                .restarting(3)
                .killing(0, 0, FaultTrigger.atPosition(2, 0), 1)
                .killing(1, 0, FaultTrigger.atPosition(2, 0), 1)
                .run(() -> Rabit.run(options, () -> {
                    int version = Rabit.loadCheckpoint();
                    if (MPI.isReplacement()) {
                        loaded.add(version);
                    }
                    if (version == 1 && Rabit.rank() != spoiler && isThere(".rank-" + Rabit.rank() + ".version-2.")) {
                        withLater.add(Rabit.rank());
                    }
                    if (version > 0) {
                        assertThat(ByteBuffer.wrap(Rabit.localModel()).getInt())
                                .isEqualTo(100 * version + Rabit.rank());
                    }
                    for (; version < VERSIONS; version++) {
                        if (version == 2 && Rabit.rank() == spoiler && !MPI.isReplacement()) {
                            spoil(".rank-" + spoiler + ".version-2.local.rabit");
                        }
                        Rabit.allreduce(new int[1], MPI.SUM);
                        ByteBuffer local = ByteBuffer.allocate(Integer.BYTES);
                        local.putInt(0, 100 * (version + 1) + Rabit.rank());
                        Rabit.checkpoint(ByteBuffer.allocate(1), local);
                    }
                }))
                .requireSurvivorsSucceeded();
        return loaded;
    }

    private void spoil(String end) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file : all.filter(each -> each.toString().endsWith(end)).toList()) {
                Files.write(file, new byte[10]);
            }
        }
    }

    private boolean isThere(String part) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.anyMatch(file -> file.toString().contains(part));
        }
    }

    @Test
    void shouldGoBackToTheLastVersionOnDisk() {
        assertThat(loadedAfter(-1)).containsOnly(2).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void shouldGoBackFurtherWhereTheOnlyCopyIsNotWhatWasWritten() {
        assertThat(loadedAfter(0)).contains(1);
        assertThat(withLater).isEmpty();
    }

    @Test
    void shouldLoseNothingThatIsInMemoryToASpoiltFile() {
        assertThat(loadedAfter(2)).containsOnly(2).hasSizeGreaterThanOrEqualTo(2);
    }
}
