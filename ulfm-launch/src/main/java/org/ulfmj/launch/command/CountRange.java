package org.ulfmj.launch.command;

import org.ulfmj.command.UsageException;
import org.ulfmj.rendezvous.RunSpec;

/** The value {@code MIN:MAX} of {@code -n}: the least and the greatest number of processes, as in {@code -n 2:4}. */
record CountRange(String text, int min, int max) {
    static boolean isRange(String text) {
        return text.contains(":");
    }

    /** Reads {@code MIN:MAX}. */
    static CountRange parse(String option, String text) {
        int colon = text.indexOf(':');
        int min = CommandLine.number(option, text.substring(0, colon), " processes", 1, RunSpec.MAX_SIZE);
        int max = CommandLine.number(option, text.substring(colon + 1), " processes", 1, RunSpec.MAX_SIZE);
        if (max < min) {
            throw new UsageException(option + " " + text + ": the greatest number is below the least");
        }
        return new CountRange(text, min, max);
    }

    /**
     * Returns how many processes are started with these slots.
     *
     * @param slots of the hosts on which the program may run; 0 if the hosts do not limit the number
     * @throws UsageException if the hosts limit the number and have fewer slots than {@code min}
     */
    int countFor(String option, int slots) {
        if (slots > 0 && slots < min) {
            throw new UsageException(option + " " + text + ": at least " + min + " processes, but the hosts have "
                    + slots + (slots == 1 ? " slot" : " slots"));
        }
        return slots == 0 ? max : Math.min(slots, max);
    }
}
