package examples.soak;

/** A message or a result differs from what the ranks have sent. */
final class WrongValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongValueException(String message) {
        super(message);
    }
}
