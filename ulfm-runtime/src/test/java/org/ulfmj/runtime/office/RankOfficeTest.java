package org.ulfmj.runtime.office;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.LauncherProcess;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.record.Protection;

class RankOfficeTest {
    @Test
    void shouldNameTheFileThatCannotBeRead() {
        assertThatThrownBy(() -> RankOffice.begin(
                        "etcd://127.0.0.1:1/job?user=u&password_file=/nowhere/p",
                        JobSecret.random(),
                        HostPlace.only(1),
                        Protection.AUTO,
                        LauncherProcess.UNKNOWN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("password_file=/nowhere/p");
    }
}
