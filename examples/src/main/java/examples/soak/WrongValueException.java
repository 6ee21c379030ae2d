package examples.soak;

/** Something arrived that no rank sent. */
final class WrongValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongValueException(String message) {
        super(message);
    }
}
