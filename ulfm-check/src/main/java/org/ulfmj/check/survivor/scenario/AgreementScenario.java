package org.ulfmj.check.survivor.scenario;

import java.util.Set;
import org.ulfmj.check.survivor.SurvivorEvents;
import org.ulfmj.check.survivor.SurvivorProgram;

/** Agreements in a row, blocking and overlapping. */
public final class AgreementScenario extends SurvivorScenario {
    public AgreementScenario() {
        super("agree", 2, SurvivorProgram.Emphasis.AGREE);
    }

    @Override
    public Set<String> mustCover() {
        return more(super.mustCover(), SurvivorEvents.OUT_OF_ORDER);
    }
}
