package org.ulfmj.runtime.office;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.SilentListener;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.options.LauncherProcess;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.record.Protection;

class RankOfficeTest {
    private static final long SECOND = 1_000_000_000;

    private static LaunchEnvironment place(String runId) {
        Path none = Path.of("/nowhere");
        return new LaunchEnvironment(
                runId, ProcessId.of(0), 1, 0, 1, HostPlace.only(1), "", none, none.resolve("conf"), 0, false, null);
    }

    /**
     * Shows that a rank does not coordinate another job of the same name. It may be elected for one if the name was
     * given again while processes of the earlier job were stopped.
     */
    @Test
    void shouldCoordinateNoOtherJobOfItsName() {
        RunSpec other = new RunSpec("run-2", 2, 0, 60 * SECOND, 30 * SECOND);
        byte[] image = new RendezvousCore(other, new SilentListener()).image();
        RankOffice rank = RankOffice.begin(
                "etcd://127.0.0.1:1/job", place("run-1"), JobSecret.random(), Protection.AUTO, LauncherProcess.UNKNOWN);
        try {
            assertThatThrownBy(() -> rank.onElected(image, stored -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("is that of job run-2, this rank is of job run-1");
        } finally {
            rank.leave();
        }
    }

    @Test
    void shouldNameTheFileThatCannotBeRead() {
        assertThatThrownBy(() -> RankOffice.begin(
                        "etcd://127.0.0.1:1/job?user=u&password_file=/nowhere/p",
                        place("run"),
                        JobSecret.random(),
                        Protection.AUTO,
                        LauncherProcess.UNKNOWN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("password_file=/nowhere/p");
    }
}
