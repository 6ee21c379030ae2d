package org.ulfmj.check.survivor.scenario;

import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.check.survivor.SurvivorProgram;

/**
 * As {@link SurvivorMixScenario}, over wider trees. The trees of real jobs have sixteen children each, and so no inner
 * place below eighteen ranks. With three children, ranks that have both a parent and children die as well.
 */
public final class SurvivorWideScenario extends SurvivorScenario {
    private static final int FAN_OUT = 3;

    public SurvivorWideScenario() {
        super("wide", 2, SurvivorProgram.Emphasis.ALL);
    }

    @Override
    TreeShape shape() {
        return TreeShape.heap(FAN_OUT);
    }
}
