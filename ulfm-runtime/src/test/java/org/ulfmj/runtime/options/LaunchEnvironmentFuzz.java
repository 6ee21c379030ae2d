package org.ulfmj.runtime.options;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the environment of a rank, with its place and options: one variable per line. */
final class LaunchEnvironmentFuzz implements FuzzTarget {
    private static final String PLACE = "ULFM_RUN_ID=r1\nULFM_SIZE=2\nULFM_LOCAL_RANK=1\nULFM_LOCAL_SIZE=2\n"
            + "ULFM_NODE_RANK=0\nULFM_NUM_NODES=1\nULFM_RDZV=127.0.0.1:4711\nULFM_TOKEN_FILE=/tmp/j/secret\n"
            + "ULFM_MAX_RESTARTS=0\nULFM_CONF=/tmp/j/conf\nULFM_BOUND=0\nULFM_HOST=9fe981b1\n"
            + "ULFM_ADDRESS=10.0.0.7\nULFM_AGENT=1\nULFM_FD_TIMEOUT=3s\n";

    @Override
    public List<byte[]> samples() {
        return List.of(
                (PLACE + "ULFM_RANK=1\nULFM_INCARNATION=0\nULFM_SPARE=0\nULFM_MEMBERS=0\nULFM_CHILD=0")
                        .getBytes(StandardCharsets.UTF_8),
                (PLACE + "ULFM_SPARE=0\nULFM_MEMBERS=2:4\nULFM_CHILD=3").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void parse(byte[] input) {
        Map<String, String> variables = new TreeMap<>();
        for (String line : new String(input, StandardCharsets.UTF_8).split("\n")) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                variables.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        LaunchEnvironment.from(variables);
        Options.of(Options.fromEnvironment(variables));
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(IllegalArgumentException.class, InvalidPathException.class);
    }

    /** An unknown name is compared letter by letter with all known names, which takes memory. */
    @Override
    public long capBytes(int lengthBytes) {
        return 1024 * 1024 + 8 * 1024L * lengthBytes;
    }

    @Override
    public List<String> words() {
        return List.of(
                "ULFM_", "=", "\n", "-1", "99999999999", "ULFM_EAGER_LIMIT=1g", "ULFM_SPARE=1", "ULFM_MEMBERS=0");
    }
}
