package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** Signals that a process sends to itself. */
final class OwnSignal {
    private static final long PAUSE_NS = 1_000_000;
    private static final int HEX = 16;

    private OwnSignal() {}

    /** @param name without SIG */
    static void send(String name) {
        try {
            String pid = Long.toString(ProcessHandle.current().pid());
            new ProcessBuilder("kill", "-s", name, pid).inheritIO().start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until this process handles a signal. */
    static void awaitHandler(int number) {
        while ((caught() >> number - 1 & 1) == 0) {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private static long caught() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("SigCgt:")) {
                    return Long.parseUnsignedLong(
                            line.substring("SigCgt:".length()).trim(), HEX);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        throw new IllegalStateException("the system does not say which signals are handled");
    }
}
