package org.ulfmj.launch.process;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Signals sent to the launcher. Java has no supported way to receive them, so this one class reaches
 * {@code sun.misc.Signal} by reflection; where that fails, signals do what the virtual machine does by itself and the
 * guardian cleans up.
 */
public final class Signals {
    private Signals() {}

    /**
     * @param name without SIG
     * @param handler run on its own thread each time the signal comes
     */
    public static void handle(String name, Runnable handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> signalHandler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    signalHandler.getClassLoader(), new Class<?>[] {signalHandler}, (self, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            handler.run();
                            return null;
                        }
                        return answer(self, method, arguments);
                    });
            Method handle = signal.getMethod("handle", signal, signalHandler);
            Object which = signal.getConstructor(String.class).newInstance(name);
            Object before = handle.invoke(null, which, proxy);
            Object ignore = signalHandler.getField("SIG_IGN").get(null);
            if (ignore.equals(before)) {
                // The command that started the launcher, nohup for instance, has set the signal to be ignored, and that
                // setting is restored here.
                handle.invoke(null, which, ignore);
            }
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // The virtual machine has no such class, or it uses the signal itself.
        }
    }

    /** Implements the methods of {@code Object} for the proxy that stands for a signal handler. */
    private static Object answer(Object self, Method method, Object... arguments) {
        return switch (method.getName()) {
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            default -> "signal handler of mpiexec";
        };
    }
}
