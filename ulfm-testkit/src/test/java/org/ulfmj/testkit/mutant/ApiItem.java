package org.ulfmj.testkit.mutant;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * One public method of Open MPI's Java bindings, as a line of {@code open-mpi.txt} writes it.
 *
 * @param line the line
 * @param type the simple name of the class
 * @param name the name of the method
 * @param parameters the simple names of the types of the parameters
 */
record ApiItem(String line, String type, String name, List<String> parameters) {
    private static final Pattern METHOD = Pattern.compile("public .* (\\w+)\\.(\\w+)\\((.*)\\)");
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** The methods among the items of a file. */
    static List<ApiItem> readAll(Path file) throws IOException {
        List<ApiItem> items = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            Matcher method = METHOD.matcher(line);
            if (method.matches()) {
                String types = method.group(3);
                items.add(new ApiItem(
                        line,
                        method.group(1),
                        method.group(2),
                        types.isEmpty() ? List.of() : List.of(types.split(", ?"))));
            }
        }
        return items;
    }

    /**
     * The source of the class in which this method does nothing and returns 0, false or null; null if the class does
     * not have the method, or the method has no body.
     */
    String emptied(Path sources) throws IOException {
        Path file = sources.resolve(type + ".java");
        if (!Files.exists(file)) {
            return null;
        }
        String source = Files.readString(file);
        try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) COMPILER.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjects(file.toFile()));
            CompilationUnitTree unit = task.parse().iterator().next();
            for (Tree member : ((ClassTree) unit.getTypeDecls().get(0)).getMembers()) {
                if (member instanceof MethodTree method && isThis(method) && method.getBody() != null) {
                    var positions = Trees.instance(task).getSourcePositions();
                    int begin = (int) positions.getStartPosition(unit, method.getBody());
                    int end = (int) positions.getEndPosition(unit, method.getBody());
                    return source.substring(0, begin) + "{ " + nothing(method.getReturnType()) + " }"
                            + source.substring(end);
                }
            }
        }
        return null;
    }

    private boolean isThis(MethodTree method) {
        return method.getName().contentEquals(name)
                && method.getParameters().stream()
                        .map(parameter -> parameter.getType().toString())
                        .toList()
                        .equals(parameters);
    }

    private static String nothing(Tree returned) {
        return switch (returned.toString()) {
            case "void" -> "";
            case "boolean" -> "return false;";
            case "int", "long", "double" -> "return 0;";
            default -> "return null;";
        };
    }
}
