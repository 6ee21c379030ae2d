package org.ulfmj.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Removes the directories of jobs that ended without being able to do it themselves, as when the machine's memory ran
 * out and everything of the job was killed. A directory goes when each process that left its record in it is certainly
 * dead. Files are unlinked, never truncated: any process that still maps one, although we have marked it failed, keeps
 * its memory and harms no process, where a truncated file would be a SIGBUS for its reader.
 *
 * <p>The launcher calls it when a job starts; its own directory it removes at the end by {@link ShmDirectory#remove}.
 */
public final class ShmSweeper {
    /** A directory without a record is being made, or was when its maker died. */
    private static final long LONGEST_MAKING_MS = 60_000;

    private ShmSweeper() {}

    /**
     * Removes what is dead under {@code base}; returns how many directories. What cannot be judged or removed stays.
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
