package org.ulfmj.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.Protocol;

/** Each test scripts a world of two processes, in which process 0 can send and process 1 records. */
class SimProcessTest {
    private static final long MILLISECOND_NS = 1_000_000;

    private final List<String> heard = new ArrayList<>();
    private SimProcess<Integer, String> sender;

    @Test
    void shouldDeliverInOrderOfSendsWhenLinksDelayDifferently() {
        run(world -> sends(world, 0, 40));
        assertThat(messages()).hasSize(40).isSortedAccordingTo((a, b) -> Integer.parseInt(a) - Integer.parseInt(b));
    }

    @Test
    void shouldSendNothingMoreWhenCrashedBetweenTwoSendsOfOneStep() {
        run(world -> {
            sender.crashAfterSends(2);
            sends(world, 0, 5);
        });
        assertThat(sender.end()).isEqualTo(SimProcess.End.CRASHED);
        assertThat(messages()).hasSizeLessThanOrEqualTo(2).isSubsetOf("0", "1");
    }

    @Test
    void shouldHandOverHeldInputBeforeAnyTimerWhenResumed() {
        Simulation world = run(w -> {
            sends(w, 0, 3);
            SimProcess<?, ?> receiver = w.processes().get(1);
            w.at(5 * MILLISECOND_NS, () -> receiver.pause(500 * MILLISECOND_NS));
            w.faultAt(800 * MILLISECOND_NS, () -> {});
        });
        assertThat(world.nowNs()).isGreaterThan(500 * MILLISECOND_NS);
        int firstLateTick = heard.indexOf("tick late");
        assertThat(heard.subList(0, firstLateTick)).contains("0", "1", "2");
    }

    @Test
    void shouldHandOverAllInOrderWhenACutHasHealed() {
        Simulation world = run(w -> {
            w.at(MILLISECOND_NS / 2, () -> sender.cutLinkTo(1, 700 * MILLISECOND_NS));
            sends(w, 0, 20);
        });
        assertThat(messages()).hasSize(20).isSortedAccordingTo((a, b) -> Integer.parseInt(a) - Integer.parseInt(b));
        assertThat(world.nowNs()).isGreaterThan(700 * MILLISECOND_NS);
    }

    @Test
    void shouldDeliverNothingWhenALinkIsCutForEver() {
        run(w -> {
            w.at(MILLISECOND_NS / 2, () -> sender.cutLinkTo(1, FaultPlan.FOR_EVER));
            sends(w, 0, 20);
        });
        assertThat(messages()).isEmpty();
    }

    @Test
    void shouldLoseWhatACutHoldsWhenTheSenderDies() {
        run(w -> {
            w.at(MILLISECOND_NS / 2, () -> sender.cutLinkTo(1, 700 * MILLISECOND_NS));
            sends(w, 0, 20);
            w.faultAt(300 * MILLISECOND_NS, sender::crash);
        });
        assertThat(messages()).isEmpty();
    }

    @Test
    void shouldGiveEachProcessAClockOfItsOwn() {
        Simulation world = run(w -> {});
        long first = world.processes().get(0).clockNs();
        assertThat(world.processes().get(1).clockNs()).isNotEqualTo(first);
    }

    private List<String> messages() {
        return heard.stream().filter(event -> !event.startsWith("tick")).toList();
    }

    private void sends(Simulation world, int first, int count) {
        world.faultAt(
                MILLISECOND_NS,
                () -> sender.input("burst", EventLog.NO_PROCESS, null, (nowNs, out) -> {
                    for (int i = first; i < first + count; i++) {
                        out.send(1, Integer.toString(i));
                    }
                }));
    }

    private Simulation run(java.util.function.Consumer<Simulation> script) {
        Simulation[] built = new Simulation[1];
        Scenario scenario = new Scenario() {
            @Override
            public String name() {
                return "scripted";
            }

            @Override
            public void build(Simulation world) {
                built[0] = world;
                LinkDelays delays = new LinkDelays(world, MILLISECOND_NS, 20 * MILLISECOND_NS);
                VirtualNetwork<Integer, String> network =
                        new VirtualNetwork<>(world, delays, new MessageTraits<>() {}, node -> node, node -> node);
                sender = new SimProcess<>(world, 0, network);
                SimProcess<Integer, String> receiver = new SimProcess<>(world, 1, network);
                sender.start(new Recorder(sender), (nowNs, out) -> {});
                receiver.start(new Recorder(receiver), (nowNs, out) -> {});
                script.accept(world);
            }
        };
        Outcome outcome = new Schedule(scenario, 2, 11).run(EventLog.hashing());
        assertThat(outcome.violation()).isNull();
        return built[0];
    }

    private final class Recorder implements Protocol<Integer, String> {
        private static final long TICK_NS = 100 * MILLISECOND_NS;

        private final SimProcess<Integer, String> process;
        private long dueNs = Long.MIN_VALUE;

        Recorder(SimProcess<Integer, String> process) {
            this.process = process;
        }

        @Override
        public void onMessage(Integer from, String message, long nowNs, Outbox<Integer, String> out) {
            heard.add(message);
        }

        @Override
        public void onTick(long nowNs, Outbox<Integer, String> out) {
            if (process.node() == 1) {
                heard.add(dueNs != Long.MIN_VALUE && nowNs > dueNs + TICK_NS ? "tick late" : "tick");
            }
            dueNs = nowNs + TICK_NS;
        }

        @Override
        public long nextDeadlineNs() {
            return dueNs;
        }
    }
}
