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

/** Checks the machine: cores, shared memory, limits, the name of the host, and the programs that a job needs. */
final class MachineChecks {
    private static final String LIMITS = "/proc/self/limits";
    private static final long MIB = 1 << 20;
    /**
     * The doctor warns if not more than this many bytes of shared memory are free, as ranks of a host then soon have to
     * use TCP. It is the size that containers have by default.
     */
    private static final long LITTLE_SHM_BYTES = 64 * MIB;

    /** About how many file descriptors, at most, a rank has open besides those of its links to other ranks. */
    private static final int FILES_BESIDES_LINKS = 128;
    /** About how many threads the virtual machine of a rank has on a machine with few cores. */
    private static final int THREADS_PER_RANK = 32;

    private static final long SLOW_MS = 1_000;

    private final SystemFiles files;
    private final int ranks;
    private final int processors;

    /**
     * @param ranks number of ranks of the job to come
     * @param processors number of processors that the virtual machine counts
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
        all.add(openFiles());
        all.add(processes());
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

    /** Finds how many cores' worth of processor time the control groups of this process allow. */
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

    /**
     * Returns the number of cores that a limit allows; {@link Double#MAX_VALUE} if there is no limit.
     *
     * @param limit {@code QUOTA PERIOD}, or {@code max PERIOD}; may be null
     */
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

    /**
     * Compares the need with the hard limit, because a virtual machine raises its soft limit of open files by itself.
     */
    private Finding openFiles() {
        String[] limits = limits("Max open files");
        if (limits == null) {
            return Finding.fine("open files", "not told");
        }
        String found = "at most " + limits[0] + ", may be raised to " + limits[1];
        return limit("open files", found, limits[1], ranks * 2L + FILES_BESIDES_LINKS, "ulimit -n");
    }

    /** Compares the need with the soft limit, which no virtual machine raises for its threads. */
    private Finding processes() {
        String[] limits = limits("Max processes");
        if (limits == null) {
            return Finding.fine("processes", "not told");
        }
        return limit("processes", "at most " + limits[0], limits[0], (long) ranks * THREADS_PER_RANK, "ulimit -u");
    }

    /** Returns the soft limit and the hard limit of a line; null if the system does not tell them. */
    private String[] limits(String line) {
        String text = files.lineOf(LIMITS, line);
        String[] words = text == null ? new String[0] : text.split("\\s+");
        return words.length > 1 ? words : null;
    }

    private Finding limit(String what, String found, String limit, long needed, String command) {
        return !limit.equals("unlimited") && Long.parseLong(limit) < needed
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

    /** The environment variables whose names have this beginning, as {@code NAME=VALUE}. */
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
