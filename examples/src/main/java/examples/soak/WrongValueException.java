package examples.soak;

/** A message, a result, a request or a receive buffer is not as it must be. */
final class WrongValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongValueException(String message) {
        super(message);
    }
}
