package org.ulfmj.check.survivor;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * Holds back, at their sender, the obituaries whose evidence of the death is certain, as a runtime does where a
 * launcher tells of deaths. An obituary waits until a drawn moment or until the next other message to the same process,
 * and is sent just before that message. Obituaries that wait are lost when their sender ends.
 */
public final class LateObituaries {
    /** The name, in the coverage, of the event that an obituary which had waited is sent. */
    public static final String EVENT = "an obituary that was put off";

    private static final long LONGEST_NS = Pace.LONGEST_DELAY_NS / 2;

    private final CoreRank rank;
    private final Simulation simulation;
    private final SeededRandom random;
    private final SortedMap<ProcessId, List<ControlMessage>> waiting = new TreeMap<>();

    LateObituaries(CoreRank rank) {
        this.rank = rank;
        this.simulation = rank.simulation();
        this.random = simulation.random("late obituaries " + rank.id());
    }

    /** Draws whether the schedule has late obituaries. Called once per schedule, after all other items of its plan. */
    public static boolean draw(Simulation simulation) {
        return simulation.random("late obituaries").chance(25) && simulation.plans("obituaries put off");
    }

    /** Sends a message, now or, if it is an obituary with certain evidence, later. */
    public void send(ProcessId to, ControlMessage message, Outbox<ProcessId, ControlMessage> out) {
        if (!mayWait(message)) {
            sendWaiting(to, out);
            out.send(to, message);
            return;
        }
        List<ControlMessage> before = waiting.get(to);
        if (before == null) {
            waiting.put(to, new ArrayList<>(List.of(message)));
            long laterNs = random.between(0, random.chance(50) ? LONGEST_NS / 20 : LONGEST_NS);
            simulation.faultAt(
                    simulation.nowNs() + laterNs,
                    () -> rank.input("no longer waits to tell", to, (nowNs, later) -> sendWaiting(to, later)));
        } else {
            before.add(message);
        }
    }

    private void sendWaiting(ProcessId to, Outbox<ProcessId, ControlMessage> out) {
        List<ControlMessage> late = waiting.remove(to);
        if (late != null) {
            simulation.cover(EVENT);
            late.forEach(message -> out.send(to, message));
        }
    }

    private static boolean mayWait(ControlMessage message) {
        return message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Obituary obituary
                && obituary.evidence().kind() == Evidence.Kind.CERTAIN;
    }
}
