package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.launch.process.NewSession;
import org.ulfmj.launch.program.Installation;

/**
 * The process that makes a cache in the background, after its launcher's job. It has a separate session where the
 * system has {@code setsid}, so a key of the terminal does not reach it; the lowest priority; no streams; and no
 * environment variable by which the guardian of another job could take it for a process of that job.
 */
public final class AotMaker {
    private static final String LOWEST_PRIORITY = "exec nice -n 19 \"$@\"";
    private static final int FIXED_ARGUMENTS = 3;

    private AotMaker() {}

    /** Starts the process that makes the cache, and does not wait for it. */
    static void start(ArchiveKey key, MachineShape shape, Installation ours, String launcher) throws IOException {
        List<String> command = new ArrayList<>(NewSession.prefix());
        command.addAll(List.of("/bin/sh", "-c", LOWEST_PRIORITY, "aot-maker"));
        command.addAll(List.of(ours.java().toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", ours.jar().toString(), AotMaker.class.getName()));
        command.addAll(List.of(launcher, key.java().toString(), Integer.toString(shape.processors())));
        command.addAll(shape.options());
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(Path.of("/").toFile());
        QuietRun.clean(builder);
        builder.environment().put("XDG_CACHE_HOME", key.directory().getParent().toString());
        builder.start();
    }

    /**
     * @param arguments the launcher's class; the {@code java} executable of the ranks; the number of processors that a
     *     rank sees; the options that determine the {@link MachineShape}
     */
    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        List<String> options = words.subList(FIXED_ARGUMENTS, words.size());
        try {
            Installation ours = Installation.running();
            ArchiveKey key = ArchiveKey.of(Path.of(words.get(1)), ours.jar(), Map.copyOf(System.getenv()));
            if (key != null) {
                MachineShape shape = new MachineShape(options, Integer.parseInt(words.get(2)));
                new AotCache(key, shape).make(ours, words.get(0));
            }
        } catch (IOException nothingButSpeedIsLost) {
            // The next job tries again.
        }
    }
}
