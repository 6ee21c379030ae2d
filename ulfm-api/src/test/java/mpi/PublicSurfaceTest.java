package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a program sees of package {@code mpi} is made of that package and of the JDK alone. */
class PublicSurfaceTest {
    private final List<String> strangers = new ArrayList<>();

    @Test
    void shouldNameNoTypeOfTheRuntimeInAPublicSignature() throws Exception {
        List<Class<?>> classes = publicClasses();
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

    private static List<Class<?>> publicClasses() throws IOException, URISyntaxException, ClassNotFoundException {
        Path folder = Path.of(MPI.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve("mpi");
        List<Class<?>> classes = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".class") && !name.equals("package-info.class")) {
                    Class<?> type = Class.forName(
                            "mpi." + name.substring(0, name.length() - 6), false, MPI.class.getClassLoader());
                    if (Modifier.isPublic(type.getModifiers())) {
                        classes.add(type);
                    }
                }
            }
        }
        return classes;
    }
}
