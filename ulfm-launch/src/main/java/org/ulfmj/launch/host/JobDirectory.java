package org.ulfmj.launch.host;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.ulfmj.runtime.options.LaunchEnvironment;

/**
 * The directory with the secret, the configuration and the sockets of one job, which only the user may look into. Its
 * path is short, because the name of a Unix socket has at most 108 bytes.
 */
public final class JobDirectory {
    private static final Path FALLBACK = Path.of("/tmp");
    /**
     * The longest path of the directory's parent: the rest of the name of a socket must fit into the remaining 108
     * bytes.
     */
    private static final int LONGEST_BASE = 60;

    private final Path path;

    private JobDirectory(Path path) {
        this.path = path;
    }

    /**
     * Returns the path that the directory of a job will have: in {@code XDG_RUNTIME_DIR} where that is usable, else in
     * {@code /tmp}.
     *
     * @param name part of the directory's name, which tells jobs and hosts apart
     */
    public static Path pathFor(String name, Map<String, String> environment) {
        String runtime = environment.get("XDG_RUNTIME_DIR");
        boolean usable = runtime != null
                && runtime.startsWith("/")
                && runtime.length() <= LONGEST_BASE
                && Files.isDirectory(Path.of(runtime))
                && Files.isWritable(Path.of(runtime));
        return (usable ? Path.of(runtime) : FALLBACK).resolve(LaunchEnvironment.DIRECTORY_PREFIX + name);
    }

    /**
     * Creates the directory of a job, with access for its user only.
     *
     * @throws IOException also if the directory exists already: it then belongs to another job
     */
    public static JobDirectory create(Path path) throws IOException {
        Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return new JobDirectory(path);
    }

    /** Returns the directory of a job that another launcher of this host has created. */
    public static JobDirectory at(Path path) {
        return new JobDirectory(path);
    }

    public Path secret() {
        return path.resolve("secret");
    }

    public Path configuration() {
        return path.resolve("conf");
    }

    /** Removes the directory and the files in it. If a file cannot be removed, it stays, and others may stay too. */
    public void remove() {
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
                    Files.deleteIfExists(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            // A process of the job may have put a file there that the launcher may not remove. That does not make the
            // job a failure.
        }
    }
}
