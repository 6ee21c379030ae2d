package org.ulfmj.testkit.mutant;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The process that runs {@link TestWorker}, as ApiMutantsTest uses it; it is started anew after it had to be ended. */
final class WorkerProcess {
    /** The answer that is assumed when the worker process has ended, or does not answer at all. */
    static final String ENDED = "failed: the process has ended";

    private static final long CERTAINLY_ENOUGH_MS = 300_000;
    /**
     * After this many tests that hung the process is ended, since the threads of hung tests take up time and memory.
     */
    private static final int MOST_HUNG = 10;

    private final ProcessBuilder command;
    private Process process;
    private BlockingQueue<String> answers;
    private BufferedWriter commands;
    private int hung;

    WorkerProcess(String classPath, Path folder, File log) {
        command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmn64m",
                        "-cp",
                        classPath,
                        TestWorker.class.getName())
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(log));
    }

    /** Returns the unique ids of the tests of a class. */
    List<String> tests(String name) throws IOException, InterruptedException {
        List<String> ids = new ArrayList<>();
        String line = ask("tests " + name);
        while (!line.isEmpty()) {
            if (line.equals(ENDED)) {
                throw new AssertionError("no tests of " + name + " are found: " + line);
            }
            ids.add(line);
            line = answer();
        }
        return ids;
    }

    /** Runs a test with a mutant switched on, or with none for -1; returns the worker's answer. */
    String run(int mutant, String id, long limitMs) throws IOException, InterruptedException {
        String answer = ask("run " + mutant + " " + limitMs + " " + id);
        if (answer.equals(TestWorker.HUNG) && ++hung == MOST_HUNG) {
            close();
        }
        return answer;
    }

    private String ask(String question) throws IOException, InterruptedException {
        if (process == null) {
            start();
        }
        commands.write(question + "\n");
        commands.flush();
        return answer();
    }

    private String answer() throws InterruptedException {
        String answer = answers.poll(2 * CERTAINLY_ENOUGH_MS, TimeUnit.MILLISECONDS);
        if (answer == null || answer.equals(ENDED)) {
            close();
            return ENDED;
        }
        return answer;
    }

    private void start() throws IOException {
        process = command.start();
        hung = 0;
        commands = process.outputWriter(StandardCharsets.UTF_8);
        BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        Process ofThese = process;
        Thread reader = new Thread(() -> {
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(ofThese.getInputStream(), StandardCharsets.UTF_8))) {
                lines.lines().forEach(queue::add);
            } catch (IOException | java.io.UncheckedIOException e) {
                // As its end.
            }
            queue.add(ENDED);
        });
        reader.setDaemon(true);
        reader.start();
        answers = queue;
    }

    /** Ends the process; the next command starts another one. */
    void close() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
            process = null;
        }
    }
}
