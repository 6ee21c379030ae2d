package org.ulfmj.runtime.office;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Notes of the processes that have finalized, in the directory of a job that other processes could begin again: a
 * coordinator that proves the end of a process learns from its note that the program has finished, though perhaps no
 * coordinator has heard its goodbye, as etcd was away.
 *
 * <p>A note is an empty file, which is there or is not, and is named by the nonce of its process, which no other
 * process has. Any thread.
 */
public final class FinalizeNotes {
    private static final String PREFIX = "finalized.n";

    private final Path directory;

    /** @param directory of the job, which only its user may look into */
    public FinalizeNotes(Path directory) {
        this.directory = directory;
    }

    /**
     * Notes that a process has finalized, as all others have decided, too (F3). Without a note its goodbye must be
     * heard, so it says on stderr why it could not be made.
     */
    void note(long nonce) {
        try {
            Files.createFile(file(nonce));
        } catch (NoSuchFileException gone) {
            // Without the directory no process begins the program again.
        } catch (IOException refused) {
            System.err.println("cannot note that this process has finalized (" + refused
                    + "): if no coordinator hears so, a process that waits begins the program again");
        }
    }

    /** Whether the process with this nonce has finalized, no matter what ended it then. */
    public boolean has(long nonce) {
        return Files.exists(file(nonce));
    }

    /** Whether the notes went with the directory of the job, as its launcher has removed it and has ended. */
    boolean areGone() {
        return Files.notExists(directory);
    }

    private Path file(long nonce) {
        return directory.resolve(PREFIX + Long.toHexString(nonce));
    }
}
