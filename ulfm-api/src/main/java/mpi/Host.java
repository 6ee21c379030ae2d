package mpi;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of the host. */
final class Host {
    private Host() {}

    /**
     * The host's name as the kernel knows it (in {@code /proc}); if that cannot be read or is blank, the one that the
     * name service gives, which may be slow; {@code localhost} if the service knows none.
     */
    static String name() {
        try (RandomAccessFile file = new RandomAccessFile("/proc/sys/kernel/hostname", "r")) {
            String name = file.readLine();
            if (name != null && !name.isBlank()) {
                return name.trim();
            }
        } catch (IOException noProc) {
            return nameOfService();
        }
        return nameOfService();
    }

    private static String nameOfService() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }
}
