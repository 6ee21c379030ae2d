package org.ulfmj.check.uniform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.check.mutant.AgreementMutants;
import org.ulfmj.sim.mutant.MutantLoader;

/** Shows by a written schedule why uniform agreement needs rule R9. */
class FirstHalvesDifferTest {
    @Test
    void shouldNotLetTheFirstHalvesOfTwoHealthyRanksDiffer() {
        assertThat(FirstHalvesDiffer.withR9()).isEmpty();
        assertThat(new MutantLoader(AgreementMutants.R9).call(FirstHalvesDiffer.class.getName(), "withoutR9"))
                .asString()
                .startsWith("2 waits for ever: agreement 2");
    }
}
