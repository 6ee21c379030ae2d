package org.ulfmj.benchmarks.job;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A running job whose ranks sleep until they are asked. There is one FIFO per rank, from which that rank reads its
 * orders, and one FIFO into which all ranks write their answers.
 */
public final class MeasuredJob implements AutoCloseable {
    private static final long START_SECONDS = 60;
    private static final long STOP_SECONDS = 15;

    private final JobSpec spec;
    private final int ranks;
    private final Path directory;
    private final Process process;
    private final List<RandomAccessFile> orders = new ArrayList<>();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final RandomAccessFile answersEnd;
    private final long[] pids;

    private MeasuredJob(JobSpec spec, int ranks) throws IOException, InterruptedException {
        this.spec = spec;
        this.ranks = ranks;
        this.pids = new long[ranks];
        this.directory = Files.createTempDirectory("compare-" + spec.label().replaceAll("[^A-Za-z0-9]+", "-") + "-");
        List<String> mkfifo = new ArrayList<>(
                List.of("mkfifo", "-m", "600", directory.resolve("out").toString()));
        for (int rank = 0; rank < ranks; rank++) {
            mkfifo.add(directory.resolve(rank + ".in").toString());
        }
        Commands.run(mkfifo);
        // The FIFOs are opened in both directions, so that opening them does not wait for the other end, and writing
        // does not fail without it.
        answersEnd = new RandomAccessFile(directory.resolve("out").toFile(), "rw");
        for (int rank = 0; rank < ranks; rank++) {
            orders.add(new RandomAccessFile(directory.resolve(rank + ".in").toFile(), "rw"));
        }
        Thread reader = new Thread(this::readAnswers, "answers-" + spec.label());
        reader.setDaemon(true);
        reader.start();
        List<String> command = new ArrayList<>(spec.command());
        command.add(directory.toString());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(spec.environment());
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.redirectErrorStream(true).redirectOutput(log());
        process = builder.start();
    }

    public int ranks() {
        return ranks;
    }

    /** Starts a job and waits until all its ranks are there. */
    public static MeasuredJob start(JobSpec spec, int ranks) throws IOException, InterruptedException {
        MeasuredJob job = new MeasuredJob(spec, ranks);
        try {
            for (int i = 0; i < ranks; i++) {
                String[] words = job.answer("pid", START_SECONDS).split(" ");
                job.pids[Integer.parseInt(words[1])] = Long.parseLong(words[2]);
            }
            if (spec.pinned()) {
                job.pin();
            }
            return job;
        } catch (IOException | InterruptedException | RuntimeException e) {
            job.close();
            throw e;
        }
    }

    public String label() {
        return spec.label();
    }

    /** Whether cells are measured with the job in the first launch only, and after a shorter warm-up. */
    public boolean isOnce() {
        return spec.isOnce();
    }

    /** Whether the job can run a cell, by its name. */
    public boolean runs(String cell) {
        return spec.runs().test(cell);
    }

    /** The process id of a rank. Ranks that are threads share one. */
    public long pid(int rank) {
        return pids[rank];
    }

    /**
     * Lets every rank run a round. Returns, once it has ended, the nanoseconds at rank 0 from the end of one barrier to
     * the end of another, with {@code operations} operations in between; {@code settle} more come before the first
     * barrier.
     */
    public long round(String work, int bytes, long settle, long operations) throws IOException, InterruptedException {
        order(work + " " + bytes + " " + settle + " " + operations);
        return Long.parseLong(answer("time", 120).split(" ")[1]);
    }

    /** Gives one order to all ranks. */
    public void order(String line) throws IOException {
        for (int rank = 0; rank < ranks; rank++) {
            order(rank, line);
        }
    }

    /** Gives an order to one rank. */
    public void order(int rank, String line) throws IOException {
        orders.get(rank).write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Waits for the next answer of any rank, and returns it. Throws if it does not begin with the word, if none comes
     * in this many seconds, or if the job ends.
     */
    public String answer(String word, long seconds) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (true) {
            String line = answers.poll(100, TimeUnit.MILLISECONDS);
            if (line != null) {
                if (line.startsWith(word + " ")) {
                    return line;
                }
                throw new IOException(spec.label() + ": wanted an answer \"" + word + "\", got \"" + line + "\"");
            }
            if (!process.isAlive()) {
                throw new IOException(spec.label() + " has ended with status " + process.exitValue() + ": " + said());
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IOException(spec.label() + " has not answered in " + seconds + " s: " + said());
            }
        }
    }

    /** Processor time so far of the job's living processes, its launcher included, in ticks of the kernel. */
    public long ticks() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .mapToLong(handle -> CpuTimes.ofProcess(handle.pid()))
                .sum();
    }

    /** All processes of the job that live, its launcher first. */
    long[] livingPids() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .mapToLong(ProcessHandle::pid)
                .toArray();
    }

    /** Whether a process is that of a rank, and not the launcher. */
    boolean isRank(long pid) {
        return LongStream.of(pids).anyMatch(one -> one == pid);
    }

    /** The last lines of the job's output, up to eight; a message in brackets if they cannot be read. */
    public String said() {
        try {
            List<String> lines = Files.readAllLines(log().toPath(), StandardCharsets.ISO_8859_1);
            return String.join(" / ", lines.subList(Math.max(0, lines.size() - 8), lines.size()));
        } catch (IOException e) {
            return "(" + e.getMessage() + ")";
        }
    }

    /**
     * Tells the ranks to finish, and kills those that do not. Only the started command and processes that descend from
     * it are killed.
     */
    @Override
    public void close() {
        List<ProcessHandle> left = process.descendants().toList();
        try {
            order("quit");
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                left.forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            }
            left.forEach(ProcessHandle::destroyForcibly);
            answersEnd.writeBytes("end\n");
            for (RandomAccessFile order : orders) {
                order.close();
            }
            Folders.delete(directory);
        } catch (IOException e) {
            System.err.println(spec.label() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            left.forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void pin() throws IOException, InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        for (int rank = 0; rank < ranks; rank++) {
            Commands.run(
                    List.of("taskset", "-a", "-p", "-c", Integer.toString(rank % cores), Long.toString(pids[rank])));
        }
    }

    private void readAnswers() {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new FileInputStream(answersEnd.getFD()), StandardCharsets.US_ASCII))) {
            for (String line = reader.readLine(); line != null && !line.equals("end"); line = reader.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            answers.add("lost " + e.getMessage());
        }
    }

    private File log() {
        return directory.resolve("log").toFile();
    }
}
