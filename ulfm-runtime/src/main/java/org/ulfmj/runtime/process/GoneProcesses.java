package org.ulfmj.runtime.process;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * The processes that have failed or departed. The last incarnation of a slot that is gone stands for all before it: the
 * set grows with the slots and not with the failures. Under the engine lock.
 */
final class GoneProcesses {
    /** By slot, the last incarnation that is gone. */
    private final SortedMap<Integer, Integer> last = new TreeMap<>();

    void add(ProcessId process) {
        if (!contains(process)) {
            last.put(process.slot(), process.incarnation());
        }
    }

    boolean contains(ProcessId process) {
        Integer incarnation = last.get(process.slot());
        return incarnation != null && process.incarnation() <= incarnation;
    }

    int kept() {
        return last.size();
    }
}
