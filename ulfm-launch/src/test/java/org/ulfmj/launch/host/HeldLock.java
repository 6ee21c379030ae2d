package org.ulfmj.launch.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that holds the lock of a file, writes a byte to stdout once it has the lock, and keeps it until it is
 * killed.
 */
final class HeldLock {
    static final int HELD = 'h';

    private HeldLock() {}

    public static void main(String[] arguments) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
            channel.lock();
            System.out.write(HELD);
            System.out.flush();
            while (true) {
                LockSupport.park();
            }
        }
    }
}
