package org.ulfmj.check.survivor;

import java.util.Set;

/** Agreements in a row, blocking and overlapping. */
public final class AgreementScenario extends SurvivorScenario {
    public AgreementScenario() {
        super(SurvivorProgram.Emphasis.AGREE);
    }

    @Override
    public String name() {
        return "agree";
    }

    @Override
    public Set<String> mustCover() {
        return more(super.mustCover(), OUT_OF_ORDER);
    }

    @Override
    public int weight() {
        return 2;
    }
}
