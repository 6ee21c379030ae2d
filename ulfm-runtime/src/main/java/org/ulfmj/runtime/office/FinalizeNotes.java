package org.ulfmj.runtime.office;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Notes of the processes that have finalized, in the directory of an elastic job whose coordinator is elected, as other
 * processes could run its program again. A coordinator that proves the end of a process learns from its note that the
 * program has finished, though perhaps no coordinator got its goodbye, as etcd could not be reached.
 *
 * <p>A note is an empty file, which exists or not, and is named by the nonce of its process, which no other process
 * has. Any thread.
 */
public final class FinalizeNotes {
    private static final String PREFIX = "finalized.n";

    private final Path directory;

    /** @param directory the directory of the job, which only its user may look into */
    public FinalizeNotes(Path directory) {
        this.directory = directory;
    }

    /**
     * Notes that a process has finalized, as all other ranks have decided, too (F3). Without a note its goodbye must
     * reach a coordinator; so if the note cannot be made though the directory exists, the process says on stderr why.
     */
    void note(long nonce) {
        try {
            Files.createFile(file(nonce));
        } catch (NoSuchFileException gone) {
            // Without the directory no process runs the program again, so no note is needed.
        } catch (IOException refused) {
            System.err.println("cannot note that this process has finalized (" + refused
                    + "): if no coordinator hears so, a process that waits begins the program again");
        }
    }

    /** Whether the process with this nonce has finalized, however it ended after that. */
    public boolean has(long nonce) {
        return Files.exists(file(nonce));
    }

    /**
     * Whether the notes are gone together with the directory of the job, because its launcher has removed the directory
     * and has ended.
     */
    boolean areGone() {
        return Files.notExists(directory);
    }

    private Path file(long nonce) {
        return directory.resolve(PREFIX + Long.toHexString(nonce));
    }
}
