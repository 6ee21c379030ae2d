package org.ulfmj.check.survivor.scenario;

import java.util.Set;
import org.ulfmj.check.survivor.SurvivorEvents;
import org.ulfmj.check.survivor.SurvivorProgram;

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
        return more(super.mustCover(), SurvivorEvents.OUT_OF_ORDER);
    }

    @Override
    public int weight() {
        return 2;
    }
}
