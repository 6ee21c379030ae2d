package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Checks that what the public classes of package {@code mpi} extend and implement, and the types of the fields,
 * parameters and results of their public and protected members, are public types of that package or types of the JDK.
 */
class PublicSurfaceTest {
    private final List<String> strangers = new ArrayList<>();

    @Test
    void shouldNameNoTypeOfTheRuntimeInAPublicSignature() throws Exception {
        List<Class<?>> classes = Surface.classes();
        for (Class<?> type : classes) {
            look(type, type.getSuperclass());
            for (Class<?> implemented : type.getInterfaces()) {
                look(type, implemented);
            }
            for (Field field : type.getDeclaredFields()) {
                look(field, field.getType());
            }
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                look(constructor, constructor.getParameterTypes());
            }
            for (Method method : type.getDeclaredMethods()) {
                look(method, method.getReturnType());
                look(method, method.getParameterTypes());
            }
        }
        assertThat(strangers).isEmpty();
        assertThat(classes)
                .contains(MPI.class, Comm.class, Resilient.Loop.class)
                .hasSizeGreaterThan(20);
    }

    private void look(Member member, Class<?>... types) {
        if (Modifier.isPublic(member.getModifiers()) || Modifier.isProtected(member.getModifiers())) {
            look((Object) member, types);
        }
    }

    private void look(Object where, Class<?>... types) {
        for (Class<?> type : types) {
            Class<?> element = type;
            while (element != null && element.isArray()) {
                element = element.getComponentType();
            }
            if (element == null || element.isPrimitive() || element.getName().startsWith("java.")) {
                continue;
            }
            if (!element.getPackageName().equals("mpi") || !Modifier.isPublic(element.getModifiers())) {
                strangers.add(where + " names " + element.getName());
            }
        }
    }
}
