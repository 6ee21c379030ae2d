package org.ulfmj.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/**
 * Tests the annotation {@link SimulatedMpi} as a user meets it: JUnit runs the methods of {@link Samples}, and this
 * class checks what JUnit reports.
 */
class SimulatedMpiTest {
    @Test
    void shouldPassWhenAllSeedsDo() {
        Samples.Right.SEEDS.clear();
        assertThat(result(Samples.Right.class, "finishesUnderAnyDeaths", Map.of())
                        .getStatus())
                .isEqualTo(TestExecutionResult.Status.SUCCESSFUL);
        assertThat(Samples.Right.SEEDS)
                .hasSizeGreaterThan(30)
                .startsWith(1L, 1L, 2L)
                .endsWith(30L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sendsRandomNumbersOfItsSeed", "abortsAsExpected"})
    void shouldPassWhatIsAsItShouldBe(String method) {
        assertThat(result(Samples.Right.class, method, Map.of()).getThrowable()).isEmpty();
    }

    @Test
    void shouldRunTheOneSeedThatAPropertyNames() {
        Samples.Right.SEEDS.clear();
        result(Samples.Right.class, "finishesUnderAnyDeaths", Map.of("sim.seed", "815"));
        assertThat(Samples.Right.SEEDS).isNotEmpty().containsOnly(815L);
    }

    @Test
    void shouldRunAsManySeedsAsAPropertySays() {
        Samples.Right.SEEDS.clear();
        result(Samples.Right.class, "finishesUnderAnyDeaths", Map.of("sim.seeds", "3"));
        assertThat(Samples.Right.SEEDS).containsExactly(1L, 1L, 2L, 3L);
    }

    @Test
    void shouldShowWhatARankThrewAndWhatAllDidLast() {
        String text = failure(Samples.Wrong.class, "throwsWhenARankDies", Map.of());
        assertThat(text)
                .contains("of 1..50 fails: rank ")
                .contains("threw mpi.ProcFailedException: barrier on COMM_WORLD")
                .contains("(drawn from \"kill:rank=any(2)@op=*\")")
                .contains("mvn test -Dtest='org.ulfmj.testkit.junit.Samples$Wrong#throwsWhenARankDies' -Dsim.seed=")
                .containsPattern("minimised  kill:rank=[01]@op=\\S+, 2 ranks, seed \\d+")
                .containsPattern("-Dsim.ranks=2 -Dsim.faults='kill:rank=[01]@op=\\S+'")
                .containsPattern("rank 0 +(KILLED|THREW|RETURNED)")
                .contains("did last")
                .contains("barrier");
    }

    @Test
    void shouldRunTheSmallerCaseAgainByTheLineThatItPrints() {
        String text = failure(Samples.Wrong.class, "throwsWhenARankDies", Map.of());
        String line = text.lines()
                .filter(one -> one.startsWith("  run that"))
                .findFirst()
                .orElseThrow();
        String again = failure(
                Samples.Wrong.class,
                "throwsWhenARankDies",
                Map.of(
                        "sim.seed", line.replaceAll(".*sim\\.seed=(\\d+).*", "$1"),
                        "sim.ranks", line.replaceAll(".*sim\\.ranks=(\\d+).*", "$1"),
                        "sim.faults", line.replaceAll(".*sim\\.faults='(.*)'.*", "$1")));
        assertThat(again).contains("threw mpi.ProcFailedException: barrier on COMM_WORLD");
    }

    @Test
    void shouldShowResultsThatDiffer() {
        assertThat(failure(Samples.Wrong.class, "givesResultsThatDiffer", Map.of()))
                .containsPattern("the results differ: rank \\d has \\d, rank \\d has \\d");
    }

    @Test
    void shouldSayWhoWaitsForWhomInWhichCallWhenItWouldHang() {
        assertThat(failure(Samples.Wrong.class, "waitsForOneThatTurnedAway", Map.of()))
                .contains("fails: the program hangs")
                .contains("who waits for whom")
                .containsPattern("recv|sSend|receive")
                .contains("Finalize")
                .contains("minimised");
    }

    @Test
    void shouldDemandFinalizeAndTheRightCode() {
        assertThat(failure(Samples.Wrong.class, "forgetsFinalize", Map.of())).contains("returned without MPI.Finalize");
        assertThat(failure(Samples.Wrong.class, "abortsWithAnotherCode", Map.of()))
                .contains("aborted with code 7, which is not among mayAbortWith");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sendsWhatAHashSetGivesFirst",
                "sendsTheTime",
                "sendsARandomNumber",
                "callsOftenerOnAFastMachine",
                "remembersTheRunBefore"
            })
    void shouldFindOutThatAProgramIsNotDeterministic(String method) {
        assertThat(failure(Samples.Undetermined.class, method, Map.of()))
                .contains("seed 1 of 1 ran twice and was not the same: the program is not deterministic")
                .contains("HashSet")
                .contains("nanoTime")
                .contains("Math.random");
    }

    @Test
    void shouldShowTheProgramsDifferenceAndNotThatOfTheRandomNumbersOfItsSeed() {
        assertThat(failure(Samples.Undetermined.class, "callsAnotherOperationEachRun", Map.of()))
                .contains("calls iProbe")
                .containsPattern("event \\d+ was, in one run,")
                .doesNotContain("receives EAGER");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hasNoRanks | @SimulatedMpi ranks = 0 is not allowed; allowed: 1 to 64",
                "hasNoSeeds | @SimulatedMpi seeds = -1 is not allowed; allowed: 1 to 2147483647",
                "minimisesForDays | @SimulatedMpi minimiseSeconds = 100000 is not allowed; allowed: 0 to 3600",
                "misspellsAFault | @SimulatedMpi faults = \"kil:rank=2@op=*\": faults 'kil:rank=2@op=*': unknown action",
                "killsARankThatIsNotThere | there is no rank 4 among 4 (0 to 3)",
                "misspellsAnOperation | unknown operation 'alreduce'",
                "hasAnotherParameter | No ParameterResolver registered for parameter [java.lang.String"
            })
    void shouldNameAttributeValueAndWhatIsAllowed(String method, String text) {
        assertThat(failure(Samples.Misused.class, method, Map.of())).contains(text);
    }

    @Test
    void shouldNameAPropertyThatIsWrong() {
        assertThat(failure(Samples.Right.class, "finishesUnderAnyDeaths", Map.of("sim.seeds", "many")))
                .contains(
                        "Samples$Right#finishesUnderAnyDeaths: property sim.seeds = many is not allowed; allowed: 1 to");
    }

    private static String failure(Class<?> sample, String method, Map<String, String> properties) {
        return result(sample, method, properties)
                .getThrowable()
                .orElseThrow(() -> new AssertionError(method + " has passed"))
                .getMessage();
    }

    private static TestExecutionResult result(Class<?> sample, String name, Map<String, String> properties) {
        Method method = Stream.of(sample.getDeclaredMethods())
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(sample, method))
                .configurationParameters(properties)
                .execute()
                .testEvents()
                .finished()
                .stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .findFirst()
                .orElseThrow();
    }
}
