package org.ulfmj.transport.shm;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.ulfmj.transport.MemberRecord;

/**
 * The process that files belong to, told so exactly that another process can say later whether it still lives: a pid
 * alone is given to another process in time. Any thread.
 *
 * @param pid within its namespace
 * @param startTicks when it started, field 22 of {@code /proc/PID/stat}; 0 if unknown
 * @param pidNamespace inode of its pid namespace; 0 if unknown
 * @param bootId of its kernel; empty if unknown
 */
public record ShmOwner(long pid, long startTicks, long pidNamespace, String bootId) {
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final String BOOT_ID = "/proc/sys/kernel/random/boot_id";
    private static final String OWN_STAT = "/proc/self/stat";

    /** Fields between the state, which is the third, and the start time, which is the twenty-second. */
    private static final int FIELDS_TO_START = 19;
    /** The same to the number of threads. */
    private static final int FIELDS_TO_THREADS = 17;

    /** Read when it is asked for: a rank knows itself from when it joined. */
    private static final class Self {
        static final ShmOwner OWNER = read();
    }

    /** This process. */
    public static ShmOwner self() {
        return Self.OWNER;
    }

    /** A member of the job, as it described itself when it joined. */
    public static ShmOwner of(MemberRecord member) {
        return new ShmOwner(member.pid(), member.startTimeTicks(), member.pidNamespace(), member.bootId());
    }

    private static ShmOwner read() {
        String[] fields = fields(OWN_STAT);
        long start = fields == null ? 0 : startOf(fields);
        return new ShmOwner(ProcessHandle.current().pid(), start, namespaceOfSelf(), bootIdOfKernel());
    }

    /**
     * Whether the process may still be alive: false only if it certainly is not. Another boot of the kernel is certain,
     * another pid namespace is never.
     */
    public boolean mayBeAlive() {
        ShmOwner self = self();
        if (!bootId.isEmpty() && !self.bootId.isEmpty() && !bootId.equals(self.bootId)) {
            return false;
        }
        if (pidNamespace != self.pidNamespace) {
            return true;
        }
        if (startTicks == 0 || self.startTicks == 0) {
            return ProcessHandle.of(pid).isPresent();
        }
        String stat = stat();
        String[] fields = fields(stat);
        return fields == null ? !isGone(stat) : startOf(fields) == startTicks;
    }

    /**
     * Whether this process can tell for certain when another one, which is alive now, has ended: it sees it where its
     * pid says, which a namespace whose {@code /proc} is that of another does not do.
     */
    boolean isVisible() {
        ShmOwner self = self();
        return pidNamespace != 0
                && pidNamespace == self.pidNamespace
                && bootId.equals(self.bootId)
                && startTicks != 0
                && self.startTicks != 0
                && pid != self.pid
                && !hasEndedWholly();
    }

    /**
     * Whether no thread of the process is left, of one that {@link #isVisible}. A process whose first thread has ended
     * is shown as a zombie while others may still run for a moment: they are counted.
     */
    boolean hasEndedWholly() {
        String stat = stat();
        String[] fields = fields(stat);
        if (fields == null) {
            return isGone(stat);
        }
        if (startOf(fields) != startTicks) {
            return true;
        }
        char state = fields[0].charAt(0);
        boolean isBeingBuried = state == 'Z' || state == 'X';
        return isBeingBuried && Integer.parseInt(fields[FIELDS_TO_THREADS]) <= 1;
    }

    private String stat() {
        return "/proc/".concat(Long.toString(pid)).concat("/stat");
    }

    private static long startOf(String[] fields) {
        return Long.parseLong(fields[FIELDS_TO_START]);
    }

    /**
     * Whether there is no such process: what cannot be read may be there all the same, for want of a file descriptor.
     */
    private static boolean isGone(String stat) {
        try {
            Files.readAttributes(Path.of(stat), BasicFileAttributes.class);
            return false;
        } catch (NoSuchFileException gone) {
            return true;
        } catch (IOException unknown) {
            return false;
        }
    }

    /** From the state on; null if it cannot be read. */
    private static String[] fields(String stat) {
        // A stream, not a channel: an interrupt of the calling thread would close a channel.
        try (FileInputStream file = new FileInputStream(stat)) {
            String line = new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
            // The name before the last bracket may itself hold brackets and spaces.
            return line.substring(line.lastIndexOf(')') + 2).split(" ");
        } catch (IOException goneOrNotToBeHad) {
            return null;
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
            String link = Files.readSymbolicLink(NAMESPACE).toString();
            return Long.parseLong(link.substring(link.indexOf('[') + 1, link.indexOf(']')));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException notLinux) {
            return 0;
        }
    }
}
