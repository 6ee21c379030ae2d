package org.ulfmj.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Removes the directories of earlier jobs whose processes could not remove them, for example because all were killed
 * when the machine ran out of memory. A directory of this user with the mode 0700 is removed if every process with an
 * owner record in it is certainly dead, or if it has no such record and was not changed for a minute. Files are
 * unlinked, never truncated: a process that still has a file mapped keeps its memory, where a truncated file would end
 * the process by a SIGBUS.
 *
 * <p>The launcher and the agents of other hosts call this class when a job starts.
 */
public final class ShmSweeper {
    /**
     * A directory without an owner record is taken to be still in the making for this long. After that its maker is
     * taken for dead.
     */
    private static final long LONGEST_MAKING_MS = 60_000;

    private ShmSweeper() {}

    /**
     * Removes the directories of dead jobs under {@code base}. Returns how many. A directory that cannot be judged
     * stays.
     */
    public static int sweep(Path base) {
        File[] files = base.toFile().listFiles();
        int swept = 0;
        if (files != null) {
            for (File file : files) {
                if (file.getName().startsWith(ShmDirectory.PREFIX) && isDead(file)) {
                    ShmDirectory.remove(file);
                    swept++;
                }
            }
        }
        return swept;
    }

    private static boolean isDead(File directory) {
        try {
            if (!ShmDirectory.isOursAlone(directory.toPath())) {
                return false;
            }
            String[] names = directory.list();
            if (names == null) {
                return false;
            }
            int owners = 0;
            for (String name : names) {
                if (OwnerFile.isOwnerFile(name)) {
                    owners++;
                    OwnerFile.Content content = OwnerFile.read(new File(directory, name));
                    if (content != null && content.owner().mayBeAlive()) {
                        return false;
                    }
                }
            }
            return owners > 0 || System.currentTimeMillis() - directory.lastModified() > LONGEST_MAKING_MS;
        } catch (IOException unreadable) {
            return false;
        }
    }
}
