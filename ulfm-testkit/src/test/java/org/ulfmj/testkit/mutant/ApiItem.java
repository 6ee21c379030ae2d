package org.ulfmj.testkit.mutant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One method or constructor of package {@code mpi}, read from a line of a list such as {@code open-mpi.txt}.
 *
 * @param line the line
 * @param type the name of the class; for a nested class with that of the outer class in front: {@code Struct.Data}
 * @param name the name of the method, or the simple name of the class for a constructor
 * @param parameters the simple names of the types of the parameters
 */
record ApiItem(String line, String type, String name, List<String> parameters) {
    private static final Pattern METHOD =
            Pattern.compile("(?:public|protected) .* ((?:\\w+\\.)+)(\\w+)\\((.*)\\)(?: throws .*)?");
    private static final Pattern CONSTRUCTOR =
            Pattern.compile("(?:public|protected) ((?:\\w+\\.)*(\\w+))\\((.*)\\)(?: throws .*)?");
    private static final Pattern COMMA_OUTSIDE_OF_BRACKETS = Pattern.compile(",\\s*(?![^<]*>)");

    /** Returns the methods and constructors in a list, without its other items. */
    static List<ApiItem> readAll(Path list) throws IOException {
        List<ApiItem> items = new ArrayList<>();
        for (String line : Files.readAllLines(list)) {
            Matcher method = METHOD.matcher(line);
            Matcher constructor = CONSTRUCTOR.matcher(line);
            if (constructor.matches()) {
                items.add(new ApiItem(
                        line, constructor.group(1), constructor.group(2), parameters(constructor.group(3))));
            } else if (method.matches()) {
                String type = method.group(1).substring(0, method.group(1).length() - 1);
                items.add(new ApiItem(line, type, method.group(2), parameters(method.group(3))));
            }
        }
        return items;
    }

    private static List<String> parameters(String types) {
        return types.isBlank()
                ? List.of()
                : Arrays.stream(COMMA_OUTSIDE_OF_BRACKETS.split(types))
                        .map(ApiItem::simple)
                        .toList();
    }

    /** Returns the name of a type without its package and outer class. */
    static String simple(String type) {
        return type.replaceAll("\\w+[.$]", "");
    }

    /** Returns the simple name of the top-level class, in whose file the item is. */
    String file() {
        return type.replaceAll("\\..*", "");
    }

    /** Whether a word of {@code -Dapi.mutants} names this item: {@code all}, a class, or a class and a method. */
    boolean isAskedFor(List<String> words) {
        return words.contains("all") || words.contains(type) || words.contains(type + "." + name);
    }
}
