package examples.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import examples.RunningCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests jobs in a cluster of Slurm with two nodes. */
@Timeout(180)
class SlurmJobIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long PAUSE_NS = 20_000_000;

    private Slurm slurm;

    @BeforeEach
    void makeCluster() throws IOException {
        assumeTrue(Slurm.obstacle() == null, Slurm.obstacle());
        slurm = new Slurm();
    }

    @AfterEach
    void removeCluster() throws IOException {
        if (slurm != null) {
            slurm.close();
        }
    }

    /**
     * Runs the scripts in examples/slurm on two nodes with two tasks each; then jobs of which a rank or an agent is
     * killed, or which are cancelled.
     */
    @Test
    @Tag("release")
    void shouldRunTheExamplesAndSurviveWhatIsKilled() throws IOException {
        assertThat(batch("digits.sbatch")).contains("finished   300 iterations on 4 ranks");
        assertThat(batch("replace.sbatch")).contains("finished   664,579 primes below 10,000,000 on 4 ranks");

        assertThat(batch(script("--inject kill:rank=3@iter=40 examples Digits")))
                .contains("from the death of rank 3", " on 3 ranks");

        Path output = submit(script("examples Digits 4000"));
        await(output, "  4 ranks");
        RunningCommand.output("kill", "-KILL", Long.toString(agent()));
        await(output, " on 2 ranks");
        assertThat(Files.readString(output)).contains("n2 has lost its agent", "n2 has an agent again");
        awaitEnd();

        output = submit(script("examples Digits 100000"));
        await(output, "  4 ranks");
        slurm.run("scancel", "--full", "-u", System.getProperty("user.name"));
        awaitEnd();
    }

    private String batch(String example) throws IOException {
        return batch(Path.of("..", "examples", "slurm", example));
    }

    private String batch(Path script) throws IOException {
        Path output = output(script);
        List<String> command = RunningCommand.joined(
                List.of("sbatch", "-W", "-o", output.toString()), "--chdir=..", script.toString());
        try (RunningCommand sbatch = RunningCommand.start(environment(), command)) {
            int code = sbatch.exitCode(LIMIT);
            String text = Files.exists(output) ? Files.readString(output) : sbatch.text();
            assertThat(code).as(text).isZero();
            return text;
        }
    }

    private Path submit(Path script) throws IOException {
        Path output = output(script);
        RunningCommand.output(environment(), List.of("sbatch", "-o", output.toString(), script.toString()));
        return output;
    }

    private Map<String, String> environment() {
        Map<String, String> all = new TreeMap<>(slurm.environment());
        all.put("JAVA_HOME", System.getProperty("java.home"));
        return all;
    }

    private Path output(Path script) {
        return slurm.directory().resolve(script.getFileName() + "." + System.nanoTime());
    }

    private Path script(String words) throws IOException {
        Path script = Files.createTempFile(slurm.directory(), "job", ".sh");
        String directory = Path.of("..").toRealPath().toString();
        return Files.writeString(
                script,
                "#!/bin/sh\n#SBATCH -N 2 --ntasks-per-node=2 --no-kill --chdir=" + directory
                        + "\nexec bin/mpiexec --set ulfm.fd.timeout=1s " + words + "\n");
    }

    private void await(Path output, String text) throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!Files.exists(output) || !Files.readString(output).contains(text)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("no '" + text + "' in "
                        + (Files.exists(output) ? Files.readString(output) : "the output, which does not exist"));
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Waits until Slurm has no job any more, and all processes of its jobs have ended. */
    private void awaitEnd() throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!slurm.run("squeue", "-h").isBlank() || !pids().isEmpty()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("left: " + slurm.run("squeue") + pids());
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private long agent() throws IOException {
        for (long pid : pids()) {
            String command = read(Path.of("/proc", Long.toString(pid), "cmdline"));
            if (command.contains("java\0") && command.contains("--host-agent")) {
                return pid;
            }
        }
        throw new AssertionError("no agent among " + pids());
    }

    /** Returns the pids of the processes that jobs of this cluster have started and that still run. */
    private List<Long> pids() throws IOException {
        String mark = "SLURM_CONF=" + slurm.environment().get("SLURM_CONF") + "\0";
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> process.getFileName().toString().matches("\\d+"))
                    .filter(process -> read(process.resolve("environ")).contains(mark))
                    .filter(process -> read(process.resolve("environ")).contains("SLURM_JOB_ID="))
                    .map(process -> Long.valueOf(process.getFileName().toString()))
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
