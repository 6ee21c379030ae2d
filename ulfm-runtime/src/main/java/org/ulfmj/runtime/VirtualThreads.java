package org.ulfmj.runtime;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Tells virtual threads from others on platforms that have them; the code is built for one that has not. */
final class VirtualThreads {
    private static final int FIRST_VERSION = 21;
    private static final MethodHandle IS_VIRTUAL = find();

    private VirtualThreads() {}

    static boolean isCurrent() {
        if (IS_VIRTUAL == null) {
            return false;
        }
        try {
            return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (Throwable e) {
            throw new IllegalStateException("Thread.isVirtual failed", e);
        }
    }

    private static MethodHandle find() {
        if (Runtime.version().feature() < FIRST_VERSION) {
            return null;
        }
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Java " + Runtime.version() + " has no Thread.isVirtual", e);
        }
    }
}
