package org.ulfmj.testkit.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The classes of package {@code mpi} with all mutants of some methods and constructors compiled in, of which class
 * {@code mpi.Mutants} switches on one at most. So they are compiled only once, and a process can try any number of
 * mutants.
 */
final class MutatedApi {
    /**
     * The source of class {@code mpi.Mutants}. While no mutant is on, it notes which mutants the running test reaches.
     */
    private static final String SWITCH =
            """
            package mpi;

            public final class Mutants {
                public static volatile int on = -1;
                public static final boolean[] REACHED = new boolean[%d];

                static boolean isOn(int number) {
                    if (on == -1) {
                        REACHED[number] = true;
                    }
                    return number == on;
                }
            }
            """;

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private final Path sources;
    private final List<ApiMutant> mutants = new ArrayList<>();
    private final List<ApiItem> unchanged = new ArrayList<>();
    /** By file: what is put in where. */
    private final Map<String, TreeMap<Integer, String>> insertions = new TreeMap<>();

    private MutatedApi(Path sources) {
        this.sources = sources;
    }

    /** Makes all mutants of some items. */
    static MutatedApi of(Path sources, Collection<ApiItem> items) throws IOException {
        MutatedApi mutated = new MutatedApi(sources);
        Map<String, List<ApiItem>> byFile = new TreeMap<>();
        items.forEach(item ->
                byFile.computeIfAbsent(item.file(), file -> new ArrayList<>()).add(item));
        for (Map.Entry<String, List<ApiItem>> file : byFile.entrySet()) {
            mutated.addAll(file.getKey(), file.getValue());
        }
        return mutated;
    }

    List<ApiMutant> mutants() {
        return mutants;
    }

    /** Returns the items without a mutant, such as those that have no body in their file or an empty one. */
    List<ApiItem> unchanged() {
        return unchanged;
    }

    private void addAll(String file, List<ApiItem> items) throws IOException {
        Path source = sources.resolve(file + ".java");
        try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) COMPILER.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjects(source.toFile()));
            CompilationUnitTree unit = task.parse().iterator().next();
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (ApiItem item : items) {
                MethodTree method = find(unit, item);
                List<String> statements = method == null ? List.of() : statements(item, method);
                if (statements.isEmpty()) {
                    unchanged.add(item);
                    continue;
                }
                StringBuilder text = new StringBuilder();
                for (String statement : statements) {
                    ApiMutant mutant = new ApiMutant(mutants.size(), item, statement);
                    mutants.add(mutant);
                    text.append(" if (Mutants.isOn(" + mutant.number() + ")) { " + statement + " }");
                }
                insertions
                        .computeIfAbsent(file, each -> new TreeMap<>())
                        .put(begin(unit, positions, method), text.toString());
            }
        }
    }

    private static MethodTree find(CompilationUnitTree unit, ApiItem item) {
        ClassTree type = (ClassTree) unit.getTypeDecls().get(0);
        String[] path = item.type().split("\\.");
        for (int i = 1; i < path.length; i++) {
            String inner = path[i];
            type = (ClassTree) type.getMembers().stream()
                    .filter(each -> each instanceof ClassTree nested
                            && nested.getSimpleName().contentEquals(inner))
                    .findFirst()
                    .orElseThrow();
        }
        for (Tree member : type.getMembers()) {
            if (member instanceof MethodTree method && method.getBody() != null && isThis(method, item)) {
                return method;
            }
        }
        return null;
    }

    private static boolean isThis(MethodTree method, ApiItem item) {
        boolean isConstructor = method.getReturnType() == null;
        return (isConstructor
                        ? item.type().endsWith(item.name())
                        : method.getName().contentEquals(item.name()))
                && method.getParameters().stream()
                        .map(parameter -> ApiItem.simple(parameter.getType().toString()))
                        .toList()
                        .equals(item.parameters());
    }

    /**
     * Returns where the statement is inserted in the source: after the opening brace, or in a constructor after its
     * call of another constructor.
     */
    private static int begin(CompilationUnitTree unit, SourcePositions positions, MethodTree method) {
        List<? extends StatementTree> body = method.getBody().getStatements();
        boolean callsAnother = method.getReturnType() == null && !body.isEmpty() && isCallOfAnother(body.get(0));
        return callsAnother
                ? (int) positions.getEndPosition(unit, body.get(0))
                : (int) positions.getStartPosition(unit, method.getBody()) + 1;
    }

    private static boolean isCallOfAnother(StatementTree statement) {
        return statement.toString().matches("(super|this)\\(.*");
    }

    /**
     * Returns the statements that are put in, each in its own mutant: in a method a return of a trivial value, and a
     * return of one other simple value if there is one; in a constructor those of {@link #forgotten}.
     */
    private static List<String> statements(ApiItem item, MethodTree method) {
        if (method.getReturnType() == null) {
            return forgotten(method);
        }
        String returned = method.getReturnType().toString();
        return switch (returned) {
            case "void" -> method.getBody().getStatements().isEmpty() ? List.of() : List.of("return;");
            case "boolean" -> List.of("return false;", "return true;");
            case "byte", "char", "short", "int", "long", "float", "double" -> List.of("return 0;", "return 1;");
            case "String" -> List.of("return null;", "return \"\";");
            default -> {
                String other = other(item, method, returned);
                yield other == null ? List.of("return null;") : List.of("return null;", other);
            }
        };
    }

    /**
     * Returns a statement that returns a parameter, this object or an empty array, whichever has the method's type;
     * null if none has.
     */
    private static String other(ApiItem item, MethodTree method, String returned) {
        for (var parameter : method.getParameters()) {
            if (parameter.getType().toString().equals(returned)) {
                return "return " + parameter.getName() + ";";
            }
        }
        boolean isStatic = method.getModifiers().getFlags().contains(Modifier.STATIC);
        if (!isStatic && returned.equals(item.type())) {
            return "return this;";
        }
        return returned.matches("\\w+\\[\\]") ? "return new " + returned.replace("]", "0]") + ";" : null;
    }

    /**
     * Returns a text that overwrites all parameters of a constructor with 0, false or null; none if the constructor has
     * no parameters, or no statement besides a call of another constructor.
     */
    private static List<String> forgotten(MethodTree method) {
        StringBuilder text = new StringBuilder();
        for (var parameter : method.getParameters()) {
            String nothing =
                    switch (parameter.getType().toString()) {
                        case "boolean" -> "false";
                        case "byte", "char", "short", "int", "long", "float", "double" -> "0";
                        default -> "null";
                    };
            text.append(text.isEmpty() ? "" : " ")
                    .append(parameter.getName())
                    .append(" = ")
                    .append(nothing)
                    .append(';');
        }
        long ownStatements = method.getBody().getStatements().stream()
                .filter(each -> !isCallOfAnother(each))
                .count();
        return text.isEmpty() || ownStatements == 0 ? List.of() : List.of(text.toString());
    }

    /** Compiles all of them into a folder. */
    void compile(Path classes) throws IOException {
        Path texts = Files.createDirectories(classes.resolve("sources"));
        List<File> changed = new ArrayList<>();
        changed.add(Files.writeString(texts.resolve("Mutants.java"), SWITCH.formatted(mutants.size()))
                .toFile());
        for (Map.Entry<String, TreeMap<Integer, String>> file : insertions.entrySet()) {
            StringBuilder text = new StringBuilder(Files.readString(sources.resolve(file.getKey() + ".java")));
            file.getValue().descendingMap().forEach(text::insert);
            changed.add(Files.writeString(texts.resolve(file.getKey() + ".java"), text)
                    .toFile());
        }
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
            boolean isCompiled = COMPILER.getTask(
                            null, files, null, options, null, files.getJavaFileObjectsFromFiles(changed))
                    .call();
            assertThat(isCompiled).as("the mutants compile").isTrue();
        }
    }
}
