package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the example Boost with ranks that are killed. {@code -Dexamples.rounds} sets how many jobs have random kills,
 * four planned in each; {@code -Dexamples.seed} sets the seed of the first one.
 */
class BoostIT {
    private static final int ROUNDS = Integer.getInteger("examples.rounds", 2);
    private static final long SEED = Long.getLong("examples.seed", 1);
    private static final int RANKS = 4;
    private static final int TREES = 40;
    /** The most Rabit calls for one tree: a sum for each of its four levels, and the checkpoint. */
    private static final int CALLS_OF_TREE = 5;

    @TempDir
    private static Path directory;

    private static byte[] undisturbed;
    /** The outcome of a job: its model, and how many of its processes were killed. */
    private record Learnt(byte[] model, long deaths) {}

    @BeforeAll
    static void learnUndisturbed() throws IOException {
        Learnt learnt = learn("undisturbed", List.of(), 0);
        assertThat(learnt.deaths()).isZero();
        undisturbed = learnt.model();
    }

    @Test
    void shouldLearnTheSameTreesWhenRanksAreKilledAndStartedAgain() throws IOException {
        List<String> kills = List.of("rank=2@iter=10", "rank=0@iter=25", "rank=2,inc=1@iter=30");
        Learnt learnt = learn("killed", kills, 0);
        assertThat(learnt.deaths()).isEqualTo(3);
        assertThat(learnt.model()).isEqualTo(undisturbed);
    }

    @Test
    @Tag("release")
    void shouldLearnTheSameTreesWhenASpareTakesThePlace() throws IOException {
        Learnt learnt = learn("spare", List.of("rank=1@iter=20"), 1);
        assertThat(learnt.deaths()).isEqualTo(1);
        assertThat(learnt.model()).isEqualTo(undisturbed);
    }

    @Test
    @Tag("release")
    void shouldLearnTheSameTreesWhereverRanksAreKilled() throws IOException {
        long deaths = 0;
        for (long seed = SEED; seed < SEED + ROUNDS; seed++) {
            List<String> kills = draw(new SplittableRandom(seed));
            Learnt learnt = learn("seed " + seed, kills, 0);
            // A kill that is planned for a process that ends before does not happen. At least one kill does.
            assertThat(learnt.deaths()).as("seed %d: %s", seed, kills).isPositive();
            assertThat(learnt.model()).as("seed %d: %s", seed, kills).isEqualTo(undisturbed);
            deaths += learnt.deaths();
        }
        System.out.println("seeds from " + SEED + ": " + ROUNDS + " jobs, " + deaths + " deaths");
    }

    /** Draws four kills: of the first processes of three ranks, and of one replacement process. */
    private static List<String> draw(SplittableRandom random) {
        List<String> kills = new ArrayList<>();
        int spared = random.nextInt(RANKS);
        for (int rank = 0; rank < RANKS; rank++) {
            if (rank != spared) {
                kills.add("rank=" + rank + "@" + moment(random, 0));
            }
        }
        int again = (spared + 1) % RANKS;
        kills.add("rank=" + again + ",inc=1@" + moment(random, TREES / 2));
        return kills;
    }

    private static String moment(SplittableRandom random, int from) {
        return "v=" + random.nextInt(from, TREES) + ",seq=" + random.nextInt(CALLS_OF_TREE);
    }

    private static Learnt learn(String name, List<String> kills, int spares) throws IOException {
        Path model = directory.resolve(name + ".model");
        List<String> arguments = new ArrayList<>(List.of("-n", Integer.toString(RANKS), "--timeout", "100"));
        arguments.addAll(spares > 0 ? List.of("--spares", Integer.toString(spares)) : List.of("--max-restarts", "3"));
        if (!kills.isEmpty()) {
            arguments.addAll(List.of("--inject", "kill:" + String.join("; kill:", kills)));
        }
        arguments.addAll(List.of("examples", "Boost", Integer.toString(TREES), "logistic", model.toString()));
        MpiexecRun run = MpiexecRun.of(Duration.ofSeconds(110), arguments.toArray(new String[0]));
        assertThat(run.exitCode()).as("%s: %s", name, run).isZero();
        assertThat(run.out()).as(name).anyMatch(line -> line.startsWith("finished   " + TREES + " trees"));
        return new Learnt(Files.readAllBytes(model), run.deaths());
    }
}
