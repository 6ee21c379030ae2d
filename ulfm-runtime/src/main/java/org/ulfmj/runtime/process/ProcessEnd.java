package org.ulfmj.runtime.process;

import java.io.PrintStream;
import org.ulfmj.protocol.ProcessId;

/**
 * How a rank ends that must not go on: at once, without shutdown hooks, for a process that neither works nor ends would be
 * worse than any lost clean-up. Each end has its code and one line on stderr.
 */
final class ProcessEnd {
    /** Others hold this process for failed. */
    static final int FENCED = 118;
    /** The launcher is lost, and orphans are to exit. */
    static final int ORPHANED = 119;
    /** Something that cannot be is. */
    static final int BROKEN = 120;
    /** As after SIGKILL. */
    static final int KILLED = 137;
    /** As the virtual machine itself would end. */
    static final int UNCAUGHT = 1;

    private static final int CODE_MASK = 255;

    private ProcessEnd() {}

    static void fenced(ProcessId me, String reason) {
        end(FENCED, "rank " + me + " is fenced and ends: " + reason, null);
    }

    static void orphaned(ProcessId me, String reason) {
        end(ORPHANED, "rank " + me + " ends because mpiexec is lost: " + reason, null);
    }

    static void broken(ProcessId me, Throwable cause) {
        end(BROKEN, "rank " + me + " is broken and ends, because a wrong rank is worse than a dead one", cause);
    }

    /** The launcher has said why; a code of 0 would read as success. */
    static void aborted(int code) {
        int status = code & CODE_MASK;
        Runtime.getRuntime().halt(status == 0 ? 1 : status);
    }

    /** The point of an injection is reached, and there is no launcher left to send the signal. */
    static void killed() {
        Runtime.getRuntime().halt(KILLED);
    }

    /** The exception was told already. */
    static void uncaught() {
        Runtime.getRuntime().halt(UNCAUGHT);
    }

    private static void end(int code, String line, Throwable cause) {
        PrintStream err = System.err;
        err.println(line + " (exit code " + code + ")");
        if (cause != null) {
            cause.printStackTrace(err);
        }
        err.flush();
        Runtime.getRuntime().halt(code);
    }
}
