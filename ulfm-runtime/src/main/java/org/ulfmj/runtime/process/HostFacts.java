package org.ulfmj.runtime.process;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where this process runs, so that others can tell whether its pid means something to them.
 *
 * @param startTicks when the process started; 0 if unknown
 * @param bootId of the kernel; empty if unknown
 * @param pidNamespace inode of the pid namespace; 0 if unknown
 */
record HostFacts(long pid, long startTicks, String bootId, long pidNamespace) {
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

    static HostFacts read() {
        ProcessStat self = ProcessStat.read("self");
        // Asking the platform for the pid would start its whole machinery for processes, which costs milliseconds.
        long pid = self == null ? ProcessHandle.current().pid() : self.pid();
        return new HostFacts(pid, self == null ? 0 : self.startTicks(), bootIdOfKernel(), namespace());
    }

    private static String bootIdOfKernel() {
        try (FileInputStream file = new FileInputStream("/proc/sys/kernel/random/boot_id")) {
            return new String(file.readAllBytes(), StandardCharsets.US_ASCII).trim();
        } catch (IOException notLinux) {
            return "";
        }
    }

    /** The link reads {@code pid:[4026531836]}. */
    private static long namespace() {
        try {
            String link = Files.readSymbolicLink(NAMESPACE).toString();
            return Long.parseLong(link.substring(link.indexOf('[') + 1, link.indexOf(']')));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException notLinux) {
            return 0;
        }
    }
}
