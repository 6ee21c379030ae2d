package org.ulfmj.transport.host;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * A process of some host, told so exactly that another process can say later whether it still lives: a pid alone is
 * given to another process in time. Any thread.
 *
 * @param pid within its namespace
 * @param startTicks when it started, field 22 of {@code /proc/PID/stat}; 0 if unknown
 * @param pidNamespace inode of its pid namespace; 0 if unknown
 * @param bootId of its kernel; empty if unknown
 */
public record HostProcess(long pid, long startTicks, long pidNamespace, String bootId) {
    /** A process without a place on any host: a thread that stands for one, or one that no other looks for. */
    public static final HostProcess UNKNOWN = new HostProcess(0, 0, 0, "");

    private static final String NAMESPACE = "/proc/self/ns/pid";
    private static final String BOOT_ID = "/proc/sys/kernel/random/boot_id";

    /** Read when it is asked for. */
    private static final class Self {
        static final HostProcess PROCESS = read();
    }

    /** This process. */
    public static HostProcess self() {
        return Self.PROCESS;
    }

    private static HostProcess read() {
        ProcessStat self = ProcessStat.ofSelf();
        // Asking the platform for the pid would start its whole machinery for processes, which costs milliseconds.
        long pid = self == null ? ProcessHandle.current().pid() : self.pid();
        return new HostProcess(pid, self == null ? 0 : self.startTicks(), namespaceOfSelf(), bootIdOfKernel());
    }

    public void writeTo(WireWriter out) {
        out.putLong(pid).putLong(startTicks).putText(bootId).putLong(pidNamespace);
    }

    public static HostProcess readFrom(WireReader in) {
        long pid = in.getLong();
        long startTicks = in.getLong();
        String bootId = in.getText();
        return new HostProcess(pid, startTicks, in.getLong(), bootId);
    }

    /**
     * Whether the process may still be alive: false only if it certainly is not. Another boot of the kernel is certain,
     * another pid namespace is never.
     */
    public boolean mayBeAlive() {
        HostProcess self = self();
        if (!bootId.isEmpty() && !self.bootId.isEmpty() && !bootId.equals(self.bootId)) {
            return false;
        }
        if (pidNamespace != self.pidNamespace) {
            return true;
        }
        if (startTicks == 0 || self.startTicks == 0) {
            return ProcessHandle.of(pid).isPresent();
        }
        ProcessStat stat = ProcessStat.of(pid);
        return stat == null ? !isGone() : stat.startTicks() == startTicks;
    }

    /** Whether the pid of {@code other} means the same process to this one: one kernel, one pid namespace. */
    public boolean sharesPidsWith(HostProcess other) {
        return !bootId.isEmpty() && bootId.equals(other.bootId) && pidNamespace == other.pidNamespace;
    }

    /**
     * Whether this process can tell for certain when another one, which is alive now, has ended: it sees it where its
     * pid says, which a namespace whose {@code /proc} is that of another does not do.
     */
    public boolean isVisible() {
        HostProcess self = self();
        return pidNamespace != 0
                && pidNamespace == self.pidNamespace
                && bootId.equals(self.bootId)
                && startTicks != 0
                && self.startTicks != 0
                && pid != self.pid
                && !hasEndedWholly();
    }

    /** Whether no thread of the process is left, of one that {@link #isVisible}. */
    public boolean hasEndedWholly() {
        ProcessStat stat = ProcessStat.of(pid);
        if (stat == null) {
            return isGone();
        }
        return stat.startTicks() != startTicks || stat.hasEndedWholly();
    }

    /**
     * Whether there is no such process: what cannot be read may be there all the same, for want of a file descriptor.
     */
    private boolean isGone() {
        try {
            Files.readAttributes(Path.of(ProcessStat.folder(ProcessStat.PROC, pid)), BasicFileAttributes.class);
            return false;
        } catch (NoSuchFileException gone) {
            return true;
        } catch (IOException unknown) {
            return false;
        }
    }

    private static String bootIdOfKernel() {
        try (FileInputStream file = new FileInputStream(BOOT_ID)) {
            return new String(file.readAllBytes(), StandardCharsets.US_ASCII).trim();
        } catch (IOException notLinux) {
            return "";
        }
    }

    /** The link reads {@code pid:[4026531836]}. */
    private static long namespaceOfSelf() {
        try {
            String link = Files.readSymbolicLink(Path.of(NAMESPACE)).toString();
            return Long.parseLong(link.substring(link.indexOf('[') + 1, link.indexOf(']')));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException notLinux) {
            return 0;
        }
    }
}
