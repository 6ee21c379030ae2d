package org.ulfmj.check.script;

import java.util.List;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.survivor.ControlTraits;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * Random walks without time: each step is any one of the events that could come next, however long it would take in a
 * real network. The news of a death may come before or after all other events. Small worlds, few faults, many walks.
 */
public final class WalkScenario implements Scenario {
    private static final int MOST_RANKS = 6;

    @Override
    public String name() {
        return "walks";
    }

    @Override
    public int weight() {
        return 2;
    }

    @Override
    public void build(Simulation simulation) {
        simulation.at(0, () -> new Walk(simulation).run());
        simulation.faultAt(0, () -> {});
    }

    /** One random walk: its world, and how many crashes and suspicions may still happen in it. */
    private static final class Walk {
        private final Simulation simulation;
        private final SeededRandom random;
        private final ScriptedWorld world;
        private final int size;
        private final Kind kind;
        private final int calls;
        private final ControlTraits traits = new ControlTraits(false, false);
        private final boolean newsIsSlow;
        private int crashes;
        private int suspicions;

        Walk(Simulation simulation) {
            this.simulation = simulation;
            this.random = simulation.random("walk");
            this.size = Math.min(simulation.ranks(), MOST_RANKS);
            this.world = new ScriptedWorld(size);
            this.calls = 1 + random.below(2);
            this.kind = random.chance(70) ? Kind.AGREE : Kind.IAGREE;
            this.crashes = random.chance(85) ? 1 + random.below(Math.min(size - 1, 3)) : 0;
            this.newsIsSlow = random.chance(70);
            this.suspicions = random.chance(50) ? 0 : 1 + random.below(2);
        }

        void run() {
            int quietSteps = 0;
            while (quietSteps < 20) {
                quietSteps = step() ? 0 : quietSteps + 1;
            }
            try {
                do {
                    world.quiesce();
                } while (enterAll());
                world.settle();
            } finally {
                for (ScriptedWorld.Told told : world.story()) {
                    long digest = told.message() == null ? 0 : traits.digest(told.message());
                    simulation.log().add(0, told.slot(), told.what(), told.other(), told.message(), digest);
                }
            }
        }

        /** Takes one random step. Returns whether it was possible. */
        private boolean step() {
            int draw = random.below(100);
            if (crashes > 0 && random.chance(6)) {
                crashes--;
                world.crashInNextStepAfter(random.below(4));
            }
            if (draw < 55) {
                return deliver();
            } else if (draw < 80) {
                return enter(draw());
            } else if (draw < 90) {
                return learn();
            } else if (draw < 93) {
                return crash();
            }
            return suspect();
        }

        private boolean deliver() {
            List<ScriptedWorld.InFlight> heads = world.heads();
            if (heads.isEmpty()) {
                return false;
            }
            ScriptedWorld.InFlight chosen = heads.get(random.below(heads.size()));
            // If news is slow, obituaries are picked less often: there are many, and they would arrive before all other
            // messages.
            for (int left = newsIsSlow ? 5 : 0;
                    left > 0 && chosen.message() instanceof ControlMessage.Detector;
                    left--) {
                chosen = heads.get(random.below(heads.size()));
            }
            world.deliver(chosen);
            return true;
        }

        /**
         * Makes every rank that has calls left, and may call now, enter its next agreement. Returns whether any rank
         * did.
         */
        private boolean enterAll() {
            boolean any = false;
            for (ScriptedRank rank : world.ranks()) {
                any |= enter(rank);
            }
            return any;
        }

        private boolean enter(ScriptedRank rank) {
            boolean isFree =
                    kind == Kind.IAGREE || rank.lastEntered() == 0 || rank.decision(rank.lastEntered()) != null;
            if (!rank.isRunning() || rank.lastEntered() == calls || !isFree) {
                return false;
            }
            world.enter(kind, rank.id().slot());
            return true;
        }

        private boolean learn() {
            ScriptedRank rank = draw();
            ScriptedRank dead = draw();
            if (!rank.isRunning() || dead.isRunning() || rank.core().failures().hasFailed(dead.id())) {
                return false;
            }
            world.learns(rank.id().slot(), dead.id().slot());
            return true;
        }

        private boolean crash() {
            ScriptedRank rank = draw();
            if (crashes == 0 || !rank.isRunning()) {
                return false;
            }
            crashes--;
            world.crash(rank.id().slot());
            if (random.chance(30)) {
                world.loseAllOf(rank.id().slot());
            }
            return true;
        }

        private boolean suspect() {
            ScriptedRank rank = draw();
            ScriptedRank other = draw();
            if (suspicions == 0 || rank == other || !rank.isRunning() || !other.isRunning()) {
                return false;
            }
            suspicions--;
            world.suspects(rank.id().slot(), other.id().slot());
            return true;
        }

        private ScriptedRank draw() {
            return world.ranks().get(random.below(size));
        }
    }
}
