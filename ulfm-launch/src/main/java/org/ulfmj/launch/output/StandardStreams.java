package org.ulfmj.launch.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.end.ExitPolicy;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.event.JobEvents;

/** The launcher's own stdout and stderr. They share one turn of writing if both go to the same file. */
public record StandardStreams(LineSink out, LineSink err) {
    private static final int SIGPIPE = 13;

    /** @param events take {@link JobEvent.OutputLost} */
    public static StandardStreams open(JobEvents events) {
        String stdout = target(1);
        String stderr = target(2);
        LineSink.Turn turn = new LineSink.Turn();
        LineSink.Turn other = stdout.equals(stderr) && !stdout.isEmpty() ? turn : new LineSink.Turn();
        return new StandardStreams(
                sink(FileDescriptor.out, turn, new Loss("stdout", stdout, events)),
                sink(FileDescriptor.err, other, new Loss("stderr", stderr, events)));
    }

    private static LineSink sink(FileDescriptor descriptor, LineSink.Turn turn, Loss loss) {
        return new LineSink(new Descriptor(descriptor), turn, isTerminal(loss.target), loss);
    }

    /** Returns a sink for stderr alone, for a launcher that runs no job, or whose job cannot go on. */
    static LineSink error() {
        return new LineSink(new FileOutputStream(FileDescriptor.err), new LineSink.Turn(), false, e -> {});
    }

    /**
     * Returns the name of the file that a descriptor is open on: a path, or kind and number as in {@code pipe:[17]};
     * empty if the name is unknown.
     */
    private static String target(int descriptor) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
        } catch (IOException | UnsupportedOperationException unknown) {
            return "";
        }
    }

    /**
     * Returns the reason to end the job after a write failed. For a pipe, a socket, a terminal or an unknown target, it
     * is that the output is not read any more; for a file, it is the one that the system gives, a full disk for
     * instance.
     */
    static EndReason lost(String name, String target, IOException cause) {
        boolean isRead =
                target.isEmpty() || target.startsWith("pipe:") || target.startsWith("socket:") || isTerminal(target);
        return isRead
                ? EndReason.signal(SIGPIPE, "the output is not read any more")
                : new EndReason(
                        EndReason.Kind.LAUNCHER,
                        ExitPolicy.LAUNCHER_FAILED,
                        "cannot write to " + name + " (" + target + "): " + cause.getMessage());
    }

    private static boolean isTerminal(String target) {
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    }

    /** Returns the action for when a file of the processes' output cannot be written any more: it ends the job. */
    static Consumer<IOException> loss(String file, JobEvents events) {
        return new Loss("a file of the output", file, events);
    }

    /**
     * Puts the event that an output stream is lost into the job's queue. A class, as a first lambda would delay the
     * start of the launcher.
     */
    private record Loss(String name, String target, JobEvents events) implements Consumer<IOException> {
        @Override
        public void accept(IOException cause) {
            events.accept(new JobEvent.OutputLost(lost(name, target, cause)));
        }
    }

    /**
     * A descriptor of this process, to which bytes are written without loss even where another process has made it
     * non-blocking, as happens to a shared terminal. Such a descriptor has no room for a moment, which
     * {@link FileOutputStream} would take for an error. For one thread at a time.
     */
    static final class Descriptor extends OutputStream {
        private static final int PIECE_BYTES = 64 << 10;
        private static final long NO_ROOM_PAUSE_NS = 2_000_000;

        private final FileChannel channel;
        /**
         * The buffer for one piece of a write, made at the first write. A channel that is given an array would keep
         * such a buffer for each thread that writes.
         */
        private ByteBuffer piece;

        @SuppressWarnings("resource")
        Descriptor(FileDescriptor descriptor) {
            // The stream is never closed, as the descriptor belongs to the whole process.
            channel = new FileOutputStream(descriptor).getChannel();
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (piece == null) {
                piece = ByteBuffer.allocateDirect(PIECE_BYTES);
            }
            int end = offset + length;
            for (int at = offset; at < end; at += piece.limit()) {
                piece.clear().put(bytes, at, Math.min(PIECE_BYTES, end - at)).flip();
                while (piece.hasRemaining()) {
                    if (channel.write(piece) <= 0) {
                        LockSupport.parkNanos(NO_ROOM_PAUSE_NS);
                    }
                }
            }
        }
    }
}
