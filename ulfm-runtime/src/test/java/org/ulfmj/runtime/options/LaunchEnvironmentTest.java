package org.ulfmj.runtime.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class LaunchEnvironmentTest {
    private static final LaunchEnvironment ENVIRONMENT = new LaunchEnvironment(
            "3f9a",
            new ProcessId(2, 1),
            4,
            2,
            4,
            new HostPlace(1, 3, 0x8000_0000_0000_00afL, "10.0.0.7", true),
            "127.0.0.1:4711",
            Path.of("/tmp/ulfm-3f9a/secret"),
            Path.of("/tmp/ulfm-3f9a/conf"),
            3,
            true,
            null);

    @Test
    void shouldReadBackWhatItWrote() {
        Map<String, String> variables = new TreeMap<>();
        ENVIRONMENT.writeTo(variables);
        assertThat(LaunchEnvironment.isLaunched(variables)).isTrue();
        assertThat(LaunchEnvironment.from(variables)).isEqualTo(ENVIRONMENT);
        assertThat(ENVIRONMENT.jobDirectory()).isEqualTo(Path.of("/tmp/ulfm-3f9a"));
        assertThat(ENVIRONMENT.directoryName()).isEqualTo("3f9a");
    }

    @Test
    void shouldTellASpareNoRankUntilItIsGivenOne() {
        LaunchEnvironment spare = new LaunchEnvironment(
                "3f9a",
                null,
                4,
                0,
                4,
                HostPlace.only(7),
                "127.0.0.1:4711",
                Path.of("/tmp/ulfm-3f9a/secret"),
                Path.of("/tmp/ulfm-3f9a/conf"),
                3,
                true,
                WithoutSlot.spare(2));
        Map<String, String> variables = new TreeMap<>();
        spare.writeTo(variables);
        assertThat(variables)
                .containsEntry("ULFM_SPARE", "2")
                .doesNotContainKeys(
                        "ULFM_RANK", "ULFM_INCARNATION", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "DMLC_TASK_ID");
        LaunchEnvironment read = LaunchEnvironment.from(variables);
        assertThat(read).isEqualTo(spare);
        assertThat(read.isWaitingForSlot()).isTrue();
        LaunchEnvironment placed = read.assigned(new ProcessId(3, 2));
        assertThat(placed.isWaitingForSlot()).isFalse();
        assertThat(placed.process()).isEqualTo(new ProcessId(3, 2));
        assertThat(placed.localRank()).isEqualTo(3);
        assertThat(placed.spare()).isEqualTo(2);
    }

    @Test
    void shouldTellAChildOfAnElasticJobTheSizesOfItsWorldAndNoRank() {
        LaunchEnvironment child = new LaunchEnvironment(
                "3f9a",
                null,
                4,
                2,
                3,
                HostPlace.only(7),
                "127.0.0.1:4711",
                Path.of("/tmp/ulfm-3f9a/secret"),
                Path.of("/tmp/ulfm-3f9a/conf"),
                0,
                false,
                new WithoutSlot(3, 2, 4));
        Map<String, String> variables = new TreeMap<>();
        child.writeTo(variables);
        assertThat(variables)
                .containsEntry("ULFM_MEMBERS", "2:4")
                .containsEntry("ULFM_CHILD", "3")
                .containsEntry("ULFM_SPARE", "0")
                .containsEntry("OMPI_COMM_WORLD_LOCAL_RANK", "2")
                .doesNotContainKeys(
                        "ULFM_RANK", "ULFM_INCARNATION", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "DMLC_TASK_ID");
        LaunchEnvironment read = LaunchEnvironment.from(variables);
        assertThat(read).isEqualTo(child);
        assertThat(read.isElastic()).isTrue();
        assertThat(read.spare()).isZero();
        LaunchEnvironment placed = read.assigned(ProcessId.of(7));
        assertThat(placed.process()).isEqualTo(ProcessId.of(7));
        assertThat(placed.localRank()).isEqualTo(2);
        assertThat(placed.child()).isEqualTo(3);
    }

    @Test
    void shouldRefuseAWorldOfNoSize() {
        Map<String, String> variables = new TreeMap<>();
        ENVIRONMENT.writeTo(variables);
        assertThat(variables).containsEntry("ULFM_MEMBERS", "0").containsEntry("ULFM_CHILD", "0");
        variables.put("ULFM_CHILD", "1");
        for (String noSizes : new String[] {"", "4", "2:", ":4", "two:4", "2:4:6"}) {
            variables.put("ULFM_MEMBERS", noSizes);
            assertThatThrownBy(() -> LaunchEnvironment.from(variables))
                    .hasMessage("environment variable ULFM_MEMBERS: '" + noSizes + "' is not MIN:MAX, nor 0");
        }
        variables.put("ULFM_MEMBERS", "4:2");
        assertThatThrownBy(() -> LaunchEnvironment.from(variables))
                .hasMessage("process 1 without a slot, in a world of 4 to 2 ranks");
    }

    @Test
    void shouldSpeakToScriptsWrittenForOtherLaunchers() {
        Map<String, String> variables = new TreeMap<>();
        ENVIRONMENT.writeTo(variables);
        assertThat(variables)
                .containsEntry("OMPI_COMM_WORLD_RANK", "2")
                .containsEntry("OMPI_COMM_WORLD_SIZE", "4")
                .containsEntry("PMI_RANK", "2")
                .containsEntry("PMI_SIZE", "4")
                .containsEntry("MPI_LOCALRANKID", "2")
                .containsEntry("MPI_LOCALNRANKS", "4")
                .containsEntry("DMLC_TASK_ID", "2")
                .containsEntry("DMLC_NUM_ATTEMPT", "1");
    }

    @Test
    void shouldWriteNothingThatWouldBeTakenForAnOption() {
        Map<String, String> variables = new TreeMap<>();
        ENVIRONMENT.writeTo(variables);
        assertThat(Options.fromEnvironment(variables)).isEmpty();
    }

    @Test
    void shouldNameTheVariableThatIsMissingOrNoNumber() {
        Map<String, String> variables = new TreeMap<>();
        ENVIRONMENT.writeTo(variables);
        variables.put("ULFM_SIZE", "four");
        assertThatThrownBy(() -> LaunchEnvironment.from(variables))
                .hasMessage("environment variable ULFM_SIZE: 'four' is no number");
        variables.put("ULFM_SIZE", "4");
        variables.put("ULFM_HOST", "no key");
        assertThatThrownBy(() -> LaunchEnvironment.from(variables))
                .hasMessage("environment variable ULFM_HOST: 'no key' is no hexadecimal number");
        variables.remove("ULFM_RANK");
        assertThatThrownBy(() -> LaunchEnvironment.from(variables))
                .hasMessage("environment variable ULFM_RANK is missing although ULFM_RUN_ID is set; start the program"
                        + " by mpiexec");
    }
}
