package org.ulfmj.sim.mutant;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * A test method without parameters, by the names of its class and method. It can be run on the classes of a mutant. The
 * methods of its class and superclasses that run before and after each test are run too.
 */
public record NamedTest(String className, String method) {
    /** Runs the test on the classes that this class loader gives; throws what the test throws. */
    public void run(ClassLoader world) throws Throwable {
        Class<?> type = world.loadClass(className);
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object instance = constructor.newInstance();
        callAll(instance, "BeforeEach");
        try {
            call(instance, find(type));
        } finally {
            callAll(instance, "AfterEach");
        }
    }

    private Method find(Class<?> type) throws NoSuchMethodException {
        for (Method each : methodsOf(type)) {
            if (each.getName().equals(method) && each.getParameterCount() == 0) {
                return each;
            }
        }
        throw new NoSuchMethodException(this.toString());
    }

    private static void callAll(Object instance, String annotation) throws Throwable {
        for (Method each : methodsOf(instance.getClass())) {
            for (Annotation its : each.getDeclaredAnnotations()) {
                if (its.annotationType().getSimpleName().equals(annotation)) {
                    call(instance, each);
                }
            }
        }
    }

    private static List<Method> methodsOf(Class<?> type) {
        List<Method> methods = new ArrayList<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            methods.addAll(List.of(at.getDeclaredMethods()));
        }
        return methods;
    }

    private static void call(Object instance, Method method) throws Throwable {
        method.setAccessible(true);
        try {
            method.invoke(instance);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public String toString() {
        return className + "." + method;
    }
}
