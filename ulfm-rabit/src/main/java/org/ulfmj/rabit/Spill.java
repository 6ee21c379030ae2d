package org.ulfmj.rabit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ulfmj.rabit.engine.Snapshot;

/**
 * A rank's checkpoints on a disk, for when too many die at once to have one in memory. A file is written beside its place, forced
 * to the disk and renamed, so one that has its name is whole; a checksum tells if it is not. The last two versions are kept:
 * others may not have written the last one yet.
 */
final class Spill {
    private static final String SUFFIX = ".rabit";
    private static final int KEPT = 2;

    private final Path directory;
    private final String prefix;

    /** @param isFirst whether no process had this slot before: what lies there is of another job then, and goes */
    Spill(Path directory, int slot, boolean isFirst) {
        this.directory = directory;
        this.prefix = "rank-" + slot + ".version-";
        try {
            Files.createDirectories(directory);
            if (isFirst) {
                for (int version : versions()) {
                    Files.deleteIfExists(file(version));
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("ulfm.rabit.spill: " + directory + " cannot be used: " + e, e);
        }
    }

    /** Versions that are there, ascending. */
    List<Integer> versions() {
        List<Integer> versions = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, prefix + "*" + SUFFIX)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                versions.add(Integer.valueOf(name.substring(prefix.length(), name.length() - SUFFIX.length())));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Collections.sort(versions);
        return versions;
    }

    /** Versions that are there and whole. */
    List<Integer> wholeVersions() {
        List<Integer> whole = new ArrayList<>();
        for (int version : versions()) {
            if (Snapshot.fromBytes(read(version)) != null) {
                whole.add(version);
            }
        }
        return whole;
    }

    ByteBuffer read(int version) {
        try {
            return ByteBuffer.wrap(Files.readAllBytes(file(version)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when it is on the disk. */
    void write(int version, ByteBuffer content) {
        Path unfinished = directory.resolve(prefix + version + ".tmp");
        try {
            try (FileChannel file = FileChannel.open(
                    unfinished,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                while (content.hasRemaining()) {
                    file.write(content);
                }
                file.force(true);
            }
            Files.move(unfinished, file(version), StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
                names.force(true);
            }
            for (int older : versions()) {
                if (older <= version - KEPT) {
                    Files.deleteIfExists(file(older));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "ulfm.rabit.spill: version " + version + " cannot be written to " + directory, e);
        }
    }

    private Path file(int version) {
        return directory.resolve(prefix + version + SUFFIX);
    }
}
