package org.ulfmj.rabit;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether this job has ever committed a checkpoint, as far as this host knows: a file in the job's directory, which
 * outlives all processes. Every rank makes the file before it takes part in its first commit. So if the file is
 * missing, no rank was ever told that a version is committed, and a job whose ranks have all died can begin again.
 */
final class FirstCommit {
    private static final String NAME = "rabit.committed";

    /** The file that says that this job may have committed a checkpoint; null where nothing outlives the ranks. */
    private final Path mark;

    private boolean isMarked;

    /** @param jobDirectory null if there is none */
    FirstCommit(Path jobDirectory) {
        this.mark = jobDirectory == null ? null : jobDirectory.resolve(NAME);
    }

    /** Makes the file: this rank is about to take part in a commit. */
    void begin() throws IOException {
        if (mark == null || isMarked) {
            return;
        }
        try {
            Files.createFile(mark);
        } catch (FileAlreadyExistsException another) {
            // Another rank has made the file first, so there is nothing to do.
        }
        isMarked = true;
    }

    /** Whether it is certain that this job has never committed a checkpoint. */
    boolean isStillToCome() {
        return mark != null && Files.isDirectory(mark.getParent()) && Files.notExists(mark);
    }
}
