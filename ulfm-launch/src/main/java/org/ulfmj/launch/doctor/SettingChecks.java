package org.ulfmj.launch.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.runtime.options.Options;

/** Checks the user's settings: Java, our jar, environment variables, directories. */
final class SettingChecks {
    private static final List<String> OF_JAVA = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private final Installation installation;
    private final Map<String, String> environment;

    SettingChecks(Installation installation, Map<String, String> environment) {
        this.installation = installation;
        this.environment = new TreeMap<>(environment);
    }

    /**
     * @param cache the directory of archives; null if there is none
     * @param jobs where the directories of jobs are made
     */
    List<Finding> all(Path cache, Path jobs) {
        List<Finding> all = new ArrayList<>();
        all.add(java());
        all.add(jar());
        all.add(options());
        all.add(otherVariables());
        all.add(directory(
                "cache", cache, "ranks start slower without it: set XDG_CACHE_HOME to a directory that you may write"));
        all.add(directory(
                "job directories", jobs, "no job can start: set XDG_RUNTIME_DIR to a directory that you may write"));
        return all;
    }

    private Finding java() {
        Path java = installation.java();
        String found = Runtime.version() + ", " + java;
        String home = environment.get("JAVA_HOME");
        if (home != null && !java.startsWith(Path.of(home).toAbsolutePath())) {
            return new Finding(
                    "Java",
                    found,
                    "JAVA_HOME is " + home + ", where there is no Java 17 or later: set it to one, or unset it");
        }
        return Files.isExecutable(java.resolveSibling("javac"))
                ? Finding.fine("Java", found)
                : new Finding("Java", found, "there is no javac, which mpijavac needs: install a JDK");
    }

    private Finding jar() {
        String found = installation.jar() + ", version " + installation.version();
        return Files.isRegularFile(installation.jar())
                ? Finding.fine("ulfm.jar", found)
                : new Finding("ulfm.jar", installation.jar() + " is no file", "build it: mvn package");
    }

    private Finding options() {
        List<String> given = new ArrayList<>(MachineChecks.variables(environment, "ULFM_"));
        String found = given.isEmpty() ? "none" : String.join(", ", given);
        try {
            Options.of(Options.fromEnvironment(environment));
            return Finding.fine("options in variables", found);
        } catch (IllegalArgumentException wrong) {
            return new Finding("options in variables", found, wrong.getMessage());
        }
    }

    private Finding otherVariables() {
        List<String> given = new ArrayList<>();
        for (String name : OF_JAVA) {
            if (environment.containsKey(name)) {
                given.add(name + "=" + environment.get(name));
            }
        }
        given.addAll(MachineChecks.variables(environment, "OMPI_MCA_"));
        given.addAll(MachineChecks.variables(environment, "MPIEXEC_"));
        return Finding.fine("other variables", given.isEmpty() ? "none" : String.join(", ", given));
    }

    private static Finding directory(String what, Path directory, String advice) {
        if (directory == null) {
            return new Finding(what, "none", advice);
        }
        Path existing = directory;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing != null && Files.isDirectory(existing) && Files.isWritable(existing)
                ? Finding.fine(what, directory.toString())
                : new Finding(what, directory + " cannot be written", advice);
    }
}
