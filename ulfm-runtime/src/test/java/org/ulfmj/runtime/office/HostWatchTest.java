package org.ulfmj.runtime.office;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.host.ProcessStat;

/** What proves the end of a process of this host. */
class HostWatchTest {
    @Test
    void shouldProveAnEndByPidAndStartTimeOnly() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        long pid = process.pid();
        ProcessStat alive = ProcessStat.of(pid);
        HostProcess self = HostProcess.self();
        HostProcess known = new HostProcess(pid, alive.startTicks(), self.pidNamespace(), self.bootId());
        HostProcess former = new HostProcess(pid, alive.startTicks() - 1, self.pidNamespace(), self.bootId());
        try {
            assertThat(HostWatch.end(known, alive)).isNull();
            assertThat(HostWatch.end(former, alive)).isEqualTo("pid " + pid + " is gone, and another process by now");
            assertThat(HostWatch.end(known, null)).as("no file descriptor left").isNull();
        } finally {
            process.destroyForcibly();
        }
        process.waitFor();
        assertThat(HostWatch.end(known, ProcessStat.of(pid))).isEqualTo("pid " + pid + " is gone");
    }
}
