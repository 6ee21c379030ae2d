package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How messages of one host travel, as {@code ulfm.transport} says. */
class TransportIT {
    private static final List<String> SIZES = List.of("8", "4096", "1048576");

    private static MpiexecRun run(String... settings) {
        List<String> arguments = new ArrayList<>(List.of("-n", "2"));
        for (String setting : settings) {
            arguments.add("--set");
            arguments.add(setting);
        }
        arguments.addAll(List.of("java", "-cp", MpiexecRun.testPrograms(), "examples.PingPong"));
        arguments.addAll(SIZES);
        MpiexecRun run = MpiexecRun.of(Duration.ofSeconds(120), arguments.toArray(new String[0]));
        assertThat(run.exitCode()).as(run.toString()).isZero();
        return run;
    }

    /** Microseconds by bytes. */
    private static Map<Integer, Double> halfRoundTrips(MpiexecRun run) {
        Map<Integer, Double> times = new TreeMap<>();
        for (String line : run.out()) {
            String[] words = line.split(" ");
            times.put(Integer.valueOf(words[0]), Double.valueOf(words[1]));
        }
        assertThat(times).as(run.toString()).hasSize(SIZES.size());
        return times;
    }

    @Test
    void shouldBeFasterThroughSharedMemoryThanOverTcp() {
        MpiexecRun shared = run("ulfm.transport=shm");
        MpiexecRun sockets = run("ulfm.transport=tcp");
        Map<Integer, Double> us = halfRoundTrips(shared);
        Map<Integer, Double> tcpUs = halfRoundTrips(sockets);

        System.out.println("half round trip, us, by bytes: shared memory " + us + ", TCP " + tcpUs);
        assertThat(shared.err()).isEmpty();
        // A loaded machine spoils some figure of either, but not all of them.
        assertThat(us.entrySet()).anyMatch(size -> size.getValue() < tcpUs.get(size.getKey()));
    }

    @Test
    void shouldUseTcpAndSayWhyOnceWhereThereIsNoRoom() {
        MpiexecRun run = run("ulfm.shm.max=5000");

        halfRoundTrips(run);
        assertThat(run.err()).as(run.toString()).hasSize(1);
        assertThat(run.err().get(0)).contains("uses TCP").contains("ulfm.shm.max (5000 bytes)");
    }
}
