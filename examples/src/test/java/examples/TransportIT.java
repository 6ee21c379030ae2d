package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests which way messages between ranks of one host take, as {@code ulfm.transport} or {@code ulfm.shm.max} says. */
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

    /** Returns how many bytes the process of rank 0 wrote by system calls for each byte that rank 0 sent. */
    private static double writtenPerSentByte(MpiexecRun run) {
        assertThat(run.out()).as(run.toString()).hasSize(SIZES.size() + 1);
        String[] words = run.out().get(SIZES.size()).split(" ");
        assertThat(words).as(run.toString()).hasSize(4).startsWith("sent");
        return Double.parseDouble(words[3]) / Double.parseDouble(words[1]);
    }

    /** With either transport a rank writes some bytes by system calls that are not of messages, but few. */
    @Test
    @Tag("long")
    void shouldSendThroughSharedMemoryWithoutSystemCallsAndOverTcpByThem() {
        MpiexecRun shared = run("ulfm.transport=shm");
        MpiexecRun sockets = run("ulfm.transport=tcp");

        System.out.println("half round trip, us, by bytes: shared memory " + shared.out() + ", TCP " + sockets.out());
        assertThat(shared.err()).isEmpty();
        assertThat(writtenPerSentByte(shared)).isLessThan(0.01);
        assertThat(writtenPerSentByte(sockets)).isGreaterThanOrEqualTo(1);
    }

    @Test
    void shouldUseTcpAndSayWhyOnceWhereThereIsNoRoom() {
        MpiexecRun run = run("ulfm.shm.max=5000");

        assertThat(writtenPerSentByte(run)).isGreaterThanOrEqualTo(1);
        assertThat(run.err()).as(run.toString()).hasSize(1);
        assertThat(run.err().get(0)).contains("uses TCP").contains("ulfm.shm.max (5000 bytes)");
    }
}
