package org.ulfmj.rabit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.ulfmj.protocol.SlotRuns;

/**
 * The ranks that keep copies of a rank's local model: the next ranks whose failure domains differ from its own and from
 * each other's, then the next ones on any.
 */
final class Placement {
    private Placement() {}

    /**
     * @param owner slot of the owner of the model
     * @param domains failure domains, by slot: ranks with equal numbers may fail together
     * @param copies number of copies besides the owner's
     * @return slots, none twice, not the owner's; fewer than {@code copies} only if there are no more
     */
    static List<Integer> partners(int owner, SlotRuns members, SortedMap<Integer, Long> domains, int copies) {
        List<Integer> partners = new ArrayList<>();
        List<Long> taken = new ArrayList<>(List.of(domains.get(owner)));
        int size = members.size();
        int start = members.rank(owner);
        for (int i = 1; i < size && partners.size() < copies; i++) {
            int slot = members.slot((start + i) % size);
            if (!taken.contains(domains.get(slot))) {
                partners.add(slot);
                taken.add(domains.get(slot));
            }
        }
        for (int i = 1; i < size && partners.size() < copies; i++) {
            int slot = members.slot((start + i) % size);
            if (!partners.contains(slot)) {
                partners.add(slot);
            }
        }
        return partners;
    }
}
