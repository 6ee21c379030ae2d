package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Resilient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.junit.SimulatedMpi;
import org.ulfmj.testkit.junit.SimulatedRank;

/**
 * Tests some examples in simulated time with ranks that die in drawn calls or frames: the survivors must have the
 * result of a run without deaths, except that a task farm may end with its manager, and that plan B has no result.
 */
class SimulatedExamplesTest {
    private static final String ITERATIONS = "4";
    private static final int STEPS = 60;
    private static final int PIECES = 4;
    private static final int PRIMES_BELOW_200_000 = 17_984;
    private static final double ROUNDING = 1e-9;

    @TempDir
    private static Path directory;

    private static double[] weights;
    private static long plate;
    private static long gridPlate;

    @BeforeAll
    static void computeUndisturbed() throws IOException {
        Path file = directory.resolve("undisturbed");
        List<Long> plates = new ArrayList<>();
        LocalWorld.run(1, () -> Digits.main(new String[] {ITERATIONS, file.toString()}))
                .requireSurvivorsSucceeded();
        LocalWorld.run(1, () -> {
                    MPI.Init(new String[0]);
                    plates.add(plate());
                    HeatGrid heat = new HeatGrid(STEPS);
                    heat.run(MPI.COMM_WORLD);
                    plates.add(heat.checksum());
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
        weights = read(file);
        plate = plates.get(0);
        gridPlate = plates.get(1);
    }

    @SimulatedMpi(ranks = 4, seeds = 15, faults = "kill:rank=any(2)@op=*")
    void shouldLearnTheSameDigits(SimulatedRank test) throws IOException {
        Path file = directory.resolve("seed-" + test.seed());
        Digits.main(new String[] {ITERATIONS, file.toString()});
        // Only the rank that is lowest at the end writes the file; it exists once that rank is through.
        if (Files.exists(file)) {
            double[] learnt = read(file);
            assertThat(learnt).hasSameSizeAs(weights);
            for (int i = 0; i < weights.length; i++) {
                assertThat(Math.abs(learnt[i] - weights[i])).isLessThan(ROUNDING);
            }
        }
    }

    @SimulatedMpi(ranks = 4, seeds = 40, faults = "kill:rank=any(3)@op=*")
    void shouldHaveTheSamePlateToTheLastBit(SimulatedRank test) {
        MPI.Init(new String[0]);
        long own = plate();
        test.result(own);
        MPI.Finalize();
        assertThat(own).isEqualTo(plate);
    }

    private static long plate() {
        Jacobi jacobi = new Jacobi(STEPS);
        Resilient.run(MPI.COMM_WORLD, jacobi);
        return jacobi.checksum();
    }

    @SimulatedMpi(ranks = 6, seeds = 15, faults = "kill:rank=any(3)@op=*; crash:rank=any(1)@frame=random(300)")
    void shouldHaveTheSameGridToTheLastBit(SimulatedRank test) {
        MPI.Init(new String[0]);
        HeatGrid heat = new HeatGrid(STEPS);
        heat.run(MPI.COMM_WORLD);
        test.result(heat.checksum());
        MPI.Finalize();
        assertThat(heat.checksum()).isEqualTo(gridPlate);
    }

    /**
     * Deaths of workers change no result. The manager alone knows which pieces are done, so its death ends the job with
     * an error code.
     */
    @SimulatedMpi(ranks = 4, seeds = 40, faults = "kill:rank=any(2)@op=*", mayAbortWith = TaskFarm.MANAGER_DIED)
    void shouldCountAllPrimesOrEndWithTheManager() {
        MPI.Init(new String[0]);
        Intracomm world = MPI.COMM_WORLD;
        if (world.getRank() == TaskFarm.MANAGER) {
            TaskManager manager = new TaskManager(world, PIECES);
            manager.run();
            assertThat(manager.total()).isEqualTo(PRIMES_BELOW_200_000);
        } else {
            TaskFarm.serve(world);
        }
        MPI.Finalize();
    }

    @SimulatedMpi(ranks = 5, seeds = 60, faults = "kill:rank=any(3)@op=*")
    void shouldMeetInPlanB() {
        PlanB.main(new String[0]);
    }

    private static double[] read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .mapToDouble(Double::parseDouble)
                .toArray();
    }
}
