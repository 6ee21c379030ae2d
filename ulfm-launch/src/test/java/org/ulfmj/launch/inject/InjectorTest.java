package org.ulfmj.launch.inject;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.output.Report;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.inject.HostChoice;
import org.ulfmj.runtime.inject.HostNames;
import org.ulfmj.runtime.inject.InjectPlan;
import org.ulfmj.runtime.inject.PlannedFault;
import org.ulfmj.runtime.options.FaultTrigger;

class InjectorTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final List<ProcessId> killed = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();
    private static final ProcessId SECOND = new ProcessId(1, 1);

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
        assertThat(killed).containsExactly(ProcessId.of(2), ProcessId.of(1));
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
        injector.reached(ProcessId.of(0), 1, startNs);
        assertThat(killed).isEmpty();
        injector.reached(ProcessId.of(1), 1, startNs + 1_500_000_000);
        injector.reached(ProcessId.of(1), 1, startNs + 1_500_000_000);
        assertThat(killed).containsExactly(ProcessId.of(1));
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
        List<PlannedFault> kills = InjectPlan.parse(
                        List.of("kill:rank=0,2@op=send#3;kill:rank=2@iter=9;kill:rank=1@t=1s"), 3)
                .draw(1);
        assertThat(Injector.triggers(kills, 3, false))
                .isEqualTo(Map.of(
                        0, List.of(new FaultTrigger(1, "send", 3)),
                        2, List.of(new FaultTrigger(2, "send", 3), new FaultTrigger(3, FaultTrigger.ITERATION, 9))));
    }

    @Test
    void shouldCountTheTimesOfAReplacementFromItsStart() {
        Injector injector = injector("kill:rank=1,inc=1@t=1s;kill:rank=2,inc=1@t=1s");
        long startNs = System.nanoTime();
        injector.start(startNs);
        assertThat(injector.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        injector.started(SECOND, startNs + 5_000_000_000L);
        assertThat(injector.deadlineNs()).isEqualTo(startNs + 6_000_000_000L);
        injector.tick(startNs + 6_000_000_000L);
        assertThat(killed).containsExactly(SECOND);
        assertThat(text())
                .contains("inject: rank 1'1 (pid 77) killed at ")
                .contains("; planned at 1.000 s after its start");
        injector.finish();
        assertThat(text()).endsWith("mpiexec: inject: kill:rank=2,inc=1@t=1s never came to pass\n");
    }

    @Test
    void shouldKillOnlyTheProcessThatTheRuleIsFor() {
        Injector injector = injector("kill:rank=1,inc=1@iter=3");
        injector.start(0);
        injector.reached(ProcessId.of(1), 1, 0);
        assertThat(killed).isEmpty();
        injector.reached(SECOND, 1, 0);
        assertThat(killed).containsExactly(SECOND);
        assertThat(injector.hasKilled(SECOND)).isTrue();
        assertThat(injector.hasKilled(ProcessId.of(1))).isFalse();
    }

    @Test
    void shouldKillEachProcessOfARankOnce() {
        Injector injector = injector("kill:rank=1,inc=*@iter=3;kill:rank=1,inc=*@t=1s");
        injector.start(0);
        injector.reached(ProcessId.of(1), 1, 0);
        injector.reached(ProcessId.of(1), 1, 0);
        injector.started(SECOND, 2_000_000_000L);
        injector.reached(SECOND, 1, 2_500_000_000L);
        assertThat(killed).containsExactly(ProcessId.of(1), SECOND);
        injector.finish();
        assertThat(text()).contains("kill:rank=1,inc=*@t=1s never came to pass").doesNotContain("iter=3 never");
    }

    @Test
    void shouldStopAndContinueAndTerminateByTheClockOrAfterADeath() {
        Injector injector = injector("stop:rank=1@t=1s..3s;term:rank=2@ev=dead(0)+1s;kill:rank=1@ev=joined(2)");
        long startNs = System.nanoTime();
        injector.start(startNs);
        injector.tick(startNs + 1_000_000_000);
        assertThat(sent).containsExactly("STOP 1");
        injector.died(ProcessId.of(0), startNs + 1_500_000_000);
        injector.died(ProcessId.of(0), startNs + 1_600_000_000);
        injector.tick(startNs + 1_900_000_000L);
        assertThat(sent).hasSize(1);
        injector.tick(startNs + 60_000_000_000L);
        assertThat(sent).hasSize(3).startsWith("STOP 1").contains("TERM 2", "CONT 1");
        injector.joined(ProcessId.of(2), startNs);
        assertThat(injector.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        injector.joined(new ProcessId(2, 1), startNs);
        injector.tick(startNs);
        assertThat(killed).containsExactly(ProcessId.of(1));
        assertThat(text())
                .contains(") stopped at ")
                .contains("inject: rank 1 continued at ")
                .contains("got SIGTERM at");
    }

    @Test
    void shouldPauseTheStoreAndEndTheLauncher() {
        Injector injector = injector("store-pause:*@t=1s..3s;launcher-kill:*@ev=dead(1)");
        injector.start(0);
        injector.tick(1_000_000_000);
        injector.died(ProcessId.of(1), 1_000_000_000);
        injector.tick(1_000_000_000);
        assertThat(sent).containsExactly("pause of the store for 2000000000", "kill of the launcher");
        injector.finish();
        assertThat(text()).contains("the store pauses at ").doesNotContain("never");
    }

    @Test
    void shouldLeaveToProcessesWhatIsTheirs() {
        List<PlannedFault> faults = InjectPlan.parse(
                        List.of(
                                "kill:rank=0@op=send#1;pause:rank=1@t=1s..2s;term:rank=2@iter=3;kill:rank=2@ev=revoked+1s;"
                                        + "reset:link=0-1@t=1s;stop:rank=0@t=1s;term:rank=1@ev=dead(0)"),
                        3)
                .draw(1);
        assertThat(Injector.rulesOfProcesses(faults, null, true))
                .isEqualTo(Map.of(
                        0, "report",
                        2, "pause:rank=1@t=1s..2s",
                        3, "term:rank=2@iter=3",
                        4, "kill:rank=2@ev=revoked+1s",
                        5, "reset:link=0-1@t=1s"));
        assertThat(Injector.rulesOfProcesses(List.of(), null, false)).isEmpty();
        Injector injector = new Injector(faults, new Report(said::writeBytes, false), new Recorded());
        injector.start(System.nanoTime());
        injector.reached(ProcessId.of(1), 2, System.nanoTime());
        injector.reached(ProcessId.of(1), 5, System.nanoTime());
        injector.reached(ProcessId.of(0), 5, System.nanoTime());
        injector.reached(ProcessId.of(2), 3, System.nanoTime());
        long nowNs = System.nanoTime();
        injector.reached(ProcessId.of(2), 4, nowNs);
        assertThat(killed).isEmpty();
        injector.tick(nowNs + 999_999_999);
        assertThat(killed).isEmpty();
        injector.tick(nowNs + 1_000_000_000);
        assertThat(killed).containsExactly(ProcessId.of(2));
        assertThat(sent).containsExactly("TERM 2", "STOP 0");
        assertThat(text()).contains("inject: rank 1 pauses at ").containsOnlyOnce("reset:link=0-1@t=1s began at ");
    }

    /**
     * The launcher carries out its part of faults of hosts: a partition between itself and agents, and kills of agents.
     * Processes carry out their part of a partition themselves; they know the hosts by their keys.
     */
    @Test
    void shouldCarryOutItsPartOfWhatHappensToHosts() {
        List<PlannedFault> faults = InjectPlan.parse(
                        List.of("partition:node=0/1@t=1s..3s; agent-kill:node=1@ev=dead(2)"), 3, HostNames.IN_PROCESSES)
                .draw(1);
        assertThat(Injector.rulesOfProcesses(faults, new NamedHosts(), false))
                .isEqualTo(Map.of(1, "partition:node=a0+mpiexec/b1@t=1s..3s"));
        Injector injector = new Injector(faults, new Report(said::writeBytes, false), new Recorded());
        injector.start(0);
        injector.tick(999_999_999);
        assertThat(sent).isEmpty();
        injector.tick(1_000_000_000);
        injector.died(ProcessId.of(2), 2_000_000_000);
        injector.tick(2_000_000_000);
        assertThat(sent).containsExactly("partition of node=0/1 for 2000000000", "kill of the agents of node=1");
        injector.finish();
        assertThat(text())
                .contains("inject: partition:node=0/1@t=1s..3s began at ", "planned at 1.000 s")
                .doesNotContain("never");
    }

    private static final class NamedHosts implements HostWords {
        @Override
        public Set<String> wordsOf(String host) {
            return host.equals("0") ? Set.of("a0", "mpiexec") : Set.of("b1");
        }
    }

    private Injector injector(String plan) {
        return new Injector(
                InjectPlan.parse(List.of(plan), 3).draw(1), new Report(said::writeBytes, false), new Recorded());
    }

    private final class Recorded implements Injector.Executioner {
        @Override
        public long kill(ProcessId process) {
            killed.add(process);
            return pid;
        }

        @Override
        public long signal(ProcessId process, String name) {
            sent.add(name + " " + process);
            return pid;
        }

        @Override
        public void killLauncher() {
            sent.add("kill of the launcher");
        }

        @Override
        public void killAgents(HostChoice hosts) {
            sent.add("kill of the agents of " + hosts);
        }

        @Override
        public void partition(HostChoice hosts, long durationNs) {
            sent.add("partition of " + hosts + " for " + durationNs);
        }

        @Override
        public void pauseStore(long durationNs) {
            sent.add("pause of the store for " + durationNs);
        }
    }

    private String text() {
        return said.toString(StandardCharsets.UTF_8);
    }
}
