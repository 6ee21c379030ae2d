package org.ulfmj.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.host.ProcessStat;

class SignalSenderTest {
    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 143", "KILL, 137"})
    void shouldEndProcessesAlsoWhereNoShellCanBeStarted(String signal, int code) throws Exception {
        Process process = sleep();
        SignalSender.withoutShell(signal, List.of(RankProcess.of(ProcessId.of(0), process)));
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(code);
    }

    @Test
    void shouldEndProcessesOfAnotherLauncherAlsoWhereNoShellCanBeStarted() throws Exception {
        Process process = sleep();
        RankProcess foreign = RankProcess.of(ProcessId.of(0), new ForeignProcess(hostProcess(process.pid())));
        SignalSender.withoutShell("KILL", List.of(foreign));
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(137);

        SignalSender.withoutShell("KILL", List.of(foreign)); // the process has ended: nothing is sent
    }

    private static HostProcess hostProcess(long pid) {
        HostProcess self = HostProcess.self();
        return new HostProcess(pid, ProcessStat.of(pid).startTicks(), self.pidNamespace(), self.bootId());
    }

    private static Process sleep() throws IOException {
        return new ProcessBuilder("sleep", "600").start();
    }
}
