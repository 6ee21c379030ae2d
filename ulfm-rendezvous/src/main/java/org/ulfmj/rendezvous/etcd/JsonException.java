package org.ulfmj.rendezvous.etcd;

/** A text is not the JSON that was expected. The message says what is wrong. */
final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JsonException(String message) {
        super(message);
    }
}
