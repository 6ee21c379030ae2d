package org.ulfmj.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.host.CoreWaits;

class CoreWatchTest {
    private static final ProcessId PROCESS = new ProcessId(3, 1);
    private static final long TIMEOUT_NS = 1_000;

    @TempDir
    private Path proc;

    private final List<AgentMessage> told = new ArrayList<>();

    private void waited(int thread, long waitedNs) throws IOException {
        Path folder = Files.createDirectories(proc.resolve("47/task/" + thread));
        Files.writeString(folder.resolve("schedstat"), "5 " + waitedNs + " 1\n");
    }

    @Test
    void shouldTellHowLongAThreadHasWaitedSinceTheQuestion() throws IOException {
        CoreWatch watch = new CoreWatch(new CoreWaits(proc), TIMEOUT_NS, told::add);
        waited(1, 500);
        waited(2, 900);
        watch.watch(new AgentOrder.WatchCores(PROCESS, 47, 6), 0);
        assertThat(told).as("it looks").containsExactly(new AgentNews.CoreWaited(PROCESS, 6, 0));
        told.clear();
        watch.tick(100);
        assertThat(told).as("nothing is new").isEmpty();
        waited(1, 800);
        waited(2, 1_000);
        watch.tick(149);
        assertThat(told).as("too soon").isEmpty();
        watch.tick(150);
        assertThat(told).containsExactly(new AgentNews.CoreWaited(PROCESS, 6, 300));
        waited(1, 900);
        watch.tick(200);
        watch.tick(250);
        assertThat(told).hasSize(2).endsWith(new AgentNews.CoreWaited(PROCESS, 6, 400));

        watch.watch(new AgentOrder.WatchCores(PROCESS, 47, 7), 300);
        watch.tick(350);
        assertThat(told).hasSize(3).endsWith(new AgentNews.CoreWaited(PROCESS, 7, 0));
        waited(2, 1_070);
        watch.tick(400);
        assertThat(told).hasSize(4).endsWith(new AgentNews.CoreWaited(PROCESS, 7, 70));
    }

    @Test
    void shouldStopLookingAfterAWhile() throws IOException {
        CoreWatch watch = new CoreWatch(new CoreWaits(proc), TIMEOUT_NS, told::add);
        waited(1, 500);
        watch.watch(new AgentOrder.WatchCores(PROCESS, 47, 6), 0);
        told.clear();
        watch.tick(3_000);
        waited(1, 900);
        watch.tick(4_000);
        assertThat(told).isEmpty();
    }
}
