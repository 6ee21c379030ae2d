package org.ulfmj.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import mpi.MPI;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.transport.Fabric;

/**
 * A program whose classes each rank loads for itself, so that ranks do not share its statics, as processes do not.
 * Package {@code mpi}, the runtime and other modules of this library, and the JDK are shared. The classes of other
 * libraries are loaded per rank too. The bytes of a class are read once. Thread-safe. For the worlds of this library.
 */
public final class Program {
    private static final Class<?>[] LIBRARY = {
        MPI.class, RankRuntime.class, SurvivorCore.class, FailureSet.class, Fabric.class, ProcessId.class, Program.class
    };
    private static final byte[] SHARED = {};

    private final String mainName;
    private final String[] arguments;
    private final ClassLoader parent;
    private final ProtectionDomain domain;
    private final Set<String> libraryPlaces = new TreeSet<>();
    private final Map<String, byte[]> images = new ConcurrentHashMap<>();

    /** @param main has a {@code public static void main(String[])} */
    public Program(Class<?> main, String... arguments) {
        mainOf(main);
        this.mainName = main.getName();
        this.arguments = arguments.clone();
        this.parent = main.getClassLoader();
        this.domain = main.getProtectionDomain();
        for (Class<?> shared : LIBRARY) {
            libraryPlaces.add(placeOf(parent.getResource(fileOf(shared.getName())), fileOf(shared.getName())));
        }
    }

    /** Returns a main that runs the program with classes loaded for it alone; for one rank of one run. */
    public RankMain load() {
        ClassLoader loader = new RankLoader();
        return () -> {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(loader);
            try {
                mainOf(loader.loadClass(mainName)).invoke(null, (Object) arguments.clone());
            } catch (InvocationTargetException e) {
                rethrow(e.getCause());
            } finally {
                thread.setContextClassLoader(before);
            }
        };
    }

    private static void rethrow(Throwable thrown) throws Exception {
        if (thrown instanceof Exception exception) {
            throw exception;
        }
        throw (Error) thrown;
    }

    private static Method mainOf(Class<?> main) {
        try {
            Method method = main.getMethod("main", String[].class);
            // The class may be private to its file: the java command would run it too.
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(main.getName() + " has no public static void main(String[])", e);
        }
    }

    private static String fileOf(String className) {
        return className.replace('.', '/').concat(".class");
    }

    /** Returns the directory or archive in which a class file lies. */
    private static String placeOf(URL url, String file) {
        String text = String.valueOf(url);
        return text.endsWith(file) ? text.substring(0, text.length() - file.length()) : text;
    }

    /** Returns the bytes of a class that each rank loads for itself; empty for a class that all ranks share. */
    private byte[] image(String className) {
        return images.computeIfAbsent(className, name -> {
            String file = fileOf(name);
            URL url = parent.getResource(file);
            if (url == null || url.getProtocol().equals("jrt") || libraryPlaces.contains(placeOf(url, file))) {
                return SHARED;
            }
            try (InputStream stream = url.openStream()) {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException("class " + name + " cannot be read from " + url, e);
            }
        });
    }

    private final class RankLoader extends ClassLoader {
        RankLoader() {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                byte[] image = name.startsWith("java.") ? SHARED : image(name);
                return image == SHARED
                        ? super.loadClass(name, resolve)
                        : defineClass(name, image, 0, image.length, domain);
            }
        }
    }
}
