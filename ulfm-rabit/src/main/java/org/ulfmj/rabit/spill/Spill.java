package org.ulfmj.rabit.spill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.rabit.engine.Snapshot;

/**
 * A rank's checkpoints on a disk, for the case that too many ranks die at once to leave a copy in memory. A file is
 * written under another name, forced to the disk and renamed, so a file with its final name is whole. The
 * {@link SpillSeal} of a file shows whether the file is damaged all the same, or whether another job or another user
 * has put it there. Only its owner may read the file, and links are not followed. The last two versions are kept,
 * because other ranks may not have written the last one yet. An interrupt of the calling thread cuts off neither
 * reading nor writing, and stays set.
 */
public final class Spill {
    private static final String SUFFIX = ".rabit";
    private static final String WITH_LOCAL = ".local";
    private static final int KEPT = 2;
    private static final long LONGEST_BYTES = Integer.MAX_VALUE - Long.BYTES;

    private static final FileAttribute<?> OWNERS_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<?> OWNERS_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path directory;
    private final SpillSeal seal;
    private final int slot;
    private final String prefix;
    /** The versions on the disk as far as is known, each with whether it has a local model. */
    private final SortedMap<Integer, Boolean> present = new TreeMap<>();
    /** The reason for which no checkpoint is written any more; null while checkpoints are written. */
    private String end;

    /** @param isFirst whether no process of this job had this slot before */
    public Spill(Path directory, SpillSeal seal, int slot, boolean isFirst) {
        this.directory = directory;
        this.seal = seal;
        this.slot = slot;
        this.prefix = seal.job() + ".rank-" + slot + ".version-";
        try {
            create(directory);
            find();
            if (isFirst) {
                clear();
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("ulfm.rabit.spill: " + directory + " cannot be used: " + e, e);
        }
    }

    private static void create(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return; // the user's own, with the rights that the user gave it
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(directory, OWNERS_DIRECTORY);
        } catch (FileAlreadyExistsException another) {
            if (!Files.isDirectory(directory)) {
                throw another;
            }
        }
    }

    private void find() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, prefix + "*" + SUFFIX)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                String version = name.substring(prefix.length(), name.length() - SUFFIX.length());
                boolean hasLocal = version.endsWith(WITH_LOCAL);
                String digits = hasLocal ? version.substring(0, version.length() - WITH_LOCAL.length()) : version;
                if (digits.matches("[1-9][0-9]{0,8}")) {
                    present.put(Integer.valueOf(digits), hasLocal);
                }
            }
        }
    }

    /** The versions on the disk, ascending; a recovery that does not need them reads no file. */
    public List<Integer> versions() {
        return List.copyOf(present.keySet());
    }

    /** Whether the versions on the disk have local models: the same for all versions of a job. */
    public boolean hasLocals() {
        return present.containsValue(true);
    }

    /** Returns the reason for which no checkpoint is written any more; null while checkpoints are written. */
    public String end() {
        return end;
    }

    /**
     * Returns the snapshot of a version. Null if there is none, or if the file cannot be read or is not what this job
     * wrote; {@link #versions} does not name such a version any more.
     */
    public ByteBuffer whole(int version) {
        Boolean hasLocal = present.get(version);
        if (hasLocal == null) {
            return null;
        }
        try {
            ByteBuffer content = seal.open(read(file(version, hasLocal)), slot, version, hasLocal);
            if (content != null && Snapshot.fromBytes(content) != null) {
                return content;
            }
        } catch (IOException unreadable) {
            // An unreadable file counts as no file.
        }
        present.remove(version);
        return null;
    }

    /**
     * Checks that a file is a regular one, belongs to this user, if that can be found out, and is not too long. A user
     * with the right to write to the directory can put a pipe there, which blocks when it is opened, or a file that has
     * a length and no content. Neither may hold up a recovery.
     */
    private void requireOwnFile(Path file) throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile()) {
            throw new IOException(file + " is no file");
        }
        UserPrincipal self = self();
        if (self != null && !attributes.owner().equals(self)) {
            throw new IOException(file + " belongs to " + attributes.owner());
        }
        if (attributes.size() > Math.min(LONGEST_BYTES, Runtime.getRuntime().maxMemory())) {
            throw new IOException(file + " is longer than anything that was written");
        }
    }

    /**
     * The owner of the files that this process writes here, which a file system may choose; null if that cannot be
     * found out, for instance because the directory takes no file.
     */
    private UserPrincipal self() {
        Path unfinished = unfinished();
        try {
            Files.deleteIfExists(unfinished);
            Files.createFile(unfinished, OWNERS_FILE);
            try {
                return Files.getOwner(unfinished, LinkOption.NOFOLLOW_LINKS);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException unknown) {
            return null;
        }
    }

    /** Work on files, which an interrupt may cut off. */
    private interface FileWork<T> {
        T run() throws IOException;
    }

    /**
     * Does work again that an interrupt has cut off. The interrupt is meant for the program, so it is kept for it and
     * neither spoils the work nor gets lost here.
     */
    private static <T> T inSpiteOfInterrupts(FileWork<T> work) throws IOException {
        boolean isInterrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return work.run();
                } catch (ClosedByInterruptException e) {
                    isInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private ByteBuffer read(Path file) throws IOException {
        return inSpiteOfInterrupts(() -> readOnce(file));
    }

    private ByteBuffer readOnce(Path file) throws IOException {
        requireOwnFile(file);
        try (SeekableByteChannel channel =
                Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            if (channel.size() > LONGEST_BYTES) {
                throw new IOException(file + " is longer than anything that was written");
            }
            ByteBuffer content = ByteBuffer.allocate((int) channel.size());
            while (content.hasRemaining() && channel.read(content) >= 0) {
                // Reads until the buffer is full, or the file has become shorter.
            }
            return content.flip();
        }
    }

    /**
     * Writes a version. Returns when the version is on the disk, or cannot be written: then nothing is written any
     * more, and {@link #end} says why.
     *
     * @param hasLocal whether the content has a local model
     */
    public void write(int version, boolean hasLocal, ByteBuffer content) {
        if (end != null) {
            return;
        }
        try {
            inSpiteOfInterrupts(() -> {
                writeOnce(version, hasLocal, content);
                keep(version, hasLocal);
                return null;
            });
        } catch (IOException e) {
            end = "version " + version + " cannot be written to " + directory + ": " + e;
            removeUnfinished();
        }
    }

    private void writeOnce(int version, boolean hasLocal, ByteBuffer content) throws IOException {
        Path unfinished = unfinished();
        Files.deleteIfExists(unfinished); // left by a killed process of this slot; a link is removed, not its target
        Set<StandardOpenOption> anew = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel file = FileChannel.open(unfinished, anew, OWNERS_FILE)) {
            for (ByteBuffer part :
                    new ByteBuffer[] {seal.head(slot, version, hasLocal, content), content.duplicate()}) {
                while (part.hasRemaining()) {
                    file.write(part);
                }
            }
            file.force(true);
        }
        Files.move(unfinished, file(version, hasLocal), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /** Notes a version that is on the disk now, and removes the files of all versions that are at least two older. */
    private void keep(int version, boolean hasLocal) throws IOException {
        present.put(version, hasLocal);
        for (int older : versions()) {
            if (older <= version - KEPT) {
                remove(older);
            }
        }
    }

    /**
     * Notes that all ranks have gone back to this version. Removes the versions that were written after it, and does
     * not name them to other ranks again.
     */
    public void forgetAbove(int version) {
        for (int newer : List.copyOf(present.tailMap(version + 1).keySet())) {
            try {
                remove(newer);
            } catch (IOException stays) {
                present.remove(newer);
            }
        }
    }

    private void remove(int version) throws IOException {
        Files.deleteIfExists(file(version, present.get(version)));
        present.remove(version);
    }

    /** Removes the files of this job and slot that this object knows of: no rank of the job will need them any more. */
    public void clear() {
        for (int version : versions()) {
            try {
                remove(version);
            } catch (IOException stays) {
                // A file that cannot be removed does no harm: another job ignores it.
            }
        }
        removeUnfinished();
    }

    private void removeUnfinished() {
        try {
            Files.deleteIfExists(unfinished());
        } catch (IOException stays) {
            // An unfinished file that cannot be removed does no harm: another job ignores it.
        }
    }

    private Path unfinished() {
        return directory.resolve(prefix + "unfinished");
    }

    private Path file(int version, boolean hasLocal) {
        return directory.resolve(prefix + version + (hasLocal ? WITH_LOCAL : "") + SUFFIX);
    }
}
