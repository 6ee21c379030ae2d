package org.ulfmj.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.launch.command.JobHosts;

class AgentPatienceTest {
    private static final long SECOND = 1_000_000_000;

    private final AgentPatience patience = new AgentPatience(4 * SECOND, 600 * SECOND);
    private final RemoteHost host = new RemoteHost(1, new JobHosts.JobHost("n1", 2, false), 7, 8);

    @Test
    void shouldBeOverALeaseAfterTheAgentWasHeardLast() {
        host.state = RemoteHost.State.READY;
        assertThat(patience.isOver(host, 99 * SECOND)).as("it has never called").isFalse();
        host.heardNs = 10 * SECOND;
        assertThat(patience.isOver(host, 14 * SECOND - 1)).isFalse();
        assertThat(patience.isOver(host, 14 * SECOND)).isTrue();
        host.state = RemoteHost.State.LOST;
        assertThat(patience.isOver(host, 14 * SECOND)).isTrue();
        host.state = RemoteHost.State.GONE;
        assertThat(patience.isOver(host, 14 * SECOND)).isFalse();
    }

    /** What was told to end when the first lease was over has done so, or cannot run any more. */
    @Test
    void shouldBeOverForTwoALeaseAfterTheLauncherWasTold() {
        assertThat(patience.isOverForTwo(host, 99 * SECOND))
                .as("it was not told")
                .isFalse();
        host.silentFromNs = 14 * SECOND;
        assertThat(patience.isOverForTwo(host, 18 * SECOND - 1)).isFalse();
        assertThat(patience.isOverForTwo(host, 18 * SECOND)).isTrue();
    }

    /** A virtual machine takes seconds to start on a busy machine, and the processes prove nothing by themselves. */
    @Test
    void shouldWaitForAnotherAgentThatStartsForLongerThanALease() {
        host.heardNs = 10 * SECOND;
        host.attempt = 1;
        host.replacedNs = 11 * SECOND;
        for (RemoteHost.State state : new RemoteHost.State[] {RemoteHost.State.WAITING, RemoteHost.State.STARTING}) {
            host.state = state;
            assertThat(patience.isOver(host, 71 * SECOND - 1)).isFalse();
            assertThat(patience.isOver(host, 71 * SECOND)).isTrue();
        }
        host.state = RemoteHost.State.LOST;
        assertThat(patience.isOver(host, 20 * SECOND))
                .as("its start has failed")
                .isTrue();
        host.state = RemoteHost.State.STARTING;
        assertThat(new AgentPatience(4 * SECOND, 20 * SECOND).isOver(host, 31 * SECOND))
                .isTrue();
    }
}
