package org.ulfmj.runtime.options;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the file by which the launcher passes options to its processes. */
final class JobConfigurationFuzz implements FuzzTarget {
    private final Path file;

    JobConfigurationFuzz() throws IOException {
        file = Files.createTempFile("ulfm-fuzz", ".conf");
        file.toFile().deleteOnExit();
    }

    @Override
    public List<byte[]> samples() {
        Options options = Options.of(Map.of("ulfm.fd.timeout", "7s", "ulfm.transport", "tcp"));
        try {
            new JobConfiguration(options, Map.of(2, List.of(new FaultTrigger(1, "allreduce", 100, 0)))).write(file);
            return List.of(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void parse(byte[] input) throws IOException {
        Files.write(file, input);
        JobConfiguration.read(file);
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(IllegalArgumentException.class, NumberFormatException.class, MalformedInputException.class);
    }

    /** An unknown name is compared letter by letter with all known names, which takes memory. */
    @Override
    public long capBytes(int lengthBytes) {
        return 1024 * 1024 + 8 * 1024L * lengthBytes;
    }

    @Override
    public List<String> words() {
        return List.of("ulfm.", "=", "\n", "trigger.", "launcher=", "99999999999", "-1", "1e9s", "%", " ");
    }
}
