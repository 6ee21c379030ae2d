package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.command.BindTo;
import org.ulfmj.launch.process.Binding;
import org.ulfmj.launch.program.Installation;

/**
 * Makes a cache with profiles. A job of two ranks exchanges messages ({@link AotTraining}), and rank 0 records what its
 * virtual machine learns. Then a virtual machine makes the cache from that record, and another one proves that it
 * accepts the cache.
 */
final class AotRecording {
    /** How long the training job may take. */
    private static final int MOST_SECONDS = 40;
    /**
     * A shell script that starts a virtual machine; at rank 0 it adds the options that record, to the file of the first
     * argument.
     */
    private static final String RECORD_AT_RANK_0 =
            """
            record=$1 java=$2
            shift 2
            [ "$ULFM_RANK" = 0 ] && set -- -XX:AOTMode=record "-XX:AOTConfiguration=$record" "$@"
            exec "$java" "$@"
            """;

    /**
     * Options so that the training compiles, and the cache has profiles of, only methods that are called very often.
     * With more profiles, a virtual machine that starts with the cache would early compile methods that a message does
     * not need.
     */
    private static final List<String> HOT_ONLY = List.of(
            "-XX:Tier3InvocationThreshold=20000",
            "-XX:Tier3MinInvocationThreshold=10000",
            "-XX:Tier3CompileThreshold=40000");

    private final ArchiveKey key;
    private final MachineShape shape;
    private final QuietRun commands;
    private final Path directory;

    /** @param directory a directory that holds only the files of this recording */
    AotRecording(ArchiveKey key, MachineShape shape, QuietRun commands, Path directory) {
        this.key = key;
        this.shape = shape;
        this.commands = commands;
        this.directory = directory;
    }

    /**
     * Makes a cache in the file {@code cache}. Returns whether that succeeded.
     *
     * @param launcher the name of the class whose main method runs jobs
     */
    boolean make(Installation ours, String launcher, Path cache) throws IOException {
        Path recorded = directory.resolve("recorded");
        String jar = key.jar().toString();
        return commands.run(training(ours, launcher, recorded))
                && Files.exists(recorded)
                && commands.run(java("-XX:AOTMode=create", "-XX:AOTConfiguration=" + recorded, cache, jar))
                && Files.exists(cache)
                && commands.run(proof(launcher, cache, jar));
    }

    private List<String> training(Installation ours, String launcher, Path recorded) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(ours.java().toString(), "-cp", key.jar().toString(), launcher));
        command.addAll(List.of("-n", Integer.toString(AotTraining.RANKS)));
        command.addAll(List.of("--timeout", Integer.toString(MOST_SECONDS), "--bind-to", whereToBind()));
        command.addAll(List.of("--spares", Integer.toString(AotTraining.SPARES), "--inject", AotTraining.KILL));
        command.addAll(List.of("/bin/sh", "-c", RECORD_AT_RANK_0, "training"));
        command.addAll(List.of(recorded.toString(), key.java().toString()));
        command.addAll(shape());
        command.addAll(HOT_ONLY);
        command.addAll(List.of("-cp", key.jar().toString(), AotTraining.class.getName()));
        return command;
    }

    /**
     * Returns how to bind the ranks of the training. Ranks that share a core seldom take the branches in which no wait
     * is needed, so each rank gets a core if there are enough.
     */
    private static String whereToBind() {
        try {
            Binding.of(BindTo.CORE, null, AotTraining.RANKS, false);
            return "core";
        } catch (UsageException tooFew) {
            return "none";
        }
    }

    /**
     * Returns the command of a virtual machine that starts only if it accepts the cache. As in a program, its class
     * path is longer than that of the training, and has a directory in it.
     */
    private List<String> proof(String launcher, Path cache, String jar) {
        List<String> command = java("-XX:AOTMode=on", "-Xlog:disable", cache, jar + ":" + directory);
        command.addAll(List.of(launcher, "--help"));
        return command;
    }

    private List<String> java(String mode, String option, Path cache, String classPath) {
        List<String> command = new ArrayList<>();
        command.add(key.java().toString());
        command.addAll(shape());
        command.addAll(List.of(mode, option, "-XX:AOTCache=" + cache, "-cp", classPath));
        return command;
    }

    /**
     * Returns the options that make the virtual machines choose the same collector as the ranks. The number of
     * processors is among them: a bound process sees one processor, and would choose another collector than an unbound
     * one.
     */
    private List<String> shape() {
        List<String> options = new ArrayList<>();
        options.add("-XX:ActiveProcessorCount=" + shape.processors());
        options.addAll(shape.options());
        return options;
    }
}
