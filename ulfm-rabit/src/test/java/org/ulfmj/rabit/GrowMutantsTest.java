package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/** Without one of four rules of jobs that processes join, some simulated job of {@link GrowingStory} goes wrong. */
@Tag("long")
class GrowMutantsTest {
    private static final long SEEDS = 1_000;
    private static final long AT_ONCE = 50;

    private static Arguments rule(String rule, String faults, String type, String original, String replacement) {
        return Arguments.of(rule, faults, Mutant.of(rule, "org.ulfmj." + type, original, replacement));
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                rule(
                        "as many ranks as before may be other ranks",
                        "kill:rank=any(2)@op=*",
                        "rabit.engine.Planner",
                        "&& record.lineup() == lineup;",
                        ";"),
                rule(
                        "a program that has made no operation yet knows how many ranks there were",
                        "kill:rank=any(2)@op=*",
                        "rabit.engine.Replica",
                        "isOtherRank || ",
                        ""),
                rule(
                        "a rank that commits learns of the recovery of another, which begins its grow anew",
                        "crash:rank=any(2)@byte=random",
                        "agree.change.WorldChange",
                        "!(terms.isOfRecovery() && kind.isOfRecovery())",
                        "!(terms.kind() == Kind.REPLACE && kind.isOfRecovery())"),
                rule(
                        "a process that has come in asks the others first",
                        "",
                        "rabit.Session",
                        "runtime.id().incarnation() > 0 || runtime.isElastic()",
                        "runtime.id().incarnation() > 0"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    void shouldGoWrongWithoutARule(String rule, String faults, Mutant mutant) {
        MutantLoader world = new MutantLoader(mutant);
        String wrong = "";
        for (long seed = 1; seed <= SEEDS && wrong.isEmpty(); seed += AT_ONCE) {
            wrong = (String) world.call(GrowingStory.class.getName(), "run", seed, seed + AT_ONCE - 1, 3, faults);
        }
        System.out.println(
                "without \"" + rule + "\": " + wrong.lines().findFirst().orElse("nothing"));
        assertThat(wrong).isNotEmpty();
    }
}
