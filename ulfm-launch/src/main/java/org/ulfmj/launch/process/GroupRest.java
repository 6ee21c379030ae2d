package org.ulfmj.launch.process;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.transport.host.ProcessStat;

/**
 * The processes that are left in a process group whose leader has ended: a rank that a script had started, for
 * instance. As long as one of them lives, the system gives the group's number to no other process. Not thread-safe.
 */
public final class GroupRest {
    private static final long LOOK_NS = 50_000_000;

    private final Path proc;
    private final long group;
    private List<Long> left;
    private long nextLookNs;

    /**
     * @param proc the folder {@code /proc}
     * @param group the number of the group: the pid that its leader had
     */
    public GroupRest(Path proc, long group) {
        this.proc = proc;
        this.group = group;
        this.left = look();
    }

    /** Whether a process of the group is left, as the last look found. Looks at most every {@value #LOOK_NS} ns. */
    public boolean isAnyLeft(long nowNs) {
        if (nextLookNs == 0 || nowNs - nextLookNs >= 0) {
            nextLookNs = nowNs + LOOK_NS;
            left.removeIf(pid -> !isOfGroup(pid));
            if (left.isEmpty()) {
                left = look(); // the processes that are gone may have started others
            }
        }
        return !left.isEmpty();
    }

    private List<Long> look() {
        List<Long> found = new ArrayList<>();
        String[] names = new File(proc.toString()).list();
        for (String name : names == null ? new String[0] : names) {
            if (name.charAt(0) >= '1' && name.charAt(0) <= '9' && isOfGroup(Long.parseLong(name))) {
                found.add(Long.parseLong(name));
            }
        }
        return found;
    }

    private boolean isOfGroup(long pid) {
        ProcessStat stat = ProcessStat.now(ProcessStat.folder(proc.toString(), pid));
        return stat != null && stat.group() == group && !stat.hasEndedWholly();
    }
}
