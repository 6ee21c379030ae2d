package org.ulfmj.launch.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file in a job's directory that the launchers of an elastic job share: how many numbers were given to processes,
 * and how many members the world has. Each change is made under a lock, so that no number is given twice.
 */
public final class JoinLedger {
    private static final String NAME = "joiners";
    private static final int MOST_BYTES = 64;

    private final Path file;

    /** @param directory of the job */
    public JoinLedger(Path directory) {
        file = directory.resolve(NAME);
    }

    /**
     * What the file says.
     *
     * @param given how many numbers were given to processes, from 0 on
     * @param members how many members the world has; 0 before it begins
     */
    public record State(int given, int members) {}

    /** @throws IOException if the file cannot be written */
    public void create(int given) throws IOException {
        change(true, given, 0);
    }

    /**
     * Takes numbers for processes. Returns the state before, whose count of given numbers is the first number.
     *
     * @throws IOException if there is no such file, because the job is over, or it cannot be written
     */
    public State take(int count) throws IOException {
        return change(false, count, -1);
    }

    /** @throws IOException if there is no such file, or it cannot be written */
    public void members(int count) throws IOException {
        change(false, 0, count);
    }

    private State change(boolean isNew, int added, int members) throws IOException {
        try (FileChannel channel = isNew ? open(StandardOpenOption.CREATE_NEW) : open(StandardOpenOption.READ)) {
            // The lock ends with the channel.
            channel.lock();
            State before = read(channel);
            int membersNow = members < 0 ? before.members() : members;
            byte[] text = (before.given() + added + " " + membersNow + "\n").getBytes(StandardCharsets.US_ASCII);
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(text), 0);
            return before;
        }
    }

    private FileChannel open(StandardOpenOption option) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, option);
    }

    private static State read(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
        int length = channel.read(bytes, 0);
        if (length <= 0) {
            return new State(0, 0);
        }
        String[] parts = new String(bytes.array(), 0, length, StandardCharsets.US_ASCII)
                .trim()
                .split(" ");
        return new State(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }
}
