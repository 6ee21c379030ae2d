package org.ulfmj.rabit.engine;

/** A model of the program that cannot be used: saving it threw, or its bytes are not those that were saved. */
public final class ModelFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ModelFault(String message, Throwable cause) {
        super(message, cause);
    }
}
