package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The list beside this test says what programs written for Open MPI's bindings find here, to the letter. */
class SignaturesTest {
    private static final Map<String, Class<?>> PRIMITIVES = Map.of(
            "void", void.class,
            "boolean", boolean.class,
            "byte", byte.class,
            "char", char.class,
            "short", short.class,
            "int", int.class,
            "long", long.class,
            "float", float.class,
            "double", double.class);

    private final List<String> problems = new ArrayList<>();
    private int checked;
    private Class<?> current;

    @Test
    void shouldOfferEverySignatureExactly() throws IOException {
        try (BufferedReader list = new BufferedReader(new InputStreamReader(
                SignaturesTest.class.getResourceAsStream("signatures.txt"), StandardCharsets.UTF_8))) {
            for (String line = list.readLine(); line != null; line = list.readLine()) {
                check(line.strip());
            }
        }

        assertThat(problems).isEmpty();
        assertThat(checked).as("checked entries").isGreaterThanOrEqualTo(254);
    }

    @Test
    void shouldKeepExceptionsUncheckedAndApart() {
        assertThat(RuntimeException.class).isAssignableFrom(MPIException.class);
        assertThat(Modifier.isFinal(MPIException.class.getModifiers())).isFalse();
        for (Class<?> exception : List.of(
                ProcFailedException.class,
                ProcFailedPendingException.class,
                RevokedException.class,
                ProcAbortedException.class)) {
            assertThat(Modifier.isFinal(exception.getModifiers()))
                    .as(exception.getSimpleName())
                    .isTrue();
        }
    }

    private void check(String line) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        if (line.startsWith("class ")) {
            int colon = line.indexOf(':');
            current = type(line.substring(6, colon));
            checkHead(line.substring(colon + 1).strip());
        } else {
            checked++;
            checkMember(line.replace(";", ""));
        }
    }

    private void checkHead(String rest) {
        if (rest.startsWith("extends ")) {
            checked++;
            expect(current.getSuperclass() == type(rest.substring(8)), current + " " + rest);
        } else if (rest.startsWith("fields ")) {
            for (String group : rest.substring(7).split("\\|")) {
                int colon = group.indexOf(':');
                Class<?> type = type(group.substring(0, colon).strip());
                for (String name : group.substring(colon + 1).strip().split(",")) {
                    checked++;
                    checkField(type, name.strip());
                }
            }
        }
    }

    private void checkField(Class<?> type, String name) {
        try {
            Field field = current.getDeclaredField(name);
            expect(
                    field.getType() == type && isPublicStaticFinal(field.getModifiers()),
                    "field " + name + " is " + field);
        } catch (NoSuchFieldException missing) {
            problems.add("no field " + current.getSimpleName() + "." + name);
        }
    }

    private void checkMember(String signature) {
        int open = signature.indexOf('(');
        List<Class<?>> parameters = new ArrayList<>();
        for (String parameter :
                signature.substring(open + 1, signature.length() - 1).split(",")) {
            if (!parameter.isBlank()) {
                parameters.add(type(parameter.strip()));
            }
        }
        Class<?>[] types = parameters.toArray(new Class<?>[0]);
        String[] words = signature.substring(0, open).split(" ");
        try {
            if (words.length == 1) {
                expect(Modifier.isPublic(current.getDeclaredConstructor(types).getModifiers()), signature);
                return;
            }
            boolean isStatic = words[0].equals("static");
            Class<?> result = type(words[words.length - 2]);
            expect(
                    Arrays.stream(current.getDeclaredMethods())
                            .anyMatch(method -> method.getName().equals(words[words.length - 1])
                                    && Arrays.equals(method.getParameterTypes(), types)
                                    && method.getReturnType() == result
                                    && matches(method, isStatic)),
                    "no " + current.getSimpleName() + ": " + signature);
        } catch (NoSuchMethodException missing) {
            problems.add("no constructor " + signature);
        }
    }

    private static boolean matches(Method method, boolean isStatic) {
        return Modifier.isPublic(method.getModifiers()) && Modifier.isStatic(method.getModifiers()) == isStatic;
    }

    private static boolean isPublicStaticFinal(int modifiers) {
        return Modifier.isPublic(modifiers) && Modifier.isStatic(modifiers) && Modifier.isFinal(modifiers);
    }

    private void expect(boolean holds, String problem) {
        if (!holds) {
            problems.add(problem);
        }
    }

    private static Class<?> type(String name) {
        if (name.endsWith("[]")) {
            return type(name.substring(0, name.length() - 2)).arrayType();
        }
        Class<?> primitive = PRIMITIVES.get(name);
        if (primitive != null) {
            return primitive;
        }
        for (String place : List.of("mpi.", "java.lang.", "java.nio.")) {
            try {
                return Class.forName(place + name);
            } catch (ClassNotFoundException elsewhere) {
                continue;
            }
        }
        throw new AssertionError("no class " + name);
    }
}
