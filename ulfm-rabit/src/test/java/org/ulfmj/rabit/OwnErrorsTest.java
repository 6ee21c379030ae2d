package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankMain;

/**
 * Tests errors that a rank meets by itself: a reducer that throws, of which all ranks are told; a disk that takes no
 * checkpoint; a read-only buffer; and a call without init.
 */
class OwnErrorsTest {
    private static final int RANKS = 3;

    @TempDir
    private Path directory;

    /**
     * Runs a program and returns the exception of each rank. The job has no restarts: a rank that died of its error
     * would not be replaced, and the others would complain of that instead.
     */
    private static Map<Integer, Throwable> thrownBy(RankMain program) {
        Map<Integer, Throwable> thrown = new ConcurrentHashMap<>();
        CountDownLatch allHaveThrown = new CountDownLatch(RANKS);
        LocalWorld.of(RANKS).run(() -> {
            Throwable caught = catchThrowable(program::run);
            thrown.put(Rabit.rank(), caught);
            allHaveThrown.countDown();
            // A rank that leaves before the others know the error would be one more death for them.
            allHaveThrown.await(30, TimeUnit.SECONDS);
        });
        assertThat(thrown).hasSize(RANKS);
        assertThat(thrown.values()).allSatisfy(each -> assertThat(each).isExactlyInstanceOf(RabitException.class));
        return thrown;
    }

    @Test
    void shouldTellAllWhatTheProgramsReducerThrew() {
        Map<Integer, Throwable> thrown = thrownBy(() -> {
            Rabit.init();
            Rabit.loadCheckpoint();
            Rabit.allreduce(new byte[8], 4, (in, inOut, count) -> {
                throw new ArithmeticException("these cannot be added");
            });
        });

        assertThat(thrown.values()).allSatisfy(each -> assertThat(each)
                .hasMessageContaining("these cannot be added")
                .hasMessageContaining("allreduce(item[2], a reducer)"));
        assertThat(thrown.values()).anySatisfy(each -> assertThat(each).hasCauseInstanceOf(ArithmeticException.class));
    }

    @Test
    void shouldGoOnWithoutADiskThatTakesNoCheckpoint() {
        String[] options = {"ulfm.rabit.spill=" + directory};
        LocalWorld.of(RANKS)
                .run(() -> Rabit.run(options, () -> {
                    for (int version = Rabit.loadCheckpoint(); version < 3; version++) {
                        if (version == 1 && Rabit.rank() == 1) {
                            block();
                        }
                        Rabit.allreduce(new int[1], MPI.SUM);
                        Rabit.checkpoint(new byte[1]);
                    }
                }))
                .requireSurvivorsSucceeded();
    }

    /** Puts a directory that is not empty in the place of the file that rank 1 writes next. */
    private void block() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file : all.filter(each -> each.toString().contains(".rank-1.version-1"))
                    .toList()) {
                String name = file.getFileName().toString();
                Files.createDirectories(directory
                        .resolve(name.substring(0, name.indexOf("version-")) + "version-unfinished")
                        .resolve("in-the-way"));
            }
        }
    }

    @Test
    void shouldRefuseABufferThatTakesNoResultAtOnce() {
        ByteBuffer readOnly = ByteBuffer.allocate(8).asReadOnlyBuffer();
        LocalWorld.of(1)
                .run(() -> {
                    Rabit.init();
                    assertThatThrownBy(() -> Rabit.allreduce(readOnly, MPI.INT, MPI.SUM))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("the buffer is read-only");
                    assertThatThrownBy(() -> Rabit.broadcast(readOnly, 0)).hasMessageContaining("read-only");
                    assertThatThrownBy(() -> Rabit.allgather(ByteBuffer.allocate(8), readOnly))
                            .hasMessageContaining("read-only");
                    Rabit.shutdown();
                })
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldBeAWorldOfOneWithoutInitOnlyWhereNoOtherProcessIs() {
        LocalWorld.of(1)
                .run(() -> {
                    int[] sum = {7};
                    boolean[] isPrepared = new boolean[1];
                    Rabit.allreduce(sum, MPI.SUM, () -> isPrepared[0] = true);
                    assertThat(sum).containsExactly(7);
                    assertThat(isPrepared).containsExactly(true);
                    assertThat(Rabit.loadCheckpoint()).isZero();
                    Rabit.checkpoint(new byte[1]);
                    assertThat(Rabit.version()).isEqualTo(1);
                    Rabit.shutdown();
                })
                .requireSurvivorsSucceeded();
        LocalWorld.of(2)
                .run(() -> {
                    MPI.Init(new String[0]);
                    assertThatThrownBy(() -> Rabit.allreduce(new int[1], MPI.SUM))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessage("Rabit.allreduce before Rabit.init");
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }
}
