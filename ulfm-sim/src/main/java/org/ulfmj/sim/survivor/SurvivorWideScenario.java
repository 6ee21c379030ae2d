package org.ulfmj.sim.survivor;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.agree.TreeShape;

/** As {@link SurvivorMixScenario}, over the trees that ranks of real jobs use: so few of them are a star. */
public final class SurvivorWideScenario extends SurvivorScenario {
    public SurvivorWideScenario() {
        super(Program.Emphasis.ALL);
    }

    @Override
    public String name() {
        return "wide";
    }

    @Override
    TreeShape shape() {
        return TreeShape.WIDE;
    }

    /** A leaf of a star has nobody to inherit from it. */
    @Override
    public Set<String> mustCover() {
        SortedSet<String> events = new TreeSet<>(super.mustCover());
        events.remove(MessageWitness.REPOLL);
        return events;
    }

    @Override
    public int weight() {
        return 2;
    }
}
