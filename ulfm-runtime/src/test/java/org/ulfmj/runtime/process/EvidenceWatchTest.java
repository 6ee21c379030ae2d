package org.ulfmj.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.host.ProcessStat;

class EvidenceWatchTest {
    private static final long SECOND_NS = 1_000_000_000;

    private final HostProcess here = HostProcess.self();
    private final List<String> proven = new ArrayList<>();
    private final Set<ProcessId> standing = new TreeSet<>();
    private final EvidenceWatch.Proof proof = (process, reason) -> proven.add(process + ": " + reason);

    private MemberRecord member(int slot, long pid, long startTicks, long namespace) {
        return new MemberRecord(
                ProcessId.of(slot),
                slot,
                0,
                "127.0.0.1",
                1,
                "",
                new HostProcess(pid, startTicks, namespace, here.bootId()));
    }

    private MemberRecord me(int slot) {
        return member(slot, here.pid(), here.startTicks(), here.pidNamespace());
    }

    private EvidenceWatch watch(MemberRecord... table) {
        return new EvidenceWatch(table[0], List.of(table), standing::contains);
    }

    private MemberRecord of(int slot, Child child) {
        ProcessStat stat = ProcessStat.of(child.pid());
        return member(slot, child.pid(), stat.startTicks(), here.pidNamespace());
    }

    private void pollUntilProven(EvidenceWatch watch) {
        long startNs = System.nanoTime();
        while (proven.isEmpty()) {
            assertThat(System.nanoTime() - startNs).as("nothing proven").isLessThan(60 * SECOND_NS);
            watch.poll(System.nanoTime(), proof);
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldProveADeathOnlyOnceTheProcessIsDead() throws Exception {
        try (Child child = Child.start(Sleeper.class, Map.of())) {
            child.awaitLine("sleeping");
            EvidenceWatch watch = watch(me(0), of(1, child));
            watch.onLifelineLost(ProcessId.of(1));
            watch.poll(0, proof);
            watch.poll(10 * SECOND_NS, proof);
            assertThat(proven).as("it lives").isEmpty();

            child.kill();
            watch.onLifelineLost(ProcessId.of(1));
            pollUntilProven(watch);
            assertThat(proven)
                    .singleElement()
                    .asString()
                    .startsWith("1: pid " + child.pid() + " ")
                    .endsWith(" (its lifeline ended)");
            watch.poll(System.nanoTime() + SECOND_NS, proof);
            assertThat(proven).as("told once").hasSize(1);
        }
    }

    @Test
    void shouldKeepNothingOfTheProcessesThatASlotHadBefore() {
        EvidenceWatch watch = watch(me(0), member(1, 1L << 40, 5, here.pidNamespace()));
        for (int incarnation = 0; incarnation < 1_000; incarnation++) {
            watch.onGone(new ProcessId(1, incarnation));
            ProcessId next = new ProcessId(1, incarnation + 1);
            watch.onWorld(List.of(
                    me(0),
                    new MemberRecord(
                            next,
                            1,
                            0,
                            "127.0.0.1",
                            1,
                            "",
                            new HostProcess(1L << 40, 5, here.pidNamespace(), here.bootId()))));
            assertThat(watch.comparable(next)).isNotNull();
        }
        assertThat(watch.kept()).isEqualTo(3);
        assertThat(watch.isGone(new ProcessId(1, 7))).isTrue();
        assertThat(watch.isGone(new ProcessId(1, 1_000))).isFalse();
        assertThat(watch.comparable(new ProcessId(1, 7))).isNull();
    }

    @Test
    void shouldCompareNoProcessOfAnotherHostOfTheSameMachine() {
        MemberRecord other = new MemberRecord(
                ProcessId.of(1),
                1,
                4711,
                "127.0.0.1",
                1,
                "",
                new HostProcess(1L << 40, 5, here.pidNamespace(), here.bootId()));
        EvidenceWatch watch = watch(me(0), other);
        assertThat(watch.comparable(ProcessId.of(1))).isNull();
        watch.onLifelineLost(ProcessId.of(1));
        watch.poll(0, proof);
        assertThat(proven).isEmpty();
    }

    @Test
    void shouldLookAtNoProcessWithoutReason() {
        EvidenceWatch watch = watch(me(0), member(1, 1L << 40, 5, here.pidNamespace()));
        watch.poll(0, proof);
        assertThat(proven).isEmpty();
    }

    @Test
    void shouldLookAtANeighbourUntilItsLifelineStands() {
        EvidenceWatch watch =
                watch(me(0), member(1, 1L << 40, 5, here.pidNamespace()), member(2, 1L << 40, 5, here.pidNamespace()));
        standing.add(ProcessId.of(1));
        watch.awaitLifelines(List.of(ProcessId.of(1), ProcessId.of(2)));
        watch.poll(0, proof);
        assertThat(proven).containsExactly("2: pid " + (1L << 40) + " is gone (it had no lifeline yet)");
        standing.clear();
        watch.poll(SECOND_NS, proof);
        assertThat(proven).as("once it stood, only its end counts").hasSize(1);
        watch.onLifelineLost(ProcessId.of(1));
        watch.poll(2 * SECOND_NS, proof);
        assertThat(proven).hasSize(2);
    }

    @Test
    void shouldLookIntoALostLifelineOnlyWhenTheLauncherHasHadTimeToTell() {
        EvidenceWatch watch =
                watch(me(0), member(1, 1L << 40, 5, here.pidNamespace()), member(2, 1L << 40, 5, here.pidNamespace()));
        watch.onLifelineLost(ProcessId.of(1), SECOND_NS);
        watch.onLifelineLost(ProcessId.of(2), SECOND_NS + 1);
        long dueNs = SECOND_NS + EvidenceWatch.PATIENCE_NS;
        assertThat(watch.nextDeadlineNs()).isEqualTo(dueNs);
        watch.onGone(ProcessId.of(2));
        watch.poll(dueNs - 1, proof);
        assertThat(proven).isEmpty();
        watch.poll(dueNs, proof);
        assertThat(proven).containsExactly("1: pid " + (1L << 40) + " is gone (its lifeline ended)");
        assertThat(watch.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldLookIntoLostLifelinesAtOnceWhenTheLauncherIsLost() {
        EvidenceWatch watch = watch(
                me(0),
                member(1, 1L << 40, 5, here.pidNamespace()),
                member(2, 1L << 40, 5, here.pidNamespace()),
                member(3, here.pid(), here.startTicks(), here.pidNamespace()));
        watch.onLifelineLost(ProcessId.of(1), SECOND_NS);
        watch.onLauncherLost();
        watch.onLifelineLost(ProcessId.of(2), SECOND_NS);
        watch.poll(SECOND_NS, proof);
        assertThat(proven)
                .containsExactly(
                        "1: pid " + (1L << 40) + " is gone (its lifeline ended)",
                        "2: pid " + (1L << 40) + " is gone (its lifeline ended)");
    }

    @Test
    void shouldTellAProcessFromAnotherThatHasItsPid() {
        EvidenceWatch watch = watch(me(0), member(1, here.pid(), here.startTicks() + 1, here.pidNamespace()));
        watch.onLifelineLost(ProcessId.of(1));
        watch.poll(0, proof);
        assertThat(proven)
                .containsExactly("1: pid " + here.pid() + " is gone, its pid is another process (its lifeline ended)");
    }

    @Test
    void shouldProveNothingAcrossPidNamespacesOrWithoutAStartTime() {
        EvidenceWatch watch = watch(
                me(0), member(1, 1L << 40, 5, here.pidNamespace() + 1), member(2, 1L << 40, 0, here.pidNamespace()));
        watch.onLifelineLost(ProcessId.of(1));
        watch.onLifelineLost(ProcessId.of(2));
        watch.poll(0, proof);
        assertThat(proven).isEmpty();
    }

    @Test
    void shouldProveNothingByAFileThatCannotBeOpenedWhileTheProcessIsThere(@TempDir Path processes) throws Exception {
        Path folder = Files.createDirectory(processes.resolve("41"));
        EvidenceWatch watch = new EvidenceWatch(
                processes.toString(), me(0), List.of(me(0), member(1, 41, 5, here.pidNamespace())), standing::contains);
        watch.onLifelineLost(ProcessId.of(1));
        watch.poll(0, proof);
        assertThat(proven).as("the folder is there").isEmpty();

        String ofAnother = "41 (java) S" + " 0".repeat(18) + " 6 0 0";
        Files.writeString(folder.resolve("stat"), ofAnother);
        watch.poll(SECOND_NS, proof);
        assertThat(proven).singleElement().asString().contains("its pid is another process");
    }

    @Test
    void shouldProveTheEndOfAProcessWhoseFileCouldNotBeOpenedBefore(@TempDir Path processes) throws Exception {
        Path folder = Files.createDirectory(processes.resolve("41"));
        EvidenceWatch watch = new EvidenceWatch(
                processes.toString(), me(0), List.of(me(0), member(1, 41, 5, here.pidNamespace())), standing::contains);
        watch.onLifelineLost(ProcessId.of(1));
        watch.poll(0, proof);
        Files.delete(folder);
        watch.poll(SECOND_NS, proof);
        assertThat(proven).containsExactly("1: pid 41 is gone (its lifeline ended)");
    }

    @Test
    void shouldSayWhenToLookAgainWhileItHasReasonTo() throws Exception {
        try (Child child = Child.start(Sleeper.class, Map.of())) {
            child.awaitLine("sleeping");
            EvidenceWatch watch = watch(me(0), of(1, child));
            watch.poll(0, proof);
            assertThat(watch.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
            watch.onLifelineLost(ProcessId.of(1));
            watch.poll(0, proof);
            assertThat(watch.nextDeadlineNs()).isBetween(1L, SECOND_NS);
            watch.onGone(ProcessId.of(1));
            assertThat(watch.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void shouldForgetTheGone() {
        EvidenceWatch watch = watch(me(0), member(1, 1L << 40, 5, here.pidNamespace()));
        watch.onLifelineLost(ProcessId.of(1));
        watch.onGone(ProcessId.of(1));
        watch.poll(0, proof);
        watch.onLifelineLost(ProcessId.of(1));
        watch.poll(SECOND_NS, proof);
        assertThat(proven).isEmpty();
    }

    @Test
    void shouldLookAfterTheNearestLivePredecessorOnceTheLauncherIsLost() {
        List<MemberRecord> table = List.of(
                me(0),
                member(1, 1L << 40, 5, here.pidNamespace()),
                member(2, 1L << 40, 5, here.pidNamespace()),
                member(3, 1L << 40, 5, here.pidNamespace()));
        EvidenceWatch watch = new EvidenceWatch(table.get(0), table, standing::contains);
        watch.onGone(ProcessId.of(3));
        watch.onLauncherLost();
        watch.poll(0, proof);
        assertThat(proven).singleElement().asString().startsWith("2: ");

        watch.onGone(ProcessId.of(2));
        watch.poll(SECOND_NS, proof);
        assertThat(proven).hasSize(2);
        assertThat(proven.get(1))
                .startsWith("1: pid ")
                .endsWith("is gone (only this rank looks after it since mpiexec is lost)");
    }
}
