package org.ulfmj.runtime.error;

/**
 * The place in the program where a call was made, for messages about calls of different ranks that do not belong
 * together. The text is made only when it is asked for.
 */
public final class CallSite {
    private static final String API = "mpi.";
    private static final String OURS = "org.ulfmj.runtime.";

    private final Throwable stack;

    private CallSite(Throwable stack) {
        this.stack = stack;
    }

    /** Returns the place in the program of the call that the current thread is in. */
    public static CallSite here() {
        return new CallSite(new Throwable());
    }

    /**
     * Returns the innermost stack frame that is neither of package {@code mpi} nor of the runtime, as in a stack trace:
     * {@code Heat.step(Heat.java:42)}; {@code an unknown place} if there is none.
     */
    @Override
    public String toString() {
        for (StackTraceElement frame : stack.getStackTrace()) {
            String owner = frame.getClassName();
            if (!owner.startsWith(API) && !owner.startsWith(OURS)) {
                return owner + "." + frame.getMethodName() + "(" + place(frame) + ")";
            }
        }
        return "an unknown place";
    }

    private static String place(StackTraceElement frame) {
        if (frame.getFileName() == null) {
            return "no source";
        }
        return frame.getLineNumber() < 0 ? frame.getFileName() : frame.getFileName() + ":" + frame.getLineNumber();
    }
}
