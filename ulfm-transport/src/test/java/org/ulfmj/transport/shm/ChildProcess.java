package org.ulfmj.transport.shm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ulfmj.transport.host.HostProcess;

/** Another Java virtual machine that runs a main class of the tests. */
final class ChildProcess {
    private static final long MOST_SECONDS = 60;

    private final Process process;
    private final BufferedReader output;

    private ChildProcess(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static ChildProcess start(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return new ChildProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Null at the end of its output. */
    String readLine() throws IOException {
        return output.readLine();
    }

    HostProcess owner() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        long startTicks =
                Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
        HostProcess self = HostProcess.self();
        return new HostProcess(process.pid(), startTicks, self.pidNamespace(), self.bootId());
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running after " + MOST_SECONDS + " s");
        }
        return process.exitValue();
    }

    /** By SIGKILL; returns when it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
