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
 * A process of a host, described so exactly that another process can find out later whether it still lives. A pid alone
 * does not suffice, because the system gives it to another process in time. Any thread.
 *
 * @param pid pid within its namespace
 * @param startTicks when it started, field 22 of {@code /proc/PID/stat}; 0 if unknown
 * @param pidNamespace inode number of its pid namespace; 0 if unknown
 * @param bootId boot id of its kernel; empty if unknown
 */
public record HostProcess(long pid, long startTicks, long pidNamespace, String bootId) {
    /**
     * Stands for a process that cannot be looked up in {@code /proc}: a rank that is a thread, or a process that no
     * other process looks for.
     */
    public static final HostProcess UNKNOWN = new HostProcess(0, 0, 0, "");

    private static final String NAMESPACE = "/proc/self/ns/pid";
    private static final String BOOT_ID = "/proc/sys/kernel/random/boot_id";

    /** The calling process; read at the first use. */
    private static final class Self {
        static final HostProcess PROCESS = read();
    }

    /** The calling process. */
    public static HostProcess self() {
        return Self.PROCESS;
    }

    private static HostProcess read() {
        ProcessStat self = ProcessStat.ofSelf();
        // ProcessHandle is used only if /proc cannot be read: its first use costs milliseconds.
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
     * Whether the process may still be alive; false only if it is certainly dead. A process of another boot of the
     * kernel is certainly dead. A process of the same boot in another pid namespace is never judged dead.
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

    /** Whether this process and {@code other} use pids in the same way: they have one kernel and one pid namespace. */
    public boolean sharesPidsWith(HostProcess other) {
        return !bootId.isEmpty() && bootId.equals(other.bootId) && pidNamespace == other.pidNamespace;
    }

    /**
     * Whether the calling process will be able to tell for certain that this other process, which is alive now, has
     * ended. It can if {@code /proc} shows the other process under its pid; it cannot if the mounted {@code /proc}
     * belongs to another pid namespace.
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

    /** Whether no thread of the process is left. Only for a process that was {@link #isVisible} while it lived. */
    public boolean hasEndedWholly() {
        ProcessStat stat = ProcessStat.of(pid);
        if (stat == null) {
            return isGone();
        }
        return stat.startTicks() != startTicks || stat.hasEndedWholly();
    }

    /**
     * Whether {@code /proc} shows no such process. A process whose files cannot be read for lack of a file descriptor
     * is not gone.
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

    /** The inode number of this process's pid namespace, from a link such as {@code pid:[4026531836]}; 0 if unknown. */
    private static long namespaceOfSelf() {
        try {
            String link = Files.readSymbolicLink(Path.of(NAMESPACE)).toString();
            return Long.parseLong(link.substring(link.indexOf('[') + 1, link.indexOf(']')));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException notLinux) {
            return 0;
        }
    }
}
