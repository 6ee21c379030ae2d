package org.ulfmj.testkit.grow;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.testkit.NeededRule;

/** Shows that two rules of grow() are needed: without either of them {@link GrowingStory} fails in some seed. */
@Tag("long")
class GrowMutantsTest {
    private static final String FRAMES = "crash:rank=any(2)@frame=random(120)";

    static Stream<NeededRule> rules() {
        return NeededRule.under(
                FRAMES,
                Mutant.of(
                        "G4: which members a new world leaves out follows from the decision",
                        "org.ulfmj.agree.change.WorldChange",
                        "failed = decision.failed();",
                        "failed = world.failed();"),
                Mutant.of(
                        "G6: no member returns before all live members have confirmed",
                        "org.ulfmj.agree.change.WorldChange",
                        "        }\n        confirm(out);",
                        "        }\n        phase = Phase.OVER;\n        context.admitted(admission, newcomers, out);"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    void shouldGoWrongWithoutARule(NeededRule rule) {
        rule.assertMissed(GrowingStory.class.getName(), 2_000, 50, 3);
    }
}
