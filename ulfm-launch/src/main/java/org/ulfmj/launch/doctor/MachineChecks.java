package org.ulfmj.launch.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ulfmj.launch.process.Binding;

/** What of the machine matters: cores, shared memory, limits, the name of the host, programs that are needed. */
final class MachineChecks {
    private static final String LIMITS = "/proc/self/limits";
    private static final long MIB = 1 << 20;
    /** Shared memory below which ranks of a host soon have to use TCP. Containers have so much by default. */
    private static final long LITTLE_SHM_BYTES = 64 * MIB;

    /** Descriptors that a rank has open besides its links. */
    private static final int FILES_BESIDES_LINKS = 128;
    /** Threads of a virtual machine on a machine with few cores. */
    private static final int THREADS_PER_RANK = 32;

    private static final long SLOW_MS = 1_000;

    private final SystemFiles files;
    private final int ranks;
    private final int processors;

    /**
     * @param ranks of the job to come
     * @param processors that the virtual machine counts
     */
    MachineChecks(SystemFiles files, int ranks, int processors) {
        this.files = files;
        this.ranks = ranks;
        this.processors = processors;
    }

    List<Finding> all(Path sharedMemory) {
        List<Finding> all = new ArrayList<>();
        all.add(cores());
        all.add(quota());
        all.add(sharedMemory(sharedMemory));
        all.add(limit("open files", "Max open files", ranks * 2L + FILES_BESIDES_LINKS, "ulimit -n"));
        all.add(limit("processes", "Max processes", (long) ranks * THREADS_PER_RANK, "ulimit -u"));
        all.add(lockedMemory());
        all.add(hostName());
        all.add(program("setsid", "a terminal's ^C would reach each rank directly"));
        all.add(program("taskset", "ranks cannot be bound to cores"));
        return all;
    }

    private Finding cores() {
        String allowed = files.lineOf("/proc/self/status", "Cpus_allowed_list:");
        int count = allowed == null ? processors : Binding.parse(allowed).size();
        String found = count + " (" + (allowed == null ? "not told which" : allowed) + ")";
        return ranks > count
                ? new Finding(
                        "cores",
                        found,
                        ranks + " ranks would share " + count + (count == 1 ? " core" : " cores") + ": start at most "
                                + count + ", or expect messages to take milliseconds")
                : Finding.fine("cores", found);
    }

    /** The part of the machine's processor time that the control group gets. */
    private Finding quota() {
        String group = files.lineOf("/proc/self/cgroup", "0::");
        double cpus = Double.MAX_VALUE;
        for (String at = group == null ? "" : group; ; at = at.substring(0, at.lastIndexOf('/'))) {
            cpus = Math.min(cpus, cpus(files.read("/sys/fs/cgroup" + (at.equals("/") ? "" : at) + "/cpu.max")));
            if (at.lastIndexOf('/') < 0) {
                break;
            }
        }
        String quota = files.read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
        String period = files.read("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
        cpus = Math.min(cpus, cpus(quota == null || quota.startsWith("-") ? null : quota + " " + period));
        if (cpus == Double.MAX_VALUE) {
            return Finding.fine("processor quota", "none");
        }
        String found = String.format(Locale.ROOT, "%.1f cores", cpus);
        return cpus < ranks
                ? new Finding(
                        "processor quota",
                        found,
                        "the control group gives " + found + " to " + ranks + " ranks, which stops all of them now and"
                                + " then: raise it (docker run --cpus), or start fewer ranks")
                : Finding.fine("processor quota", found);
    }

    /** @param limit {@code QUOTA PERIOD}, or {@code max PERIOD}; may be null */
    private static double cpus(String limit) {
        String[] words = limit == null ? new String[0] : limit.split(" ");
        try {
            return words.length == 2 && !words[0].equals("max")
                    ? Double.parseDouble(words[0]) / Double.parseDouble(words[1])
                    : Double.MAX_VALUE;
        } catch (NumberFormatException unknown) {
            return Double.MAX_VALUE;
        }
    }

    private Finding sharedMemory(Path directory) {
        Path here = files.path(directory.toString());
        String what = "shared memory";
        String otherwise = "; without it ranks use TCP, which is slower, and ulfm.shm.dir names another place";
        if (!Files.isDirectory(here)) {
            return new Finding(what, directory + " does not exist", "mount a tmpfs at " + directory + otherwise);
        }
        try {
            FileStore store = Files.getFileStore(here);
            Object mode = Files.getAttribute(here, "unix:mode");
            String octal = Integer.toOctalString((int) mode & 0xfff);
            String found = directory + ", mode " + octal + ", " + store.getUsableSpace() / MIB + " of "
                    + store.getTotalSpace() / MIB + " MiB free";
            if (!Files.isWritable(here)) {
                return new Finding(what, found, "you may not write to " + directory + ": chmod 1777" + otherwise);
            }
            return store.getUsableSpace() <= LITTLE_SHM_BYTES
                    ? new Finding(
                            what,
                            found,
                            "there is little room in " + directory + ": free some, or give the container more"
                                    + " (docker run --shm-size=1g)" + otherwise)
                    : Finding.fine(what, found);
        } catch (IOException | UnsupportedOperationException e) {
            return Finding.fine(what, directory + ", whose size is not known (" + e + ")");
        }
    }

    private Finding limit(String what, String line, long needed, String command) {
        String text = files.lineOf(LIMITS, line);
        if (text == null) {
            return Finding.fine(what, "not told");
        }
        // Soft limit, hard limit, unit. A virtual machine raises the soft limit of open files by itself.
        String[] words = text.split("\\s+");
        String counts = words.length > 1 ? words[1] : words[0];
        String found = "at most " + words[0] + ", may be raised to " + counts;
        return !counts.equals("unlimited") && Long.parseLong(counts) < needed
                ? new Finding(
                        what,
                        found,
                        ranks + " ranks need about " + needed + " " + what + ": raise the limit (" + command
                                + ", /etc/security/limits.conf)")
                : Finding.fine(what, found);
    }

    private Finding lockedMemory() {
        String text = files.lineOf(LIMITS, "Max locked memory");
        return Finding.fine(
                "locked memory",
                text == null ? "not told" : "at most " + text.split("\\s+")[0] + " (a job locks none)");
    }

    private Finding hostName() {
        String name = files.read("/proc/sys/kernel/hostname");
        if (name == null) {
            return Finding.fine("host name", "not told");
        }
        long beganNs = System.nanoTime();
        try {
            String address = InetAddress.getByName(name).getHostAddress();
            long tookMs = (System.nanoTime() - beganNs) / 1_000_000;
            String found = name + " is " + address;
            return tookMs > SLOW_MS
                    ? new Finding(
                            "host name",
                            found,
                            "the look-up of " + name + " took " + tookMs + " ms: add a line '" + address + " " + name
                                    + "' to /etc/hosts")
                    : Finding.fine("host name", found);
        } catch (UnknownHostException e) {
            return new Finding(
                    "host name",
                    name + " has no address",
                    "the name of this host cannot be looked up: add a line '127.0.1.1 " + name + "' to /etc/hosts");
        }
    }

    private Finding program(String name, String otherwise) {
        for (String directory : List.of("/usr/bin/", "/bin/")) {
            if (Files.isExecutable(files.path(directory + name))) {
                return Finding.fine(name, directory + name);
            }
        }
        return new Finding(
                name, "is not here", "install util-linux, which brings " + name + ": without it " + otherwise);
    }

    /** Variables of the environment that begin in some way, as they stand. */
    static List<String> variables(Map<String, String> environment, String beginning) {
        List<String> found = new ArrayList<>();
        environment.forEach((name, value) -> {
            if (name.startsWith(beginning)) {
                found.add(name + "=" + value);
            }
        });
        return found;
    }
}
