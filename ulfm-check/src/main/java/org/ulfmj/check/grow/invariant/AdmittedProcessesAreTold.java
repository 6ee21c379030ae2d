package org.ulfmj.check.grow.invariant;

import org.ulfmj.agree.message.Contact;
import org.ulfmj.check.grow.GrowProcess;
import org.ulfmj.check.grow.GrowWorld;
import org.ulfmj.sim.Invariant;

/**
 * P5, G7: at rest, a running process that the newest world of a running member lists, and that this member has not
 * marked failed or departed, is in some world. The world in which the founders begin does not count here.
 */
record AdmittedProcessesAreTold(GrowWorld world) implements Invariant {
    @Override
    public String open() {
        for (GrowProcess member : world.members()) {
            if (member.seat().admission() == null) {
                continue;
            }
            for (Contact listed : member.seat().admission().members().values()) {
                GrowProcess other = world.of(listed);
                if (other.isRunning()
                        && other.seat() == null
                        && !member.failures().isGone(listed.process())) {
                    return other + " is in the world of " + member + " as " + listed + " and was told of none";
                }
            }
        }
        return null;
    }
}
