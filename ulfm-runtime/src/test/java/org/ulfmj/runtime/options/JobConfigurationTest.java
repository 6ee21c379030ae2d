package org.ulfmj.runtime.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.ProcessId;

class JobConfigurationTest {
    @TempDir
    Path directory;

    @Test
    void shouldReadBackOptionsAndTriggers() throws IOException {
        Options options = Options.of(Map.of("ulfm.fd.timeout", "60s", "ulfm.ft", "none"));
        FaultTrigger allReduce = new FaultTrigger(1, "allreduce", 100);
        FaultTrigger iteration = new FaultTrigger(2, FaultTrigger.ITERATION, 40);
        Path file = directory.resolve("conf");
        LauncherProcess launcher = new LauncherProcess(4711, 1234567890123L, 4026531836L);
        new JobConfiguration(
                        options,
                        Map.of(2, List.of(allReduce, iteration)),
                        Map.of(3, "pause:rank=1@t=2s..5s"),
                        launcher,
                        "etcd://a:1/job?lease=5")
                .write(file);

        JobConfiguration read = JobConfiguration.read(file);
        assertThat(read.options().hash()).isEqualTo(options.hash());
        assertThat(read.triggersOf(ProcessId.of(2))).containsExactly(allReduce, iteration);
        assertThat(read.triggersOf(new ProcessId(2, 1))).isEmpty();
        assertThat(read.triggersOf(ProcessId.of(0))).isEmpty();
        assertThat(read.launcher()).isEqualTo(launcher);
        assertThat(read.rdzv()).isEqualTo("etcd://a:1/job?lease=5");
    }

    @Test
    void shouldGiveAReplacementItsOwnTriggersAndThoseOfAll() throws IOException {
        FaultTrigger second = new FaultTrigger(1, FaultTrigger.atPoint("rabit.load"), 2, 1);
        FaultTrigger each = new FaultTrigger(2, FaultTrigger.atPosition(3, 4), 1, FaultTrigger.EVERY_INCARNATION);
        Path file = directory.resolve("conf");
        new JobConfiguration(Options.defaults(), Map.of(0, List.of(second, each))).write(file);

        JobConfiguration read = JobConfiguration.read(file);
        assertThat(read.triggersOf(ProcessId.of(0))).containsExactly(each);
        assertThat(read.triggersOf(new ProcessId(0, 1))).containsExactly(second, each);
        assertThat(read.triggersOf(new ProcessId(0, 2))).containsExactly(each);
        assertThat(read.rdzv()).isNull();
    }

    @Test
    void shouldRefuseALineThatIsNoSetting() throws IOException {
        Path file = Files.writeString(directory.resolve("conf"), "nonsense\n");
        assertThatThrownBy(() -> JobConfiguration.read(file)).hasMessage(file + ": 'nonsense' is no setting");
    }
}
