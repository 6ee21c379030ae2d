package org.ulfmj.check.replace;

import org.ulfmj.agree.message.Contact;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/** Not an invariant but a witness: notes which rare events happened in this schedule. */
public final class ReplaceWitness implements Invariant {
    private final ReplaceWorld world;
    private int seen;

    public ReplaceWitness(ReplaceWorld world) {
        this.world = world;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        for (; seen < world.worlds().entries().size(); seen++) {
            see(world.worlds().entries().get(seen));
        }
    }

    private void see(WorldLog.Entry entry) {
        Simulation simulation = world.simulation();
        int replaced = 0;
        for (Contact member : entry.admission().members().values()) {
            ReplaceRank rank = world.of(member.process());
            boolean isNew = rank.isNewcomer()
                    && (rank.admission() == null || rank.admission().epoch() == entry.epoch());
            if (isNew) {
                replaced++;
                simulation.cover(rank.isRunning() ? ReplaceEvents.ADMITTED : ReplaceEvents.ADMITTED_DEAD);
            }
            if (isNew && member.process().slot() == 0) {
                simulation.cover(ReplaceEvents.RANK_0);
            }
            if (isNew && member.process().incarnation() > 1 && entry.epoch() > 1) {
                simulation.cover(ReplaceEvents.REPLACED_TWICE);
            }
        }
        if (replaced == 0) {
            simulation.cover(ReplaceEvents.NOTHING_FAILED);
        } else if (replaced == world.size() - 1 && replaced > 1) {
            simulation.cover(ReplaceEvents.ALL_BUT_ONE);
        }
        for (WorldLog.Entry earlier : world.worlds().entries().subList(0, seen)) {
            if (earlier.differsFrom(entry)) {
                simulation.cover(ReplaceEvents.SPLIT);
            }
            if (earlier.isSurvivor()
                    && entry.isSurvivor()
                    && earlier.epoch() == entry.epoch()
                    && !earlier.rank().isRunning()) {
                simulation.cover(ReplaceEvents.DIED_FIRST);
            }
        }
    }
}
