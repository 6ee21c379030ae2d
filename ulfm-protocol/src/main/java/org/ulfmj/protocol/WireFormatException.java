package org.ulfmj.protocol;

/** Bytes that are not what the format says: too short, too long, or a value out of its range. */
public final class WireFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WireFormatException(String message) {
        super(message);
    }
}
