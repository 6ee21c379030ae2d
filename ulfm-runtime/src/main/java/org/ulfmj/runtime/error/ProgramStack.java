package org.ulfmj.runtime.error;

/**
 * Reads a thread's stack: where the program's own code is, and by which call the thread is inside MPI. So a wait need
 * not note anything when it begins: the stack still tells when a report is made.
 */
public final class ProgramStack {
    private static final String[] LIBRARY = {"mpi.", "org.ulfmj."};
    private static final String[] SYSTEM = {"java.", "javax.", "jdk.", "sun.", "com.sun."};
    private static final String CALLS = "mpi.";

    private final String call;
    private final String site;
    private final boolean runsProgram;

    /** @param frames innermost first */
    public ProgramStack(StackTraceElement... frames) {
        int top = 0;
        while (top < frames.length && isOf(frames[top], SYSTEM)) {
            top++;
        }
        runsProgram = top < frames.length && !isOf(frames[top], LIBRARY);
        int library = runsProgram ? next(frames, top, true) : top;
        int caller = next(frames, library, false);
        call = callOf(frames, library, caller);
        site = runsProgram ? text(frames[top]) : caller < frames.length ? text(frames[caller]) : "";
    }

    /** The method of package {@code mpi} that the program has called and not left; empty if the thread is in none. */
    public String call() {
        return call;
    }

    /** The innermost line of the program's own code on this stack; empty if there is none. */
    public String site() {
        return site;
    }

    /** Whether the thread runs code of the program, perhaps inside a call of MPI, and not code of MPI. */
    public boolean runsProgram() {
        return runsProgram;
    }

    /**
     * Returns the index of the next frame, from {@code from} on, that is of this library if {@code ours}, else of the
     * program.
     */
    private static int next(StackTraceElement[] frames, int from, boolean ours) {
        int at = from;
        while (at < frames.length && (isOf(frames[at], SYSTEM) || isOf(frames[at], LIBRARY) != ours)) {
            at++;
        }
        return at;
    }

    private static String callOf(StackTraceElement[] frames, int from, int to) {
        for (int at = to - 1; at >= from; at--) {
            if (frames[at].getClassName().startsWith(CALLS)) {
                return frames[at].getMethodName();
            }
        }
        return "";
    }

    private static boolean isOf(StackTraceElement frame, String... packages) {
        for (String prefix : packages) {
            if (frame.getClassName().startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static String text(StackTraceElement frame) {
        String file = frame.getFileName() == null ? "unknown source" : frame.getFileName();
        return frame.getClassName() + "." + frame.getMethodName() + "(" + file
                + (frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "") + ")";
    }
}
