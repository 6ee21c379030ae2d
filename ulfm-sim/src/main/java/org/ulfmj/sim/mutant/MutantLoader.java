package org.ulfmj.sim.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A class loader with one or more shipped classes replaced by mutants, or none. It defines all classes of this project
 * anew, so that they see the mutants and not the originals; all other classes are shared with its parent.
 */
public final class MutantLoader extends ClassLoader {
    private static final String OURS = "org.ulfmj.";
    /**
     * The package that programs import. It is loaded anew, too, because it must call the mutant where a module above
     * this one runs programs.
     */
    private static final String API = "mpi.";

    private final SortedMap<String, byte[]> mutated;

    public MutantLoader(Mutant mutant) {
        this(List.of(mutant));
    }

    /** Makes a class loader with any number of mutants, each of another class. */
    public MutantLoader(List<Mutant> mutants) {
        super(MutantLoader.class.getClassLoader());
        this.mutated = new TreeMap<>();
        for (Mutant mutant : mutants) {
            mutated.putAll(Compiled.of(mutant));
        }
    }

    /**
     * Calls a public static method of a class of this project as it is in the mutant's world.
     *
     * @param arguments of types from the Java library only; primitives are not supported
     * @return null, or an object of a type from the Java library
     */
    public Object call(String className, String method, Object... arguments) {
        Class<?>[] types = new Class<?>[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            types[i] = arguments[i].getClass();
        }
        try {
            return loadClass(className).getMethod(method, types).invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(className + "." + method + " failed in the mutant's world", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS) && !name.startsWith(API)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] code = mutated.get(name);
        if (code == null) {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                code = in.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
        return defineClass(name, code, 0, code.length);
    }
}
