package org.ulfmj.check.survivor.scenario;

import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.check.survivor.SurvivorProgram;

/**
 * The worlds of {@link SurvivorMixScenario}, with wider trees of agreements. In the tree of a real job on one host a
 * rank has up to sixteen children, so below eighteen ranks no rank has both a parent and children. Here a rank has up
 * to three children, and ranks that have both die too.
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
