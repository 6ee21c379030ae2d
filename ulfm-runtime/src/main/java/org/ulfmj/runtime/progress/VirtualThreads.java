package org.ulfmj.runtime.progress;

/**
 * Tells virtual threads from others, in code that is built for a platform without them: where they exist, they are all
 * in one thread group of this name. Asking {@code Thread.isVirtual} by a method handle would cost a starting rank
 * milliseconds.
 */
final class VirtualThreads {
    private static final String GROUP = "VirtualThreads";

    private VirtualThreads() {}

    static boolean isCurrent() {
        return Thread.currentThread().getThreadGroup().getName().equals(GROUP);
    }
}
