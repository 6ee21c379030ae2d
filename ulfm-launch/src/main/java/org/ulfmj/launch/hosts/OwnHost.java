package org.ulfmj.launch.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Knows the names of the host on which the launcher runs. */
public final class OwnHost {
    private static final Path OWN_NAME = Path.of("/proc/sys/kernel/hostname");

    private final String name = name();

    /** The name that the batch system gives to this host; null if there is none. */
    private final String ofBatchSystem;

    /** @param environment of the launcher */
    public OwnHost(Map<String, String> environment) {
        ofBatchSystem = environment.containsKey(SlurmJob.ID) ? environment.get("SLURMD_NODENAME") : null;
    }

    /** Whether a text is a name of this host, with or without its domain, or a loopback address. */
    public boolean isThis(String other) {
        return other.equals("localhost")
                || other.startsWith("127.")
                || other.equals("::1")
                || other.equals(ofBatchSystem)
                || other.equals(name)
                || name.startsWith(other + ".")
                || other.startsWith(name + ".");
    }

    /** The name that the kernel has for this host; {@code localhost} if that cannot be read. */
    public static String name() {
        try {
            return Files.readString(OWN_NAME).trim();
        } catch (IOException noProc) {
            return "localhost";
        }
    }
}
