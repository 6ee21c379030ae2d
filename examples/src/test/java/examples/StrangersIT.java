package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.transport.auth.Purpose;

/**
 * Tests that connections without the secret are closed at every TCP port and lifeline socket of a job, and that the job
 * ends well although these, and datagrams to its UDP ports, came in while it ran.
 */
class StrangersIT {
    private static final int RANKS = 4;
    private static final int HELD = 1_000;
    private static final long LIMIT_SECONDS = 60;
    private static final int DATAGRAMS = 20_000;
    private static final int DATAGRAM_BYTES = 2_000;

    @Test
    @Tag("release")
    void shouldCutOffStrangersAtEveryDoorWhileTheJobGoesOn(@TempDir Path directory) throws Exception {
        Path stop = directory.resolve("stop");
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of("")
                                .toAbsolutePath()
                                .getParent()
                                .resolve("bin/mpiexec")
                                .toString(),
                        "-n",
                        Integer.toString(RANKS),
                        "--timeout",
                        "240",
                        "java",
                        "-cp",
                        MpiexecRun.testPrograms(),
                        Steady.class.getName(),
                        stop.toString())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process job = builder.start();
        try {
            for (SocketAddress door : Doors.await(job, RANKS, LIMIT_SECONDS)) {
                attack(door);
                assertThat(job.isAlive()).as(Files.readString(err)).isTrue();
            }
            List<SocketAddress> bells = Doors.bells(job.toHandle());
            assertThat(bells).hasSize(RANKS);
            for (SocketAddress bell : bells) {
                flood(bell);
                assertThat(job.isAlive()).as(Files.readString(err)).isTrue();
            }
            Files.createFile(stop);
            assertThat(job.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            job.destroy();
        }
        assertThat(job.exitValue()).as(Files.readString(err)).isZero();
        assertThat(Files.readAllLines(out)).hasSize(RANKS).allMatch(line -> line.endsWith("ends well"));
        List<String> said = Files.readAllLines(err);
        assertThat(said).filteredOn(line -> line.startsWith("mpiexec: ")).hasSize(1);
        assertThat(said)
                .as("one line of mpiexec, one message of two lines a rank")
                .hasSizeLessThanOrEqualTo(1 + 2 * RANKS);
        assertThat(String.join("\n", said)).contains("a process that does not know this job's secret calls");
    }

    private static void attack(SocketAddress door) throws IOException {
        try (Intruder intruder = new Intruder(door)) {
            for (long seed = 1; seed <= 5; seed++) {
                intruder.sendGarbage(seed);
            }
            intruder.sendHugeLengths();
            for (Purpose purpose : Purpose.values()) {
                intruder.sendForgedHello(purpose);
            }
            intruder.reflect();
            intruder.sendHalfAHello();
            intruder.hold(HELD);
            assertThat(intruder.awaitCutOff(LIMIT_SECONDS))
                    .as("%s still connected", intruder)
                    .isZero();
        }
    }

    /** Sends datagrams of 0 to 1,999 random bytes to the UDP port by which a rank is woken. */
    private static void flood(SocketAddress bell) throws IOException {
        byte[] garbage = new byte[DATAGRAM_BYTES];
        new Random(1).nextBytes(garbage);
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < DATAGRAMS; i++) {
                socket.send(new DatagramPacket(garbage, i % DATAGRAM_BYTES, bell));
            }
        }
    }
}
