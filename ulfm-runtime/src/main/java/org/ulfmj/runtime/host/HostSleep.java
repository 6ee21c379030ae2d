package org.ulfmj.runtime.host;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.transport.SleepWatch;

/**
 * Tells a thread of this rank, before it sleeps, whether a flag in shared memory has come for which a call of the rank
 * waits. Changed under the engine lock.
 */
public final class HostSleep implements SleepWatch {
    private static final SleepWatch[] NONE = {};

    /**
     * The groups and windows for whose flags a thread of this rank may sleep. A change replaces the array by a new one.
     */
    private volatile SleepWatch[] groups = NONE;

    public void add(SleepWatch group) {
        List<SleepWatch> more = new ArrayList<>(List.of(groups));
        more.add(group);
        groups = more.toArray(NONE);
    }

    public boolean contains(SleepWatch group) {
        return List.of(groups).contains(group);
    }

    public void remove(SleepWatch group) {
        List<SleepWatch> rest = new ArrayList<>(List.of(groups));
        rest.remove(group);
        groups = rest.toArray(NONE);
    }

    @Override
    public void beginSleep() {
        for (SleepWatch group : groups) {
            group.beginSleep();
        }
    }

    @Override
    public boolean mayGoOn() {
        for (SleepWatch group : groups) {
            if (group.mayGoOn()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void endSleep() {
        for (SleepWatch group : groups) {
            group.endSleep();
        }
    }
}
