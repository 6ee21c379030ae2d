package org.ulfmj.sim.survivor;

/** Agreements in a row, blocking and overlapping. */
public final class AgreementScenario extends SurvivorScenario {
    public AgreementScenario() {
        super(Program.Emphasis.AGREE);
    }

    @Override
    public String name() {
        return "agree";
    }

    @Override
    public int weight() {
        return 2;
    }
}
