package org.ulfmj.launch.process;

import java.util.HashMap;
import java.util.Map;

/**
 * The host and the local rank of the last process of each slot of a job on several hosts. They are kept after that
 * process's end, because its successor may go to the same host. Used by the launcher's main thread.
 */
public final class LastPlaces {
    private record Place(RankProcess process, int host, int localRank) {}

    private final Map<Integer, Place> places = new HashMap<>();

    /** Notes that a process was started in a slot or, as a spare, got it. */
    public void put(int slot, RankProcess process, int host, int localRank) {
        places.put(slot, new Place(process, host, localRank));
    }

    /** Returns the host of the slot's last process; {@code first} if no process has had the slot yet. */
    public int host(int slot, int first) {
        Place last = places.get(slot);
        return last == null ? first : last.host;
    }

    /**
     * Returns a local rank for the next process of a slot on a host: {@code preferred} if no running process of another
     * slot has it on that host, else the lowest that none has.
     */
    public int localRank(int slot, int host, int preferred) {
        if (isFree(slot, host, preferred)) {
            return preferred;
        }
        int lowest = 0;
        while (!isFree(slot, host, lowest)) {
            lowest++;
        }
        return lowest;
    }

    private boolean isFree(int slot, int host, int localRank) {
        return places.entrySet().stream()
                .noneMatch(each -> each.getKey() != slot
                        && each.getValue().host == host
                        && each.getValue().localRank == localRank
                        && !each.getValue().process.hasEnded());
    }
}
