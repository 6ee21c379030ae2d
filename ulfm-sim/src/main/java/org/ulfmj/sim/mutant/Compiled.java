package org.ulfmj.sim.mutant;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles a mutated source text; the classes stay in memory. */
final class Compiled {
    private Compiled() {}

    /** Returns the names and bytes of all classes in the mutated file. */
    static SortedMap<String, byte[]> of(Mutant mutant) {
        String mutated = mutant.applyTo(readSource(mutant.className()));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("mutants need a JDK: this is a Java without a compiler");
        }
        StringWriter messages = new StringWriter();
        try (MemoryFiles files = new MemoryFiles(compiler.getStandardFileManager(null, null, null))) {
            List<String> options =
                    List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
            List<JavaFileObject> sources = List.of(new SourceText(mutant.className(), mutated));
            if (!compiler.getTask(messages, files, null, options, null, sources).call()) {
                throw new IllegalStateException("mutant \"" + mutant.rule() + "\" does not compile: " + messages);
            }
            return files.classes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the source of a class, from the module that has it. */
    private static String readSource(String className) {
        Path file = Path.of("src/main/java", className.replace('.', '/') + ".java");
        Path reactor = reactor();
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(reactor, "ulfm-*")) {
            for (Path module : modules) {
                if (Files.exists(module.resolve(file))) {
                    return Files.readString(module.resolve(file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("no module beside " + reactor + " has " + file);
    }

    /**
     * Returns the folder of all modules. It is looked for from the place of the running classes upwards, and then from
     * the working directory upwards.
     */
    private static Path reactor() {
        for (Path start : List.of(ownClasses(), Path.of("").toAbsolutePath())) {
            for (Path at = start; at != null; at = at.getParent()) {
                if (Files.exists(at.resolve("ulfm-protocol"))) {
                    return at;
                }
            }
        }
        throw new IllegalStateException("mutants need the sources: no ulfm-protocol above " + ownClasses());
    }

    private static Path ownClasses() {
        try {
            return Path.of(Compiled.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        SourceText(String className, String text) {
            super(URI.create("mutant:///" + className.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class MemoryFiles extends ForwardingJavaFileManager<JavaFileManager> {
        private final SortedMap<String, byte[]> classes = new TreeMap<>();

        MemoryFiles(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            URI uri = URI.create("mutant:///" + className.replace('.', '/') + kind.extension);
            return new SimpleJavaFileObject(uri, kind) {
                @Override
                public OutputStream openOutputStream() {
                    return new ByteArrayOutputStream() {
                        @Override
                        public void close() {
                            classes.put(className, toByteArray());
                        }
                    };
                }
            };
        }
    }
}
