package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.session.LinkIdentity;

@Timeout(120)
class LifelinesTest {
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(5));
    private static final ProcessId ZERO = ProcessId.of(0);
    private static final ProcessId ONE = ProcessId.of(1);

    @TempDir
    Path directory;

    private final PolledClock clock = new PolledClock();
    private final JobSecret secret = JobSecret.random();
    private final TcpFabric[] fabrics = new TcpFabric[2];
    private final Received[] received = {new Received(), new Received()};
    private final List<MemberRecord> table = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        for (int slot = 0; slot < 2; slot++) {
            fabrics[slot] = newFabric(slot, secret);
            Path socket = directory.resolve("l" + slot);
            fabrics[slot].listenForLifelines(socket);
            table.add(TcpWorld.record(slot, fabrics[slot].port(), socket.toString()));
        }
        for (TcpFabric fabric : fabrics) {
            fabric.connect(table);
        }
    }

    private TcpFabric newFabric(int slot, JobSecret ofJob) throws IOException {
        return new TcpFabric(TcpWorld.identity(slot), ofJob, TIMING, 1, "127.0.0.1", clock);
    }

    @AfterEach
    void close() {
        for (TcpFabric fabric : fabrics) {
            fabric.close();
        }
    }

    private void pollUntil(BooleanSupplier condition) {
        Polling.until(condition, () -> {
            for (int slot = 0; slot < 2; slot++) {
                fabrics[slot].pollWithSeat(received[slot]);
            }
        });
    }

    private void openBoth() {
        fabrics[0].openLifelines(List.of(ONE));
        fabrics[1].openLifelines(List.of(ZERO));
        pollUntil(() -> fabrics[0].hasLifeline(ONE) && fabrics[1].hasLifeline(ZERO));
    }

    @Test
    void shouldTellTheDialerThatTheOtherEnded() {
        openBoth();
        fabrics[1].close();
        pollUntil(() -> !received[0].events.isEmpty());

        assertThat(received[0].events).containsExactly("lifeline 1");
        assertThat(fabrics[0].hasLifeline(ONE)).isFalse();
    }

    @Test
    void shouldTellTheAcceptorThatTheOtherEnded() {
        openBoth();
        fabrics[0].close();
        pollUntil(() -> !received[1].events.isEmpty());

        assertThat(received[1].events).containsExactly("lifeline 0");
    }

    @Test
    void shouldSayNothingWhenTheDepartedEnds() {
        openBoth();
        fabrics[0].depart(ONE);
        fabrics[1].close();
        pollUntil(() -> !fabrics[0].hasLifeline(ONE));

        assertThat(received[0].events).isEmpty();
    }

    @Test
    void shouldHandOverTheGoodbyeBeforeItTellsTheEnd() {
        openBoth();
        fabrics[1].offer(ZERO, LaneKind.CONTROL, Frames.numbered(1));
        pollUntil(() -> received[0].frames.size() == 1);
        List<String> order = new ArrayList<>();
        Received sink = new Received() {
            @Override
            public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
                order.add("frame " + Frames.numberOf(frame));
                fabrics[0].depart(from);
            }

            @Override
            public void onLifelineLost(ProcessId peer) {
                order.add("lifeline " + peer);
            }
        };
        fabrics[1].offer(ZERO, LaneKind.CONTROL, Frames.numbered(2));
        fabrics[1].close();
        while (fabrics[0].hasLifeline(ONE)) {
            fabrics[0].pollWithSeat(sink);
        }
        assertThat(order).containsExactly("frame 2");
    }

    @Test
    void shouldOpenOneToANeighbourThatComesLater() throws IOException {
        fabrics[1].close();
        Path socket = directory.resolve("late");
        table.set(1, TcpWorld.record(1, 1, socket.toString()));
        TcpFabric zero = newFabric(0, secret);
        fabrics[0].close();
        fabrics[0] = zero;
        zero.connect(table);
        zero.openLifelines(List.of(ONE));
        zero.pollWithSeat(received[0]);
        TcpFabric late = newFabric(1, secret);
        fabrics[1] = late;
        late.listenForLifelines(socket);
        late.connect(table);
        pollUntil(() -> zero.hasLifeline(ONE) && late.hasLifeline(ZERO));

        assertThat(received[0].events).isEmpty();
    }

    @Test
    void shouldReportANeighbourThatHasNoneForTheWholeBudget() {
        fabrics[1].close();
        long start = System.nanoTime();
        fabrics[0].openLifelines(List.of(ONE));
        Polling.until(() -> !received[0].events.isEmpty(), () -> {
            fabrics[0].sleep(fabrics[0].nextDeadlineNs());
            fabrics[0].pollWithSeat(received[0]);
        });
        assertThat(received[0].events).containsExactly("lifeline 1");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TIMING.linkBudgetNs() * 9 / 10);
    }

    @Test
    void shouldStandToASuccessorAndSayNothingMoreOfTheOldOne() throws IOException {
        openBoth();
        fabrics[1].close();
        ProcessId next = new ProcessId(1, 1);
        Path socket = directory.resolve("l1.1");
        fabrics[1] = new TcpFabric(new LinkIdentity(next, 77), secret, TIMING, 1, "127.0.0.1", clock);
        fabrics[1].listenForLifelines(socket);
        MemberRecord newcomer =
                new MemberRecord(next, 77, 0, "127.0.0.1", fabrics[1].port(), socket.toString(), HostProcess.UNKNOWN);
        fabrics[1].connect(List.of(table.get(0), newcomer));
        fabrics[0].admit(newcomer);
        fabrics[0].openLifelines(List.of(next));
        fabrics[1].openLifelines(List.of(ZERO));
        pollUntil(() -> fabrics[0].hasLifeline(next) && fabrics[1].hasLifeline(ZERO));
        assertThat(received[0].events).isEmpty();
        assertThat(fabrics[0].hasLifeline(ONE)).isFalse();

        fabrics[1].close();
        pollUntil(() -> !received[0].events.isEmpty());
        assertThat(received[0].events).containsExactly("lifeline 1'1");
    }

    @Test
    void shouldRefuseAStrangersLifeline() throws IOException {
        try (TcpFabric stranger = newFabric(0, JobSecret.random())) {
            stranger.connect(table);
            stranger.openLifelines(List.of(ONE));
            for (int i = 0; i < 200; i++) {
                stranger.pollWithSeat(received[0]);
                fabrics[1].pollWithSeat(received[1]);
            }
            assertThat(stranger.hasLifeline(ONE)).isFalse();
            assertThat(fabrics[1].hasLifeline(ZERO)).isFalse();
        }
        openBoth();
        assertThat(received[1].events).isEmpty();
    }

    @Test
    void shouldNameThePathThatIsTooLong() throws IOException {
        try (TcpFabric fabric = newFabric(1, secret)) {
            assertThatThrownBy(() -> fabric.listenForLifelines(directory.resolve("x".repeat(108))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at most 107")
                    .hasMessageContaining("shorter job directory");
        }
    }
}
