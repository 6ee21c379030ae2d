package org.ulfmj.launch.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.command.CommandOption;
import org.ulfmj.command.Given;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.program.ArgumentFile;
import org.ulfmj.transport.host.SystemReason;

/**
 * Splits a command line that names several programs, separated by colons or in the lines of a file. Each program has
 * its own number of processes and may have its own hosts, environment and directory. All other options are those of the
 * whole job, and stand before the first program.
 */
final class ProgramBlocks {
    private static final String SEPARATOR = ":";
    private static final List<String> OWN = List.of(
            OptionModel.COUNT,
            OptionModel.COUNT_PER_HOST,
            OptionModel.ENVIRONMENT,
            OptionModel.ENVIRONMENT_PAIR,
            OptionModel.ENVIRONMENT_LIST,
            OptionModel.ENVIRONMENT_NONE,
            OptionModel.ENVIRONMENT_ALL,
            OptionModel.UNSET_ENVIRONMENT,
            OptionModel.WORKING_DIRECTORY,
            OptionModel.HOST,
            OptionModel.HOST_FILE);

    private ProgramBlocks() {}

    /**
     * The programs of a command line, each with its own options.
     *
     * @param given the command line
     * @param directory to which names of files are relative
     */
    static List<Given> of(Given given, Path directory) {
        String file = given.text(OptionModel.PROGRAMS_FILE);
        List<Given> blocks = file == null ? betweenColons(given) : inFile(given, directory.resolve(file));
        for (int i = 0; i < blocks.size(); i++) {
            Given block = blocks.get(i);
            String which = "program " + (i + 1);
            if (block.command().isEmpty()) {
                throw new UsageException(which + " is missing; write -n N PROGRAM ARGUMENTS : -n N PROGRAM ARGUMENTS");
            }
            if (!block.has(OptionModel.COUNT)
                    && !block.has(OptionModel.COUNT_PER_HOST)
                    && !block.has(OptionModel.HOST)
                    && !block.has(OptionModel.HOST_FILE)) {
                throw new UsageException("how many processes of " + which + ", '"
                        + block.command().get(0) + "'? Write -n N in front of it");
            }
        }
        return blocks;
    }

    private static List<Given> betweenColons(Given given) {
        List<Given> blocks = new ArrayList<>();
        for (List<String> words : parts(given.command())) {
            blocks.add(blocks.isEmpty() ? new Block(given, null, words) : read(words, null));
        }
        return blocks;
    }

    private static List<List<String>> parts(List<String> words) {
        List<List<String>> parts = new ArrayList<>();
        int from = 0;
        for (int to = 0; to <= words.size(); to++) {
            if (to == words.size() || words.get(to).equals(SEPARATOR)) {
                parts.add(words.subList(from, to));
                from = to + 1;
            }
        }
        return parts;
    }

    /** Reads the programs from a file. Options of the command line are the defaults for each program of the file. */
    private static List<Given> inFile(Given given, Path file) {
        if (!given.command().isEmpty()) {
            throw new UsageException(
                    OptionModel.PROGRAMS_FILE + " " + file + ": the file names the programs; leave out '"
                            + given.command().get(0) + "'");
        }
        List<Given> blocks = new ArrayList<>();
        try {
            // A line that ends in a backslash goes on in the next one.
            String text = Files.readString(file).replace("\\\n", " ");
            for (String line : text.split("\n")) {
                List<String> words = ArgumentFile.words(line);
                if (!words.isEmpty()) {
                    for (List<String> part : parts(words)) {
                        blocks.add(read(part, given));
                    }
                }
            }
        } catch (IOException e) {
            throw new UsageException(
                    OptionModel.PROGRAMS_FILE + ": cannot read " + file + ": " + SystemReason.withoutPath(e));
        }
        if (blocks.isEmpty()) {
            throw new UsageException(OptionModel.PROGRAMS_FILE + " " + file + ": the file names no program");
        }
        return blocks;
    }

    private static Given read(List<String> words, Given defaults) {
        Given block = CommandLine.read(words.toArray(String[]::new));
        for (CommandOption option : OptionModel.ENTRIES) {
            if (block.has(option.name()) && !OWN.contains(option.name())) {
                throw new UsageException(option.name() + " is for the whole job; write it before the first program"
                        + (defaults == null ? "" : ", on the command line"));
            }
        }
        return new Block(block, defaults, block.command());
    }

    /**
     * One program with its options.
     *
     * @param defaults options that hold where the program does not give them, and whose values an option with several
     *     values has in front of the program's; null for none
     */
    private record Block(Given own, Given defaults, List<String> command) implements Given {
        @Override
        public boolean has(String option) {
            return own.has(option) || defaults != null && defaults.has(option);
        }

        @Override
        public String text(String option) {
            return own.has(option) || defaults == null ? own.text(option) : defaults.text(option);
        }

        @Override
        public List<String> texts(String option) {
            if (defaults == null) {
                return own.texts(option);
            }
            List<String> all = new ArrayList<>(defaults.texts(option));
            all.addAll(own.texts(option));
            return all;
        }
    }
}
