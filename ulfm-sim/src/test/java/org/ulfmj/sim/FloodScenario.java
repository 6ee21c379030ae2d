package org.ulfmj.sim;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.Protocol;

/**
 * A toy scenario that exercises the simulator: every process tells every other the largest number that it knows, and in
 * the end all running processes know the same number.
 */
public class FloodScenario implements Scenario {
    private static final long TICK_NS = 50_000_000;
    private static final int BEAT = -1;

    private final boolean forwards;

    public FloodScenario() {
        this(true);
    }

    /**
     * @param forwards whether a process passes on the larger numbers that it hears; otherwise a process that dies
     *     between two sends may leave its number known to some processes only
     */
    public FloodScenario(boolean forwards) {
        this.forwards = forwards;
    }

    @Override
    public String name() {
        return "flood";
    }

    @Override
    public void build(Simulation world) {
        int size = world.ranks();
        LinkDelays delays = new LinkDelays(world, 1_000_000, 100_000_000);
        VirtualNetwork<Integer, Integer> network =
                new VirtualNetwork<>(world, delays, new Traits(), node -> node, node -> node);
        List<Flood> floods = new ArrayList<>();
        for (int node = 0; node < size; node++) {
            SimProcess<Integer, Integer> process = new SimProcess<>(world, node, network);
            Flood flood = new Flood(node, size, process);
            floods.add(flood);
            world.at(node, () -> process.start(flood, (nowNs, out) -> flood.tell(out)));
        }
        FaultPlan.Limits limits = new FaultPlan.Limits(size - 1, 0, 1, TICK_NS, 4 * TICK_NS);
        FaultPlan plan = FaultPlan.draw(world, size, 3_000_000, limits);
        for (FaultPlan.Crash crash : plan.crashes()) {
            floods.get(crash.node()).process.plan(crash);
        }
        for (FaultPlan.Pause pause : plan.pauses()) {
            world.faultAt(pause.atNs(), () -> floods.get(pause.node()).process.pause(pause.durationNs()));
        }
        world.limitNs(2_000_000_000);
        world.must(new AllHoldOneNumber(floods));
    }

    private final class Flood implements Protocol<Integer, Integer> {
        private final int size;
        private final SimProcess<Integer, Integer> process;
        private final int node;
        private int largest;
        private long nextBeatNs = Long.MIN_VALUE;

        Flood(int node, int size, SimProcess<Integer, Integer> process) {
            this.node = node;
            this.size = size;
            this.process = process;
            this.largest = (node * 7) % 10;
        }

        void tell(Outbox<Integer, Integer> out) {
            for (int to = 0; to < size; to++) {
                if (to != node) {
                    out.send(to, largest);
                }
            }
        }

        @Override
        public void onMessage(Integer from, Integer number, long nowNs, Outbox<Integer, Integer> out) {
            if (number > largest) {
                largest = number;
                if (forwards) {
                    tell(out);
                }
            }
        }

        @Override
        public void onTick(long nowNs, Outbox<Integer, Integer> out) {
            nextBeatNs = nowNs + TICK_NS;
            out.send((node + 1) % size, BEAT);
        }

        @Override
        public long nextDeadlineNs() {
            return nextBeatNs;
        }
    }

    private static final class Traits implements MessageTraits<Integer> {
        @Override
        public boolean isBackground(Integer number) {
            return number == BEAT;
        }
    }

    private record AllHoldOneNumber(List<Flood> floods) implements Invariant {
        @Override
        public String open() {
            Flood first = null;
            for (Flood flood : floods) {
                if (!flood.process.isRunning()) {
                    continue;
                }
                if (first != null && first.largest != flood.largest) {
                    return first.process + " holds " + first.largest + ", " + flood.process + " holds " + flood.largest;
                }
                first = flood;
            }
            return null;
        }
    }
}
