package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.FaultTrigger;
import org.ulfmj.runtime.inject.InjectPlan;
import org.ulfmj.runtime.inject.Kill;

class InjectorTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final List<Integer> killed = new ArrayList<>();
    private long pid = 77;

    @Test
    void shouldKillByTheClockCountedFromTheStart() {
        Injector injector = injector("kill:rank=1@t=2s;kill:rank=2@t=1s");
        assertThat(injector.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        long startNs = System.nanoTime();
        injector.start(startNs);
        assertThat(injector.deadlineNs()).isEqualTo(startNs + 1_000_000_000);
        injector.tick(startNs + 999_999_999);
        assertThat(killed).isEmpty();
        injector.tick(startNs + 1_000_000_000);
        injector.tick(startNs + 2_000_000_000);
        assertThat(killed).containsExactly(2, 1);
        assertThat(text())
                .containsPattern(
                        "mpiexec: inject: rank 2 \\(pid 77\\) killed at \\d+\\.\\d{3} s; planned at 1\\.000 s\n");
    }

    @Test
    void shouldKillOnceWhereTheProcessItselfStopped() {
        Injector injector = injector("kill:rank=1@op=allreduce#100");
        long startNs = System.nanoTime();
        injector.start(startNs);
        injector.tick(Long.MAX_VALUE);
        injector.reached(0, 1, startNs);
        assertThat(killed).isEmpty();
        injector.reached(1, 1, startNs + 1_500_000_000);
        injector.reached(1, 1, startNs + 1_500_000_000);
        assertThat(killed).containsExactly(1);
        assertThat(text()).contains("; planned at op=allreduce#100, reached at 1.500 s\n");
    }

    @Test
    void shouldTellWhatNeverHappenedAndWhoHadGone() {
        Injector injector = injector("kill:rank=0@iter=7;kill:rank=1@t=0s");
        pid = 0;
        injector.start(System.nanoTime());
        injector.tick(System.nanoTime());
        injector.finish();
        assertThat(text())
                .isEqualTo("mpiexec: inject: kill:rank=1@t=0s (planned at 0.000 s): rank 1 had ended already\n"
                        + "mpiexec: inject: kill:rank=0@iter=7 never came to pass\n");
    }

    @Test
    void shouldGiveEachProcessItsOwnTriggers() {
        List<Kill> kills = InjectPlan.parse(List.of("kill:rank=0,2@op=send#3;kill:rank=2@iter=9;kill:rank=1@t=1s"), 3)
                .draw(1);
        assertThat(Injector.triggers(kills))
                .isEqualTo(Map.of(
                        0, List.of(new FaultTrigger(1, "send", 3)),
                        2, List.of(new FaultTrigger(2, "send", 3), new FaultTrigger(3, FaultTrigger.ITERATION, 9))));
    }

    private Injector injector(String plan) {
        return new Injector(
                InjectPlan.parse(List.of(plan), 3).draw(1), new Report(new LineSink(said, () -> {}), false), slot -> {
                    killed.add(slot);
                    return pid;
                });
    }

    private String text() {
        return said.toString(StandardCharsets.UTF_8);
    }
}
