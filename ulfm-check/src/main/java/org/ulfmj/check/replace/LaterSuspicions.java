package org.ulfmj.check.replace;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * Injects false suspicions. The process in a slot, which may be a newcomer, suspects the process that is in another
 * slot at that time, and in some cases the other way round too. The fault plan's own suspicions are only about
 * processes of incarnation 0.
 */
public final class LaterSuspicions {
    private static final int MOST = 3;
    private static final int NEVER = -1;

    private final ReplaceWorld world;

    public LaterSuspicions(ReplaceWorld world) {
        this.world = world;
    }

    /** Schedules the suspicions. Returns whether there are any. */
    public boolean plan() {
        Simulation simulation = world.simulation();
        SeededRandom random = simulation.random("later suspicions");
        int count = world.size() < 2 || random.chance(75) ? 0 : 1 + random.below(MOST);
        boolean planned = false;
        for (int left = count; left > 0; left--) {
            int by = random.below(world.size());
            int about = (by + 1 + random.below(world.size() - 1)) % world.size();
            long atNs = random.between(0, 2 * world.pace().faultWindowNs());
            boolean isMutual = random.chance(40);
            Suspicion suspicion = new Suspicion(
                    by,
                    about,
                    isMutual ? random.between(0, 2 * world.pace().unitNs()) : NEVER,
                    random.chance(50) ? random.below(6) : NEVER);
            boolean isAimed = random.chance(50);
            int sends = 1 + random.below(10);
            if (simulation.plans(suspicion + (isAimed ? " at message " + sends + " of its replaces" : ""))) {
                planned = true;
                if (isAimed) {
                    world.watches().add(new Aimed(suspicion, sends));
                } else {
                    simulation.faultAt(atNs, () -> happen(suspicion));
                }
            }
        }
        return planned;
    }

    /**
     * One false suspicion.
     *
     * @param by slot of the suspecting process
     * @param about slot of the suspected process
     * @param answersNs after how long the other process suspects the first one; {@link #NEVER} if it does not
     * @param diesAfterSends after how many more messages the first process dies; 0 for the end of its next step,
     *     {@link #NEVER} if it does not die
     */
    private record Suspicion(int by, int about, long answersNs, int diesAfterSends) {
        @Override
        public String toString() {
            return "suspicion of the process in slot " + about + " by the process in slot " + by
                    + (answersNs == NEVER ? "" : ", and the other way round")
                    + (diesAfterSends == NEVER ? "" : ", which dies " + diesAfterSends + " messages later");
        }
    }

    /**
     * Starts a suspicion once the processes of its suspecting slot have sent a drawn number of agreement messages
     * during replaces, for instance while a decision is on its way.
     */
    private final class Aimed implements ReplaceWorld.Said {
        private final Suspicion suspicion;
        private int left;

        Aimed(Suspicion suspicion, int sends) {
            this.suspicion = suspicion;
            this.left = sends;
        }

        @Override
        public void sends(ReplaceRank rank, ProcessId to, ControlMessage message) {
            boolean isMeant = rank.id().slot() == suspicion.by()
                    && rank.isReplacing()
                    && message instanceof ControlMessage.OfAgreement;
            if (isMeant && --left == 0) {
                world.simulation().faultAt(world.simulation().nowNs(), () -> happen(suspicion));
            }
        }
    }

    private void happen(Suspicion suspicion) {
        ReplaceRank first = inSlot(suspicion.by());
        if (first != null && suspicion.diesAfterSends() != NEVER) {
            first.process().crashAfterSends(suspicion.diesAfterSends());
        }
        suspect(suspicion.by(), suspicion.about());
        if (suspicion.answersNs() != NEVER) {
            Simulation simulation = world.simulation();
            simulation.faultAt(
                    simulation.nowNs() + suspicion.answersNs(), () -> suspect(suspicion.about(), suspicion.by()));
        }
    }

    private void suspect(int by, int about) {
        ReplaceRank one = inSlot(by);
        ReplaceRank other = inSlot(about);
        if (one != null && other != null && !one.isPending() && one.membership().contains(other.id())) {
            one.suspect(other.id());
        }
    }

    /** Returns the newest process in a slot that runs, as a member or as a newcomer that waits; null if none runs. */
    private ReplaceRank inSlot(int slot) {
        ReplaceRank last = null;
        for (ReplaceRank rank : world.all()) {
            if (rank.id().slot() == slot && rank.isRunning()) {
                last = rank;
            }
        }
        return last;
    }
}
