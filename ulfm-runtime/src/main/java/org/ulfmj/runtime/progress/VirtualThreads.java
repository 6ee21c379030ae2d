package org.ulfmj.runtime.progress;

/**
 * Tells virtual threads from others, in code that is compiled for a Java version without virtual threads. All virtual
 * threads are in one thread group, whose name is {@code VirtualThreads}. Asking {@code Thread.isVirtual} by a method
 * handle would cost a starting rank milliseconds.
 */
final class VirtualThreads {
    private static final String GROUP = "VirtualThreads";

    private VirtualThreads() {}

    static boolean isCurrent() {
        return Thread.currentThread().getThreadGroup().getName().equals(GROUP);
    }
}
