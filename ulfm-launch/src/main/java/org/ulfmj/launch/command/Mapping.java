package org.ulfmj.launch.command;

import java.util.Locale;
import org.ulfmj.command.Given;

/**
 * The value of {@code --map-by}, in the words of Open MPI: {@code slot}, {@code node}, {@code :OVERSUBSCRIBE}.
 *
 * @param isByNode whether processes are dealt out to the hosts one by one in turn, instead of filling one host after
 *     the other
 * @param mayExceed whether hosts may take more processes than they have slots
 * @param isKnown whether the value consists of known words only
 */
record Mapping(boolean isByNode, boolean mayExceed, boolean isKnown) {
    static Mapping of(Given given) {
        String text = given.text(OptionModel.MAP_BY);
        boolean isByNode = false;
        boolean mayExceed = false;
        boolean isKnown = true;
        for (String word :
                text == null ? new String[0] : text.toLowerCase(Locale.ROOT).split(":")) {
            switch (word) {
                case "", "slot", "nooversubscribe" -> {}
                case "node" -> isByNode = true;
                case "oversubscribe" -> mayExceed = true;
                default -> isKnown = false;
            }
        }
        return new Mapping(isByNode, mayExceed, isKnown);
    }
}
