package org.ulfmj.launch.hosts;

import java.util.ArrayList;
import java.util.List;

/** Expands a list of numbers, one per node, as Slurm shortens it: {@code 8(x3),4} are 8, 8, 8 and 4. */
public final class TaskCounts {
    private TaskCounts() {}

    /**
     * @param where the name of the environment variable, for messages of errors
     * @throws IllegalArgumentException if the text is not of this form, or has more numbers than a job may have hosts
     */
    public static List<Integer> parse(String where, String text) {
        List<Integer> counts = new ArrayList<>();
        for (String word : text.split(",", -1)) {
            int times = word.indexOf("(x");
            int repeated = 1;
            String count = word;
            if (times >= 0) {
                if (!word.endsWith(")")) {
                    throw new IllegalArgumentException(
                            where + " '" + text + "' is no list of numbers; allowed: numbers as 8(x3),4, with commas");
                }
                count = word.substring(0, times);
                repeated = HostSlots.slots(where + " " + text, word.substring(times + 2, word.length() - 1));
            }
            int slots = HostSlots.slots(where + " " + text, count);
            if (repeated > HostSlots.MOST_HOSTS - counts.size()) {
                throw new IllegalArgumentException(
                        where + " " + text + ": more than " + HostSlots.MOST_HOSTS + " hosts");
            }
            for (int i = 0; i < repeated; i++) {
                counts.add(slots);
            }
        }
        return counts;
    }
}
