package mpi;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public items of package {@code mpi}, with one line of text for each: classes, and their public fields,
 * constructors and methods. Of {@code Struct}, {@code Struct.Data} and {@code UserFunction} also the protected items,
 * because programs extend these. A type is named without its package, what a method throws is left out, and a static
 * {@code int} field is written with its value.
 */
final class Surface {
    private static final int WRITTEN_MODIFIERS =
            Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;

    private static final Set<String> EXTENDED = Set.of("mpi.Struct", "mpi.Struct$Data", "mpi.UserFunction");

    private Surface() {}

    /** The public classes of the package, by name. */
    static List<Class<?>> classes() throws IOException, URISyntaxException, ClassNotFoundException {
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

    /** All items, sorted. */
    static TreeSet<String> items() throws IOException, URISyntaxException, ClassNotFoundException {
        TreeSet<String> items = new TreeSet<>();
        for (Class<?> type : classes()) {
            items.add(head(type));
            for (Field field : type.getDeclaredFields()) {
                if (isItem(type, field.getModifiers()) && !field.isSynthetic()) {
                    items.add(field(field));
                }
            }
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (isItem(type, constructor.getModifiers()) && !constructor.isSynthetic()) {
                    items.add(modifiers(constructor.getModifiers()) + dotted(type) + parameters(constructor));
                }
            }
            for (Method method : type.getDeclaredMethods()) {
                if (isItem(type, method.getModifiers()) && !method.isSynthetic()) {
                    items.add(modifiers(method.getModifiers()) + variables(method)
                            + text(method.getGenericReturnType()) + " " + dotted(type) + "." + method.getName()
                            + parameters(method));
                }
            }
        }
        return items;
    }

    private static boolean isItem(Class<?> type, int modifiers) {
        boolean isExtended = EXTENDED.contains(type.getName());
        return Modifier.isPublic(modifiers) || isExtended && Modifier.isProtected(modifiers);
    }

    private static String head(Class<?> type) {
        if (type.isInterface()) {
            return "public interface " + dotted(type) + implemented(" extends ", type);
        }
        Class<?> parent = type.getSuperclass();
        String kind = type.isEnum() ? "enum " : "class ";
        return modifiers(type.getModifiers() & ~Modifier.STATIC)
                + kind
                + dotted(type)
                + (parent == Object.class || type.isEnum() ? "" : " extends " + dotted(parent))
                + implemented(" implements ", type);
    }

    private static String implemented(String word, Class<?> type) {
        return type.getInterfaces().length == 0
                ? ""
                : word
                        + Arrays.stream(type.getInterfaces())
                                .map(Surface::dotted)
                                .collect(Collectors.joining(","));
    }

    private static String field(Field field) {
        String text = modifiers(field.getModifiers()) + text(field.getGenericType()) + " "
                + dotted(field.getDeclaringClass()) + "." + field.getName();
        if (field.getType() != int.class || !Modifier.isStatic(field.getModifiers())) {
            return text;
        }
        try {
            return text + " = " + field.getInt(null);
        } catch (IllegalAccessException hidden) {
            throw new AssertionError(hidden);
        }
    }

    private static String modifiers(int modifiers) {
        String text = Modifier.toString(modifiers & WRITTEN_MODIFIERS);
        return text.isEmpty() ? "" : text + " ";
    }

    private static String variables(Method method) {
        return method.getTypeParameters().length == 0
                ? ""
                : Arrays.stream(method.getTypeParameters())
                        .map(variable -> variable.getName() + " extends " + text(variable.getBounds()[0]))
                        .collect(Collectors.joining(",", "<", "> "));
    }

    private static String parameters(Executable executable) {
        return Arrays.stream(
                        executable.getParameterTypes().length == executable.getGenericParameterTypes().length
                                ? executable.getGenericParameterTypes()
                                : executable.getParameterTypes())
                .map(Surface::text)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String text(Type type) {
        if (type instanceof Class<?> known) {
            return known.isArray() ? text(known.getComponentType()) + "[]" : simple(known);
        }
        if (type instanceof ParameterizedType parameterized) {
            return text(parameterized.getRawType())
                    + Arrays.stream(parameterized.getActualTypeArguments())
                            .map(Surface::text)
                            .collect(Collectors.joining(",", "<", ">"));
        }
        if (type instanceof GenericArrayType array) {
            return text(array.getGenericComponentType()) + "[]";
        }
        return type instanceof TypeVariable<?> variable ? variable.getName() : type.getTypeName();
    }

    private static String dotted(Class<?> type) {
        return simple(type).replace('$', '.');
    }

    private static String simple(Class<?> type) {
        return type.getName().substring(type.getName().lastIndexOf('.') + 1);
    }
}
