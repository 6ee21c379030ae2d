package org.ulfmj.transport.shm;

import java.io.IOException;

/** A file that was opened and is not the shared file it should be; opening it again does not help. */
final class WrongFileException extends IOException {
    private static final long serialVersionUID = 1;

    WrongFileException(String message) {
        super(message);
    }
}
