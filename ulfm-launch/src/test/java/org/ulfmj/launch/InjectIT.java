package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

class InjectIT {
    @Test
    void shouldSayThatAKillNeverCameToPassWhenNoProcessCallsInit() throws InterruptedException {
        Ended job = Launched.run("-n", "2", "--inject", "kill:rank=1@t=0s", "true");
        assertThat(job.exitCode()).isZero();
        assertThat(job.err()).isEqualTo("mpiexec: inject: kill:rank=1@t=0s never came to pass\n");
    }

    @Test
    void shouldPrintTheSeedAndThePlanThatItDrew() throws InterruptedException {
        Ended job = Launched.run("-n", "4", "--inject", "kill:rank=any(2)@t=random", "true");
        assertThat(job.exitCode()).isZero();
        String drawn = job.err().lines().findFirst().orElseThrow();
        assertThat(drawn)
                .matches("mpiexec: inject: --inject-seed \\d+ gives kill:rank=\\d@t=\\w+; kill:rank=\\d@t=\\w+");
        String seed = drawn.replaceAll(".*--inject-seed (\\d+) .*", "$1");
        Ended again = Launched.run("-n", "4", "--inject", "kill:rank=any(2)@t=random", "--inject-seed", seed, "true");
        assertThat(again.exitCode()).isZero();
        assertThat(again.err()).startsWith(drawn + "\n");
    }
}
