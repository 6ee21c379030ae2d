package org.ulfmj.launch.hosts;

import java.util.ArrayList;
import java.util.List;

/** Parses a list of hosts in one word: {@code node1:4,node2}. */
public final class HostList {
    private HostList() {}

    /**
     * @param where the name of the option, for messages of errors
     * @return the hosts in the order of the list; a name may occur several times
     * @throws IllegalArgumentException if the word is not of this form, or has no host
     */
    public static List<HostSlots> parse(String where, String text) {
        List<HostSlots> hosts = new ArrayList<>();
        for (String word : text.split(",")) {
            String name = word.trim();
            if (!name.isEmpty()) {
                hosts.add(HostSlots.of(where + " " + text, name));
            }
        }
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException(where + " '" + text + "': there is no host in it");
        }
        return hosts;
    }
}
