package org.ulfmj.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.hosts.JobHosts;

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

    /**
     * Processes that were told to end when the first lease had expired have ended by the time of two leases, or cannot
     * run any more: the second lease counts from when the launcher's main thread was told of the first.
     */
    @Test
    void shouldBeOverForTwoALeaseAfterTheLauncherWasTold() {
        assertThat(patience.isOverForTwo(host, 99 * SECOND))
                .as("it was not told")
                .isFalse();
        host.silentFromNs = 14 * SECOND;
        assertThat(patience.isOverForTwo(host, 18 * SECOND - 1)).isFalse();
        assertThat(patience.isOverForTwo(host, 18 * SECOND)).isTrue();
    }

    /**
     * While another agent of a host is being started, the limit is a minute, or the time for joining if that is
     * shorter, not a lease: a virtual machine takes seconds to start on a busy machine, and until then nothing proves
     * the ends of the processes there.
     */
    @Test
    void shouldWaitForAnotherAgentThatStartsForLongerThanALease() {
        host.heardNs = 10 * SECOND;
        host.isReplacing = true;
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

    /**
     * The first agent of a host that is discovered while the job runs has a minute to start, or the time for joining if
     * that is shorter or if the user starts the agent.
     */
    @Test
    void shouldGiveTheFirstAgentOfAFoundHostAMinute() {
        host.startedNs = 10 * SECOND;
        host.state = RemoteHost.State.WAITING;
        assertThat(patience.isStartOver(host, false, 700 * SECOND))
                .as("others are started before it")
                .isFalse();
        host.state = RemoteHost.State.STARTING;
        assertThat(patience.isStartOver(host, false, 70 * SECOND - 1)).isFalse();
        assertThat(patience.isStartOver(host, false, 70 * SECOND)).isTrue();
        assertThat(patience.isStartOver(host, true, 610 * SECOND - 1))
                .as("the user starts it")
                .isFalse();
        assertThat(patience.isStartOver(host, true, 610 * SECOND)).isTrue();
        assertThat(new AgentPatience(4 * SECOND, 20 * SECOND).isStartOver(host, false, 30 * SECOND))
                .isTrue();
        host.isReplacing = true;
        assertThat(patience.isStartOver(host, false, 70 * SECOND))
                .as("its processes have to be proven dead")
                .isFalse();
    }

    @Test
    void shouldBeginAnewAsAnotherAgentOfTheSameHost() {
        host.state = RemoteHost.State.LEFT;
        host.heardNs = 9;
        host.isReleased = true;
        host.isLost = true;
        host.hasBeenReplaced = true;
        host.begin(new JobHosts.JobHost("n1", 4, false), 70, 80);
        assertThat(List.of(host.key, host.nonce, host.formerKey, (long) host.attempt, host.heardNs))
                .containsExactly(70L, 80L, 0L, 1L, 0L);
        assertThat(host.named.slots()).isEqualTo(4);
        assertThat(host.isReleased || host.isLost || host.hasBeenReplaced).isFalse();
    }

    /**
     * The next agent of a host that was given up has to end the processes that the last agent which connected may have
     * left.
     */
    @Test
    void shouldBeginAfterThoseWhoseEndsWereNotProven() {
        host.state = RemoteHost.State.GONE;
        host.begin(host.named, 70, 80);
        assertThat(host.formerKey).as("of the agent that was given up").isEqualTo(7);
        host.state = RemoteHost.State.GONE;
        host.isReplacing = true;
        host.begin(host.named, 71, 81);
        assertThat(host.formerKey).as("the last one has never called").isEqualTo(7);
        host.state = RemoteHost.State.LEFT;
        host.begin(host.named, 72, 82);
        assertThat(List.of(host.formerKey, (long) host.formerAttempt, (long) host.attempt))
                .as("nor has the one after it")
                .containsExactly(7L, 0L, 3L);
    }
}
