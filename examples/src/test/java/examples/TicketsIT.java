package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TicketsIT {
    @Test
    void shouldDoEachTicketAlthoughARankDiesThatHasTakenOne() {
        MpiexecRun run = MpiexecRun.of(
                Duration.ofSeconds(100),
                "-n",
                "3",
                "--timeout",
                "90",
                "--inject",
                "kill:rank=1@iter=1",
                "examples",
                "Tickets",
                "12");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out()).hasSize(2).allMatch(line -> line.endsWith(" of 12 tickets, their sum is 27969827"));
    }
}
