package org.ulfmj.launch.hosts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Parses a file of hosts, in the form of Open MPI ({@code node1 slots=4 max_slots=8}) or of Hydra ({@code node1:4}).
 * Each line begins with the name of a host, and {@code #} begins a comment. Where a line has both {@code slots=} and a
 * number behind a colon, {@code slots=} counts.
 */
public final class HostFile {
    private static final String ALLOWED = "; allowed: NAME, NAME:SLOTS, NAME slots=N max_slots=N";

    private HostFile() {}

    /**
     * @param where the name of the option and the file, for messages of errors
     * @return the hosts in the order of their lines; a name may occur several times
     * @throws IllegalArgumentException if a line is not of this form, or no line has a host
     */
    public static List<HostSlots> parse(String where, List<String> lines) {
        List<HostSlots> hosts = new ArrayList<>();
        int number = 0;
        for (String line : lines) {
            number++;
            int comment = line.indexOf('#');
            String text = (comment < 0 ? line : line.substring(0, comment)).trim();
            if (!text.isEmpty()) {
                hosts.add(host(where + ", line " + number, text.split("\\s+")));
            }
        }
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException(where + ": there is no host in it");
        }
        return hosts;
    }

    private static HostSlots host(String where, String... words) {
        HostSlots host = HostSlots.of(where, words[0]);
        int slots = host.slots();
        int most = host.most();
        boolean isNumbered = host.isNumbered();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            String key = equals < 0 ? "" : words[i].substring(0, equals).toLowerCase(Locale.ROOT);
            String value = words[i].substring(equals + 1);
            switch (key) {
                case "slots" -> {
                    slots = HostSlots.slots(where, value);
                    isNumbered = true;
                }
                case "max_slots", "max-slots" -> most = HostSlots.slots(where, value);
                default -> throw new IllegalArgumentException(where + ": '" + words[i] + "' is not known" + ALLOWED);
            }
        }
        if (most < slots && isNumbered) {
            throw new IllegalArgumentException(where + ": slots=" + slots + " is above max_slots=" + most);
        }
        return new HostSlots(host.name(), slots, most, isNumbered);
    }
}
