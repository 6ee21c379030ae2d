package org.ulfmj.rabit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
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
 * others may not have written the last one yet. An interrupt of the calling thread is kept and harms nothing.
 */
final class Spill {
    private static final String SUFFIX = ".rabit";
    private static final int KEPT = 2;

    private final Path directory;
    private final String prefix;
    /** Ascending. */
    private final List<Integer> present = new ArrayList<>();

    /** @param isFirst whether no process had this slot before: what lies there is of another job then, and goes */
    Spill(Path directory, int slot, boolean isFirst) {
        this.directory = directory;
        this.prefix = "rank-" + slot + ".version-";
        try {
            Files.createDirectories(directory);
            for (int version : listed()) {
                if (isFirst) {
                    Files.deleteIfExists(file(version));
                } else {
                    present.add(version);
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("ulfm.rabit.spill: " + directory + " cannot be used: " + e, e);
        }
    }

    private List<Integer> listed() throws IOException {
        List<Integer> versions = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, prefix + "*" + SUFFIX)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                versions.add(Integer.valueOf(name.substring(prefix.length(), name.length() - SUFFIX.length())));
            }
        }
        Collections.sort(versions);
        return versions;
    }

    /** Versions that are there as far as is known, ascending: a recovery that does not need them reads none. */
    List<Integer> versions() {
        return List.copyOf(present);
    }

    /** A version's file; null if there is none, or it is not what was written, and then it is not counted on any more. */
    ByteBuffer whole(int version) {
        if (!present.contains(version)) {
            return null;
        }
        try {
            ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file(version)));
            if (Snapshot.fromBytes(content) != null) {
                return content;
            }
        } catch (IOException unreadable) {
            // As good as none.
        }
        present.remove((Integer) version);
        return null;
    }

    /** Returns when it is on the disk. */
    void write(int version, ByteBuffer content) {
        // A channel's work is cut off by an interrupt, which is the program's to see, not ours to lose.
        boolean isInterrupted = Thread.interrupted();
        try {
            boolean isWritten = false;
            while (!isWritten) {
                try {
                    writeOnce(version, content.duplicate());
                    isWritten = true;
                } catch (ClosedByInterruptException e) {
                    isInterrupted |= Thread.interrupted();
                }
            }
            keep(version);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "ulfm.rabit.spill: version " + version + " cannot be written to " + directory, e);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void writeOnce(int version, ByteBuffer content) throws IOException {
        Path unfinished = directory.resolve(prefix + version + ".tmp");
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
    }

    /** It is on the disk now: what is older than the one before it goes. */
    private void keep(int version) throws IOException {
        if (!present.contains(version)) {
            present.add(version);
            Collections.sort(present);
        }
        for (int older : versions()) {
            if (older <= version - KEPT) {
                Files.deleteIfExists(file(older));
                present.remove((Integer) older);
            }
        }
    }

    private Path file(int version) {
        return directory.resolve(prefix + version + SUFFIX);
    }
}
