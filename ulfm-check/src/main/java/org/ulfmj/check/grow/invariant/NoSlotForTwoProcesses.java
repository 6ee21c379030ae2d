package org.ulfmj.check.grow.invariant;

import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.check.grow.GrowLog;
import org.ulfmj.check.grow.GrowWorld;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * G4: as long as no process was marked failed while it ran, a slot and incarnation names only one process over all
 * worlds, and a process has only one slot and incarnation. After that it is still checked, in each world into which a
 * process comes, that no process is listed twice and that the process is the one that is listed under its name there.
 */
final class NoSlotForTwoProcesses implements Invariant {
    private final GrowWorld world;
    private final Map<ProcessId, Long> nonces = new TreeMap<>();
    private final Map<Long, ProcessId> names = new TreeMap<>();
    private int seen;

    NoSlotForTwoProcesses(GrowWorld world) {
        this.world = world;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        for (; seen < world.log().entries().size(); seen++) {
            GrowLog.Entry entry = world.log().entries().get(seen);
            Map<Long, ProcessId> here = new TreeMap<>();
            for (Contact member : entry.admission().members().values()) {
                require(here.put(member.nonce(), member.process()) == null, entry, member);
                boolean isMe = member.process().equals(entry.process().id());
                require(!isMe || member.nonce() == entry.process().nonce(), entry, member);
                if (!world.log().wasAnySuspectedWrongly()) {
                    Long nonce = nonces.putIfAbsent(member.process(), member.nonce());
                    ProcessId name = names.putIfAbsent(member.nonce(), member.process());
                    require(nonce == null || nonce == member.nonce(), entry, member);
                    require(name == null || name.equals(member.process()), entry, member);
                }
            }
        }
    }

    private void require(boolean isRight, GrowLog.Entry entry, Contact member) {
        if (!isRight) {
            throw new Violation(name() + ": " + entry + " with " + member + ", and before there were " + nonces);
        }
    }
}
