package org.ulfmj.check.grow;

import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/** Not an invariant but a witness: notes special events of the returns from grow() in this schedule. */
public final class GrowWitness implements Invariant {
    private final GrowWorld world;
    private int seen;

    public GrowWitness(GrowWorld world) {
        this.world = world;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        for (; seen < world.log().entries().size(); seen++) {
            GrowLog.Entry entry = world.log().entries().get(seen);
            if (entry.isSurvivor() && world.program().acts().get(entry.act()).kind() == Kind.GROW) {
                see(entry);
            }
        }
    }

    private void see(GrowLog.Entry entry) {
        Simulation simulation = world.simulation();
        int joined = 0;
        for (Contact member : entry.admission().members().values()) {
            boolean wasThere = wasThereBefore(entry, member);
            if (!wasThere && member.process().incarnation() > 0) {
                simulation.cover(GrowEvents.REPLACED_TOO);
            } else if (!wasThere) {
                joined++;
                simulation.cover(world.of(member).isRunning() ? GrowEvents.ADMITTED : GrowEvents.ADMITTED_DEAD);
            } else if (member.process().slot() >= world.size()) {
                simulation.cover(GrowEvents.GREW_TWICE);
            }
        }
        if (joined > 1) {
            simulation.cover(GrowEvents.SEVERAL_AT_ONCE);
        }
        if (joined == 0) {
            simulation.cover(GrowEvents.LEFT_OUT);
        }
        for (GrowLog.Entry earlier : world.log().entries().subList(0, seen)) {
            if (earlier.isSurvivor()
                    && earlier.admission().world() == entry.admission().world()
                    && !earlier.process().isRunning()) {
                simulation.cover(GrowEvents.DIED_FIRST);
            }
        }
    }

    private boolean wasThereBefore(GrowLog.Entry entry, Contact member) {
        if (entry.admission().epoch() == 1) {
            return world.first().contains(member.process());
        }
        return world.log().entries().stream()
                .anyMatch(earlier ->
                        earlier.admission().epoch() == entry.admission().epoch() - 1
                                && member.equals(earlier.admission()
                                        .members()
                                        .get(member.process().slot())));
    }
}
