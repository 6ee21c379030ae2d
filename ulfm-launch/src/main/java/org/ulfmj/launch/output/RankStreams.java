package org.ulfmj.launch.output;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.command.FilePattern;
import org.ulfmj.launch.command.StreamOptions;
import org.ulfmj.launch.end.ExitPolicy;
import org.ulfmj.launch.event.JobEvents;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.launch.process.SharedInput;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.host.SystemReason;

/**
 * The streams of processes where the user has said something about them: files for output, words in front of lines, one
 * stdin for all. Processes with the same file share it, a line at a time. Used by the launcher's main thread.
 */
public final class RankStreams {
    private final StreamOptions options;
    private final LineSink out;
    private final LineSink err;
    private final JobEvents events;
    private final Map<Path, LineSink> files = new HashMap<>();
    private final SharedInput input = new SharedInput();
    private boolean haveAllStarted;

    public RankStreams(StreamOptions options, LineSink out, LineSink err, JobEvents events) {
        this.options = options;
        this.out = out;
        this.err = err;
        this.events = events;
    }

    public StreamOptions options() {
        return options;
    }

    /**
     * Opens the files of the processes with which the job begins, so that the launcher reports a file that cannot be
     * written before any process runs.
     *
     * @throws UsageException if a file cannot be written
     */
    public void open(int size) {
        for (int slot = 0; slot < size; slot++) {
            try {
                open(ProcessId.of(slot), 0);
            } catch (IOException e) {
                throw new UsageException(ExitPolicy.LAUNCHER_FAILED, e.getMessage());
            }
        }
    }

    /**
     * Opens the files of a process.
     *
     * @param id null for a spare
     * @param spare number of the spare
     * @throws IOException naming the file that cannot be written
     */
    public void open(ProcessId id, int spare) throws IOException {
        sink(true, id, spare);
        sink(false, id, spare);
    }

    /**
     * Returns the sink to which a stream of a process is forwarded; it may be null for a stderr that goes where stdout
     * goes. The files of the process must have been opened.
     */
    public LineSink sink(RankProcess process, boolean isOut) {
        try {
            return sink(isOut, process.id(), process.spare());
        } catch (IOException e) {
            throw new UncheckedIOException("opened before", e);
        }
    }

    private LineSink sink(boolean isOut, ProcessId id, int spare) throws IOException {
        LineSink own = isOut ? out : err;
        FilePattern pattern = options.files();
        Path file = pattern == null ? null : pattern.file(isOut, id, spare);
        if (file == null) {
            return own;
        }
        LineSink known = files.get(file);
        if (known != null || !isOut && options.isMerged()) {
            return known;
        }
        LineSink sink =
                new LineSink(open(file), new LineSink.Turn(), false, StandardStreams.loss(file.toString(), events));
        LineSink both = options.isCopied() ? sink.copiedTo(own) : sink;
        files.put(file, both);
        return both;
    }

    /** The file is not closed before the launcher ends, as output may come until then. */
    private static FileOutputStream open(Path file) throws IOException {
        try {
            Files.createDirectories(file.getParent());
            return new FileOutputStream(file.toFile());
        } catch (IOException e) {
            throw new IOException("cannot write to " + file + ": " + reason(e, file), e);
        }
    }

    private static String reason(IOException e, Path file) {
        String text = e.getMessage();
        boolean isInParentheses = text != null && text.startsWith(file + " (") && text.endsWith(")");
        return isInParentheses ? text.substring(file.toString().length() + 2, text.length() - 1) : SystemReason.of(e);
    }

    /**
     * A spare has taken a slot. Makes a symbolic link to each file of the spare, under the name that a file of this
     * slot's process has.
     */
    public void assigned(RankProcess spare) {
        FilePattern pattern = options.files();
        for (boolean isOut : pattern == null ? new boolean[0] : new boolean[] {true, false}) {
            Path file = pattern.file(isOut, null, spare.spare());
            Path link = pattern.file(isOut, spare.id(), 0);
            try {
                if (file != null && files.containsKey(file)) {
                    Files.createDirectories(link.getParent());
                    Files.deleteIfExists(link);
                    Files.createSymbolicLink(link, link.getParent().relativize(file));
                }
            } catch (IOException | UnsupportedOperationException e) {
                // Without the symbolic link the output can still be read in the spare's own file, which has the number
                // of the spare in its name.
            }
        }
    }

    /** A process has started that may get a copy of the launcher's stdin ({@code --stdin all}). */
    public void started(RankProcess process) {
        if (options.reader() == StreamOptions.ALL
                && process.id() != null
                && process.id().incarnation() == 0) {
            if (haveAllStarted) {
                readsNothing(process);
            } else {
                input.add(process.process().getOutputStream());
            }
        }
    }

    /**
     * Closes the stdin of a process that was started after the copying of stdin began: it would have missed the
     * beginning.
     */
    private static void readsNothing(RankProcess process) {
        try {
            process.process().getOutputStream().close();
        } catch (IOException e) {
            // The process has ended.
        }
    }

    /**
     * All processes that this launcher starts at the beginning have started, so the copying of stdin to them begins if
     * the user wants it ({@code --stdin all}).
     */
    public void allStarted() {
        haveAllStarted = true;
        if (options.reader() == StreamOptions.ALL) {
            input.start();
        }
    }

    /**
     * Gives the words in front of each line of a stream: the time, the rank with the stream's name, or both; empty if
     * the user asked for neither.
     */
    public Supplier<byte[]> words(RankProcess process, String stream) {
        return new Words(options, process, stream);
    }

    private record Words(StreamOptions options, RankProcess process, String stream) implements Supplier<byte[]> {
        private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");

        @Override
        public byte[] get() {
            String time = options.isTimed() ? ZonedDateTime.now().format(TIME) : "";
            String tag = options.isTagged() ? "[" + process.name() + "]<" + stream + ">: " : "";
            return (time.isEmpty() || !tag.isEmpty() ? time + (time.isEmpty() ? "" : " ") + tag : time + ": ")
                    .getBytes(StandardCharsets.UTF_8);
        }
    }
}
