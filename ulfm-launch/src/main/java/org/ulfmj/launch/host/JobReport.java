package org.ulfmj.launch.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.FileFacts;
import org.ulfmj.transport.host.HostProcess;

/**
 * The content of the file of {@code --report-uri}: what a second launcher on this host needs so that its processes join
 * the job. The file has lines {@code name=value} with the components. It contains the job's secret, so only its owner
 * may read it.
 *
 * @param address of the rendezvous, as {@code host:port}
 * @param hostKey as in {@link org.ulfmj.transport.MemberRecord}
 * @param min number of members with which the world begins
 * @param max number of members that it may have
 * @param directory of the job
 * @param launcher the process of the job's launcher
 * @param secret of the job; null while it is not known
 */
public record JobReport(
        String runId,
        String address,
        long hostKey,
        int min,
        int max,
        Path directory,
        HostProcess launcher,
        JobSecret secret) {
    private static final int PERMISSIONS_OF_OTHERS = 077;
    private static final String RUN = "run";
    private static final String ADDRESS = "address";
    private static final String HOST = "host";
    private static final String MEMBERS = "members";
    private static final String DIRECTORY = "directory";
    private static final String LAUNCHER = "launcher";
    private static final String BOOT = "boot";
    private static final String SECRET = "secret";

    /**
     * Writes the file, with mode 0600. A reader never finds a part of the file. An existing regular file is replaced,
     * unless it is found to belong to another job whose launcher still runs.
     *
     * @throws IOException if it cannot be written, or what is there may not be replaced
     */
    public void write(Path file) throws IOException {
        Path target = file.toAbsolutePath();
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException("it is no file but a link, a directory or a device");
            }
            JobReport other = readOrNull(target);
            if (other != null && !other.runId.equals(runId) && !other.launcher.hasEndedWholly()) {
                throw new IOException("it is the file of job " + other.runId + ", whose mpiexec, pid "
                        + other.launcher.pid() + ", runs");
            }
        }
        Path unfinished = target.resolveSibling("." + target.getFileName() + "." + runId);
        Files.deleteIfExists(unfinished);
        Files.createFile(
                unfinished, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.writeString(unfinished, text());
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /** Removes the file if it can be read and is still that of this job. */
    public void remove(Path file) throws IOException {
        JobReport present = readOrNull(file);
        if (present != null && present.runId.equals(runId)) {
            Files.deleteIfExists(file);
        }
    }

    /**
     * Returns this report with the job's secret, and with the address of the present coordinator if that is known.
     *
     * @param coordinator the address of the present coordinator; null where that is not known
     */
    public JobReport at(String coordinator, JobSecret itsSecret) {
        String where = coordinator == null ? address : coordinator;
        return new JobReport(runId, where, hostKey, min, max, directory, launcher, itsSecret);
    }

    private static JobReport readOrNull(Path file) {
        try {
            return read(file);
        } catch (IOException notOne) {
            return null;
        }
    }

    private String text() {
        return place() + SECRET + "=" + HexFormat.of().formatHex(secret.bytes()) + "\n";
    }

    /** The content of the file without the secret. It is stored in etcd, where others may read it. */
    public String place() {
        return String.join(
                "\n",
                RUN + "=" + runId,
                ADDRESS + "=" + address,
                HOST + "=" + Long.toHexString(hostKey),
                MEMBERS + "=" + min + ":" + max,
                DIRECTORY + "=" + directory,
                LAUNCHER + "=" + launcher.pid() + " " + launcher.startTicks() + " " + launcher.pidNamespace(),
                BOOT + "=" + launcher.bootId(),
                "");
    }

    /**
     * Reads the file.
     *
     * @throws IOException if it cannot be read, or is not what {@link #write} writes; the message says why, in words
     *     that follow the name of the file
     */
    public static JobReport read(Path file) throws IOException {
        try {
            FileFacts facts = FileFacts.of(file);
            if (!facts.isRegularFile()) {
                throw new IOException("it is no file but a link, a directory or a device");
            }
            if (!facts.isOurs()) {
                throw new IOException("it belongs to another user");
            }
            if ((facts.permissions() & PERMISSIONS_OF_OTHERS) != 0) {
                throw new IOException("others than its owner may read it, and the secret of the job is in it; its mode"
                        + " must be rw-------");
            }
            String text = Files.readString(file);
            return parse(text, JobSecret.of(HexFormat.of().parseHex(value(values(text), SECRET))));
        } catch (NoSuchFileException missing) {
            throw new IOException(
                    "there is no such file; mpiexec -n MIN:MAX --report-uri FILE writes it, and removes it when the job"
                            + " is over",
                    missing);
        } catch (IllegalArgumentException e) {
            throw new IOException("it was not written by mpiexec --report-uri (" + e.getMessage() + ")", e);
        }
    }

    /**
     * Parses the text that {@link #place} makes.
     *
     * @param secret of the job; null while it is not known
     * @throws IllegalArgumentException if the text has another form
     */
    public static JobReport ofPlace(String text, JobSecret secret) {
        return parse(text, secret);
    }

    private static Map<String, String> values(String text) {
        Map<String, String> values = new TreeMap<>();
        for (String line : text.split("\n")) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return values;
    }

    private static JobReport parse(String text, JobSecret secret) {
        Map<String, String> values = values(text);
        String[] members = parts(values, MEMBERS, ":", 2);
        String[] launcher = parts(values, LAUNCHER, " ", 3);
        return new JobReport(
                value(values, RUN),
                value(values, ADDRESS),
                Long.parseUnsignedLong(value(values, HOST), 16),
                Integer.parseInt(members[0]),
                Integer.parseInt(members[1]),
                Path.of(value(values, DIRECTORY)),
                new HostProcess(
                        Long.parseLong(launcher[0]),
                        Long.parseLong(launcher[1]),
                        Long.parseLong(launcher[2]),
                        value(values, BOOT)),
                secret);
    }

    private static String[] parts(Map<String, String> values, String name, String between, int count) {
        String[] parts = value(values, name).split(between, -1);
        if (parts.length != count) {
            throw new IllegalArgumentException("'" + name + "' has not " + count + " parts");
        }
        return parts;
    }

    private static String value(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no '" + name + "' in it");
        }
        return value;
    }
}
