package org.ulfmj.rabit;

import java.util.Set;

/**
 * Where in the program a call of {@link Rabit} was made. Costs microseconds: asked for in the bootstrap phase, in
 * commits and in recoveries, and not in an operation of a version that meets no failure. No {@link StackWalker}, whose
 * streams a newcomer would have to link while all wait for it.
 */
final class RabitCallSite {
    /** The classes of this library that a call site skips; not its whole package, since programs may live in it. */
    private static final Set<String> OURS = Set.of(
            Rabit.class.getName(),
            Sessions.class.getName(),
            Session.class.getName(),
            ModelCalls.class.getName(),
            Recovery.class.getName(),
            RabitCallSite.class.getName());

    private RabitCallSite() {}

    /**
     * Returns the place of the call, such as {@code Boost.train(Boost.java:42)}: the innermost stack frame that is of
     * none of the classes in {@link #OURS} or nested in them. Returns {@code an unknown place} if there is none.
     */
    static String here() {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if (!isOurs(frame.getClassName())) {
                return text(frame);
            }
        }
        return "an unknown place";
    }

    private static boolean isOurs(String name) {
        int nested = name.indexOf('$');
        return OURS.contains(nested < 0 ? name : name.substring(0, nested));
    }

    private static String text(StackTraceElement frame) {
        String file = frame.getFileName() == null ? "no source" : frame.getFileName();
        String place = frame.getLineNumber() < 0 ? file : file + ":" + frame.getLineNumber();
        return frame.getClassName() + "." + frame.getMethodName() + "(" + place + ")";
    }
}
