package org.ulfmj.launch.program;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The arguments of a {@code java} command, parsed as the {@code java} launcher does: options, then the program to run,
 * then the program's own arguments.
 *
 * @param options without class path and module path
 * @param classPath value of the last {@code -cp}; null if there was none
 * @param modulePath value of the last {@code -p}; null if there was none
 * @param form how the program is named
 * @param program main class, jar, {@code module/class} or source file; null for {@link Form#NONE}
 * @param arguments of the program
 */
record JavaArguments(
        List<String> options, String classPath, String modulePath, Form form, String program, List<String> arguments) {
    enum Form {
        MAIN_CLASS,
        JAR,
        MODULE,
        SOURCE_FILE,
        /** No program is named, as in {@code java -version}. */
        NONE
    }

    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");
    private static final Set<String> MODULE_PATH = Set.of("-p", "--module-path");
    private static final Set<String> WITH_VALUE = Set.of(
            "--add-modules",
            "--add-exports",
            "--add-opens",
            "--add-reads",
            "--limit-modules",
            "--patch-module",
            "--upgrade-module-path",
            "--enable-native-access",
            "--illegal-native-access",
            "--source",
            "--describe-module",
            "-d",
            "--finalization");

    /**
     * @param given the words after {@code java} on the command line; a word {@code @name} before the program is
     *     replaced by the words in that file
     * @param workingDirectory to which the names of argument files are relative
     */
    static JavaArguments parse(List<String> given, Path workingDirectory) {
        List<String> words = new ArrayList<>(given);
        List<String> options = new ArrayList<>();
        String classPath = null;
        String modulePath = null;
        int i = 0;
        // The index behind the last word that came from an argument file. In such words java reads no further files: a
        // file that names itself would never end.
        int endOfFile = 0;
        while (i < words.size()
                && (i >= endOfFile && isArgumentFile(words.get(i))
                        || words.get(i).startsWith("-"))) {
            String word = words.get(i++);
            if (i > endOfFile && isArgumentFile(word)) {
                words.remove(--i);
                List<String> inFile = ArgumentFile.words(workingDirectory.resolve(word.substring(1)));
                words.addAll(i, inFile);
                endOfFile = i + inFile.size();
                continue;
            }
            if (word.equals("-jar") || word.equals("-m") || word.equals("--module")) {
                Form form = word.equals("-jar") ? Form.JAR : Form.MODULE;
                return program(options, classPath, modulePath, form, words, i);
            }
            if (word.startsWith("--module=")) {
                List<String> rest = new ArrayList<>(words.subList(i - 1, words.size()));
                rest.set(0, valueOf(word));
                return program(options, classPath, modulePath, Form.MODULE, rest, 0);
            }
            if (CLASS_PATH.contains(word) && i < words.size()) {
                classPath = words.get(i++);
            } else if (word.startsWith("--class-path=")) {
                classPath = valueOf(word);
            } else if (MODULE_PATH.contains(word) && i < words.size()) {
                modulePath = words.get(i++);
            } else if (word.startsWith("--module-path=")) {
                modulePath = valueOf(word);
            } else {
                options.add(word);
                if (WITH_VALUE.contains(word) && i < words.size()) {
                    options.add(words.get(i++));
                }
            }
        }
        Form form = i < words.size() && words.get(i).endsWith(".java") ? Form.SOURCE_FILE : Form.MAIN_CLASS;
        return program(options, classPath, modulePath, form, words, i);
    }

    /** The system properties that the options set with {@code -Dname=value}. */
    Map<String, String> systemProperties() {
        Map<String, String> properties = new TreeMap<>();
        for (String option : options) {
            if (option.startsWith("-D")) {
                int equals = option.indexOf('=');
                String name = option.substring(2, equals < 0 ? option.length() : equals);
                properties.put(name, equals < 0 ? "" : option.substring(equals + 1));
            }
        }
        return properties;
    }

    private static JavaArguments program(
            List<String> options, String classPath, String modulePath, Form form, List<String> words, int index) {
        if (index >= words.size()) {
            return new JavaArguments(List.copyOf(options), classPath, modulePath, Form.NONE, null, List.of());
        }
        List<String> arguments = List.copyOf(words.subList(index + 1, words.size()));
        return new JavaArguments(List.copyOf(options), classPath, modulePath, form, words.get(index), arguments);
    }

    private static boolean isArgumentFile(String word) {
        return word.startsWith("@") && !word.startsWith("@@");
    }

    private static String valueOf(String option) {
        return option.substring(option.indexOf('=') + 1);
    }
}
