package org.ulfmj.transport.shm;

import java.io.IOException;

/**
 * A file was opened that is not the expected shared file, or has no room for this rank. Opening the file again does not
 * help.
 */
final class WrongFileException extends IOException {
    private static final long serialVersionUID = 1;

    WrongFileException(String message) {
        super(message);
    }
}
