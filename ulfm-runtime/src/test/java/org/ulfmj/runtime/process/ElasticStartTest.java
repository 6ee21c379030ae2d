package org.ulfmj.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.runtime.inject.KillPoints;
import org.ulfmj.runtime.options.FaultTrigger;

/** Tests real processes that join a job without a slot, and whether they are let in; the test is their launcher. */
class ElasticStartTest {
    /** A failure timeout so long that no missing heartbeat explains what a test sees. */
    private static final Map<String, String> PATIENT = Map.of("ulfm.fd.timeout", "120s");

    @TempDir
    private Path directory;

    private static void requireAllEnded(List<Child> children) throws Exception {
        for (Child child : children) {
            assertThat(child.exitCode()).as(() -> child.said().toString()).isZero();
        }
    }

    @Test
    void shouldLetTwoProcessesInAndGoOnWithoutOneThatIsKilled() throws Exception {
        try (ElasticWorld world = new ElasticWorld(2, 4, directory, PATIENT, Map.of())) {
            List<Child> all = new ArrayList<>(world.begin("grow", "4", "3", "0"));
            all.addAll(world.start(2, "grow", "4", "3", "0"));
            for (Child child : all) {
                child.awaitLine("grown to 4 as ");
            }
            assertThat(all.get(0).said()).anyMatch(line -> line.endsWith("let in false"));
            assertThat(all.get(3).said()).anyMatch(line -> line.endsWith("let in true"));
            Child killed = all.remove(1);
            killed.kill();
            requireAllEnded(all);
            assertThat(all).allSatisfy(child -> assertThat(child.said()).contains("finishes with 0 waiting"));
            assertThat(killed.exitCode()).isEqualTo(137);
        }
    }

    @Test
    void shouldEndAProcessThatIsNotLetInWithTheJob() throws Exception {
        try (ElasticWorld world = new ElasticWorld(1, 1, directory, PATIENT, Map.of())) {
            Child founder = world.begin("wait").get(0);
            founder.awaitLine("joined 0 of 1");
            Child waiting = world.start(1, "wait").get(0);
            world.await("arrived");
            world.server.closeRendezvous("the test wants it");
            waiting.awaitLine("process 2 (without a rank) is not needed and ends: the test wants it (exit code 0)");
            assertThat(waiting.exitCode()).isZero();
            assertThat(founder.exitCode()).isZero();
        }
    }

    @Test
    void shouldEndAProcessThatIsNotLetInWhenAllOthersFinish() throws Exception {
        try (ElasticWorld world = new ElasticWorld(1, 2, directory, PATIENT, Map.of())) {
            Child founder = world.begin("meet").get(0);
            Child waiting = world.start(1, "meet").get(0);
            founder.awaitLine("met 1 that waits");
            waiting.awaitLine("process 2 (without a rank) is not needed and ends: ");
            assertThat(waiting.exitCode()).isZero();
            assertThat(founder.exitCode()).isZero();
        }
    }

    /**
     * Shows that a process which had waited, and one that comes later, form a new world of two after all members have
     * died.
     */
    @Test
    void shouldBeginAnewOnceAllMembersHaveDied() throws Exception {
        try (ElasticWorld world = new ElasticWorld(2, 3, directory, PATIENT, Map.of())) {
            List<Child> first = world.begin("wait");
            for (Child founder : first) {
                founder.awaitLine("joined ");
            }
            List<Child> second = new ArrayList<>(world.start(1, "finish"));
            world.await("arrived");
            first.forEach(Child::kill);
            world.await("gone"); // The last call of the next world can be ended only once it has begun.
            second.addAll(world.start(1, "finish"));
            world.await("arrived");
            world.server.endLastCall();
            for (Child member : second) {
                assertThat(member.awaitLine("joined ")).endsWith(" of 2");
                member.awaitLine("agreed 7");
            }
            requireAllEnded(second);
        }
    }

    @Tag("release")
    @Test
    void shouldEndAProcessWithoutASlotWhenTheLauncherIsLost() throws Exception {
        Map<String, String> quick = Map.of("ulfm.fd.timeout", "5s", "ulfm.link.budget", "1s");
        try (ElasticWorld world = new ElasticWorld(1, 2, directory, quick, Map.of())) {
            world.begin("wait").get(0).awaitLine("joined 0 of 1");
            Child waiting = world.start(1, "wait").get(0);
            world.await("arrived");
            world.server.close();
            waiting.awaitLine("process 2 (without a rank) ends because mpiexec is lost: ");
            assertThat(waiting.exitCode()).isEqualTo(ProcessEnd.ORPHANED);
        }
    }

    /**
     * Shows that the other processes still grow the world and end well if a member or a newcomer is killed in the
     * middle of grow.
     */
    @ParameterizedTest
    @CsvSource({"0, replace.offered", "3, join.admitted"})
    void shouldGrowWithoutAProcessThatIsKilledThere(int slot, String point) throws Exception {
        killOneOf(slot, point, PATIENT);
    }

    @Tag("release")
    @ParameterizedTest
    @CsvSource({"1, replace.admitted", "3, join.pending", "2, replace.offered", "4, join.pending"})
    void shouldGrowWithoutAProcessThatIsKilledAtAnyPoint(int slot, String point) throws Exception {
        killOneOf(slot, point, PATIENT);
    }

    @Tag("release")
    @ParameterizedTest
    @CsvSource({
        "1, replace.offered",
        "2, replace.offered",
        "0, replace.admitted",
        "2, replace.admitted",
        "4, join.admitted",
        "4, join.pending"
    })
    void shouldGrowOverTcpWithoutAProcessThatIsKilledThere(int slot, String point) throws Exception {
        Map<String, String> overTcp = new TreeMap<>(PATIENT);
        overTcp.put("ulfm.transport", "tcp");
        killOneOf(slot, point, overTcp);
    }

    private void killOneOf(int slot, String point, Map<String, String> settings) throws Exception {
        assertThat(KillPoints.ALL).contains(point);
        FaultTrigger trigger = new FaultTrigger(7, FaultTrigger.atPoint(point), 1);
        try (ElasticWorld world = new ElasticWorld(3, 5, directory, settings, Map.of(slot, List.of(trigger)))) {
            List<Child> all = new ArrayList<>(world.begin("grow", "4", "4", "2"));
            all.get(0).awaitLine("joined 0 of 3");
            all.addAll(world.start(2, "grow", "4", "4", "2"));
            world.await("reached rule 7");
            int killed = 0;
            for (Child child : all) {
                int code = child.exitCode();
                assertThat(code).as(() -> child.said().toString()).isIn(0, 137);
                killed += code == 137 ? 1 : 0;
                if (code == 0) {
                    assertThat(child.said()).anyMatch(line -> line.startsWith("grown to "));
                }
            }
            assertThat(killed).isEqualTo(1);
        }
    }
}
