package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a job with one collective per version survives the death of a rank at a drawn number of bytes that it has
 * sent. {@code -Dexamples.bytes} sets how many such numbers are tried on each medium, {@code -Dexamples.seed} the seed
 * from which they are drawn.
 */
class KilledAtBytesIT {
    private static final int CASES = Integer.getInteger("examples.bytes", 1);
    private static final long SEED = Long.getLong("examples.seed", 1);
    private static final int RANKS = 4;

    /**
     * @param sentBytes about the number of bytes that a rank sends in all, so that most of the planned deaths happen
     */
    @ParameterizedTest
    @CsvSource({"tcp,3800", "shm,3800"})
    void shouldEndWithTheRightModelWhicheverByteIsTheLastOne(String transport, int sentBytes) {
        SplittableRandom random = new SplittableRandom(SEED);
        int deaths = 0;
        for (int i = 0; i < CASES; i++) {
            int part = sentBytes / CASES;
            String kill = "kill:rank=" + random.nextInt(RANKS) + "@byte=" + (1 + i * part + random.nextInt(part));
            MpiexecRun run = run(transport, kill);
            String name = transport + ", " + kill;
            assertThat(run.exitCode()).as("%s: %s", name, run).isZero();
            assertThat(run.out()).as("%s: %s", name, run).hasSize(RANKS).allSatisfy(line -> assertThat(line)
                    .matches("model (-?\\d+), expected \\1"));
            deaths += (int) run.err().stream()
                    .filter(line -> line.contains("was killed by signal 9"))
                    .count();
        }
        System.out.println(transport + ": " + CASES + " bytes, " + deaths + " deaths");
        assertThat(deaths).as("-Dexamples.seed=%d", SEED).isBetween((CASES + 1) / 2, CASES);
    }

    private static MpiexecRun run(String transport, String kill) {
        List<String> arguments = new ArrayList<>(List.of("-n", Integer.toString(RANKS), "--max-restarts", "3"));
        arguments.addAll(List.of("--timeout", "100", "--inject", kill));
        arguments.addAll(List.of("--set", "ulfm.transport=" + transport, "--set", "ulfm.collectives=messages"));
        arguments.addAll(List.of("java", "-cp", MpiexecRun.testProgramsOf("ulfm-rabit")));
        arguments.addAll(List.of("org.ulfmj.rabit.OneOperationProgram", Integer.toString(RANKS)));
        return MpiexecRun.of(Duration.ofSeconds(110), arguments.toArray(new String[0]));
    }
}
