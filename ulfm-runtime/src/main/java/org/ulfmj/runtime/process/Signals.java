package org.ulfmj.runtime.process;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;

/**
 * Receives signals that are sent to this process. Java has no supported way to receive them, so this one class reaches
 * {@code sun.misc.Signal} by reflection; where that fails, signals do what the virtual machine does by itself. If the
 * command that started the process has set a signal to be ignored, as {@code nohup} does, the signal stays ignored.
 */
public final class Signals {
    private Signals() {}

    /**
     * Has a handler run when a signal comes.
     *
     * @param name the name of the signal without SIG
     * @param handler run on a separate thread each time the signal comes
     */
    public static void handle(String name, Runnable handler) {
        install(name, new Handler(handler, null), false);
    }

    /** As {@link #handle}, unless the program, or a library of the program, handles this signal already. */
    static void handleIfFree(String name, Runnable handler) {
        install(name, new Handler(handler, null), true);
    }

    /**
     * As {@link #handle}, for a handler that may decline the signal.
     *
     * @param handler returns false if the signal is to do what it did before
     * @return false if the virtual machine passes on no such signal
     */
    static boolean handleElse(String name, BooleanSupplier handler) {
        return install(name, new Handler(null, handler), false);
    }

    private static boolean install(String name, Handler handler, boolean isOnlyIfFree) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> signalHandler = Class.forName("sun.misc.SignalHandler");
            Object proxy =
                    Proxy.newProxyInstance(signalHandler.getClassLoader(), new Class<?>[] {signalHandler}, handler);
            Method handle = signal.getMethod("handle", signal, signalHandler);
            Object which = signal.getConstructor(String.class).newInstance(name);
            Object before = handle.invoke(null, which, proxy);
            handler.before = before;
            Object ignore = signalHandler.getField("SIG_IGN").get(null);
            boolean isTaken =
                    isOnlyIfFree && !signalHandler.getField("SIG_DFL").get(null).equals(before);
            if (ignore.equals(before) || isTaken) {
                handle.invoke(null, which, before);
            }
            return true;
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // The virtual machine has no such class, or it uses the signal itself.
            return false;
        }
    }

    /** What stands for a {@code sun.misc.SignalHandler}. */
    private static final class Handler implements InvocationHandler {
        private final Runnable always;
        private final BooleanSupplier maybe;
        /**
         * The handler that was there before, which gets the signals that this handler declines; set once this handler
         * is installed.
         */
        private volatile Object before;

        Handler(Runnable always, BooleanSupplier maybe) {
            this.always = always;
            this.maybe = maybe;
        }

        private Object before() {
            while (before == null) {
                Thread.onSpinWait(); // the signal came while this one was being installed
            }
            return before;
        }

        @Override
        public Object invoke(Object self, Method method, Object[] arguments) throws ReflectiveOperationException {
            switch (method.getName()) {
                case "handle" -> {
                    if (always != null) {
                        always.run();
                    } else if (!maybe.getAsBoolean()) {
                        method.invoke(before(), arguments);
                    }
                    return null;
                }
                case "equals" -> {
                    return self == arguments[0];
                }
                case "hashCode" -> {
                    return System.identityHashCode(self);
                }
                default -> {
                    return "signal handler of ulfm";
                }
            }
        }
    }
}
