package org.ulfmj.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.launch.hosts.AgentStart;
import org.ulfmj.launch.hosts.JobHosts;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.session.LinkIdentity;

/**
 * Tests the states of hosts that are discovered while the job runs. No agent runs: they are to be started by the user,
 * and the test itself reports that one is ready, is lost or has left.
 */
class HostStatesTest {
    @TempDir
    Path directory;

    private final Options options = Options.of(Map.of());
    private final List<RemoteHost> hosts = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final Agents.Events events = recording();
    private final RemoteEnds ends = new RemoteEnds(events);
    private HostStates states;
    private AgentStarts starts;
    private AgentLine line;

    @BeforeEach
    void begin() throws IOException {
        begin(32);
    }

    private void begin(int mostAtOnce) throws IOException {
        hosts.clear();
        hosts.add(null);
        AgentStarter starter = new AgentStarter(
                new AgentStart(AgentStart.Kind.MANUAL, List.of(), true, mostAtOnce),
                new Installation(Path.of("ulfm.jar"), Path.of("examples.jar"), Path.of("java")));
        states = new HostStates(options, hosts, ends, events, starter, true);
        LinkIdentity self = new LinkIdentity(ProcessId.of(AgentLine.LAUNCHER), 1);
        line = new AgentLine(self, JobSecret.random(), options, null, silent());
        starts = new AgentStarts(starter, hosts, states, line, Specs::one, directory, events, true);
        states.begin(starts, line);
        line.start(List.of());
    }

    @AfterEach
    void end() {
        line.close();
    }

    @Test
    void shouldStartEachAgentOnceWhereTheStartOfAnotherFails() throws IOException {
        RemoteHost first = host("n1");
        RemoteHost second = host("n2");
        Files.createFile(directory.resolve("agent.1.0"));
        onLine(() -> {
            first.state = RemoteHost.State.WAITING;
            second.state = RemoteHost.State.WAITING;
            starts.startWaiting();
        });
        assertThat(first.state).isEqualTo(RemoteHost.State.LEFT);
        assertThat(second.state).isEqualTo(RemoteHost.State.STARTING);
        assertThat(told).filteredOn(each -> each.startsWith("onUnusable")).hasSize(1);
        assertThat(told).filteredOn(each -> each.contains("start on n2")).hasSize(1);
    }

    @Test
    void shouldStartTheNextAgentOnceOneThatReplacesAnotherCannotBeStarted() throws IOException {
        end();
        begin(1);
        RemoteHost first = host("n1");
        RemoteHost second = host("n2");
        onLine(() -> {
            becomeReady(first);
            states.lost(first, "the command that started its agent ended with code 137");
            states.begin(second, second.named);
            assertThat(second.state).isEqualTo(RemoteHost.State.WAITING);
            states.lost(first, "no login");
            assertThat(first.state).isEqualTo(RemoteHost.State.LOST);
            assertThat(second.state).isEqualTo(RemoteHost.State.STARTING);
        });
    }

    /**
     * A host was given up whose agent had been connected. The next agents never connect. The first one that does still
     * has to end what the given-up agent may have left.
     */
    @Test
    void shouldRememberWhatMayBeLeftUntilAnAgentHasEndedIt() {
        RemoteHost host = host("n1");
        onLine(() -> {
            becomeReady(host);
            host.heardNs = System.nanoTime() - options.joinTimeoutNs();
            long key = host.key;
            int attempt = host.attempt;
            states.giveUpIfSilent(host, "nothing was heard of it");
            assertThat(host.state).isEqualTo(RemoteHost.State.GONE);
            for (int start = 0; start < 2; start++) {
                states.begin(host, host.named);
                assertThat(List.of(host.formerKey, (long) host.formerAttempt)).containsExactly(key, (long) attempt);
                states.lost(host, "no login");
                assertThat(host.state).isEqualTo(RemoteHost.State.LEFT);
            }
            states.begin(host, host.named);
            states.ready(host, "10.0.0.1");
            assertThat(host.formerKey).as("nothing is left of it").isZero();
        });
    }

    /**
     * An agent that was told to leave has died before it reported that no process is left: the next agent has to end
     * what is left.
     */
    @Test
    void shouldHaveTheNextAgentEndWhatOneMayHaveLeftThatDiedWhileItLeft() {
        RemoteHost host = host("n1");
        onLine(() -> {
            becomeReady(host);
            long key = host.key;
            states.release(host);
            states.lost(host, "the command that started its agent ended with code 255");
            states.begin(host, host.named);
            assertThat(host.formerKey).isEqualTo(key);
            assertThat(host.state).isEqualTo(RemoteHost.State.STARTING);
        });
        assertThat(told).filteredOn(each -> each.startsWith("onUnusable")).isEmpty();
    }

    @Test
    void shouldLeaveNothingBehindAnAgentThatLeftInOrder() {
        RemoteHost host = host("n1");
        onLine(() -> {
            becomeReady(host);
            states.release(host);
            states.left(host);
            states.begin(host, host.named);
            assertThat(List.of(host.formerKey, (long) host.attempt)).containsExactly(0L, 2L);
        });
    }

    /**
     * The batch system has sent SIGTERM to a host and killed its agent. Another agent then proves the ends of the
     * processes, and the host is not used again.
     */
    @Test
    void shouldNotUseAHostThatIsWantedBackThoughItsAgentWasKilledMeanwhile() {
        RemoteHost host = host("n1");
        onLine(() -> {
            becomeReady(host);
            states.terminating(host);
            states.lost(host, "the command that started its agent ended with code 137");
            assertThat(host.isReplacing).as("another agent proves the ends").isTrue();
            states.ready(host, "10.0.0.1");
            assertThat(host.isWantedBack).isTrue();
            states.left(host);
            assertThat(host.state).isEqualTo(RemoteHost.State.LEFT);
        });
        assertThat(told).filteredOn(each -> each.startsWith("onUsable")).hasSize(1);
        assertThat(told).contains("onUnusable [1, it was wanted back]");
        assertThat(told).filteredOn(each -> each.contains("an agent again")).isEmpty();
    }

    /** A host whose agent was not heard while it left is not reported as unusable. */
    @Test
    void shouldUseAHostAgainWhoseAgentWasNotHeardWhenItLeft() {
        RemoteHost host = host("n1");
        onLine(() -> {
            becomeReady(host);
            states.release(host);
            host.heardNs = System.nanoTime() - options.joinTimeoutNs();
            states.giveUpIfSilent(host, "nothing was heard of it");
            assertThat(host.state).isEqualTo(RemoteHost.State.GONE);
        });
        assertThat(told).filteredOn(each -> each.startsWith("onUnusable")).isEmpty();
    }

    private void becomeReady(RemoteHost host) {
        states.begin(host, host.named);
        states.ready(host, "10.0.0.1");
        states.heard(host);
    }

    private RemoteHost host(String name) {
        JobHosts.JobHost named = new JobHosts.JobHost(name, 2, false);
        RemoteHost host = new RemoteHost(hosts.size(), named, 7, 8, RemoteHost.State.LEFT);
        hosts.add(host);
        return host;
    }

    /** Runs a task on the thread of the agent line, and waits for the end of the task. */
    private void onLine(Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        line.run(() -> {
            try {
                task.run();
                done.complete(null);
            } catch (Throwable failed) {
                done.completeExceptionally(failed);
            }
        });
        done.join();
    }

    /** Writes down each event, with its arguments. */
    private Agents.Events recording() {
        return (Agents.Events) Proxy.newProxyInstance(
                Agents.Events.class.getClassLoader(),
                new Class<?>[] {Agents.Events.class},
                (self, method, arguments) -> {
                    told.add(method.getName() + " " + Arrays.toString(arguments));
                    return null;
                });
    }

    private static AgentLine.Listener silent() {
        return (AgentLine.Listener) Proxy.newProxyInstance(
                AgentLine.Listener.class.getClassLoader(),
                new Class<?>[] {AgentLine.Listener.class},
                (self, method, arguments) -> null);
    }
}
