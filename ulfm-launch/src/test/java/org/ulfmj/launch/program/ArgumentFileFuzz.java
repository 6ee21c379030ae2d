package org.ulfmj.launch.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.ulfmj.command.UsageException;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the parser of argument files of {@code java}; such a file may name itself. */
final class ArgumentFileFuzz implements FuzzTarget {
    private final Path file;

    ArgumentFileFuzz() throws IOException {
        file = Files.createTempFile("ulfm-fuzz", ".arguments");
        file.toFile().deleteOnExit();
    }

    @Override
    public List<byte[]> samples() {
        return List.of("-cp \"a b.jar\" # a comment\n-Dx='y\\n' Main 7".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void parse(byte[] input) throws IOException {
        String text = new String(input, StandardCharsets.UTF_8).replace("FILE", file.toString());
        Files.writeString(file, text);
        JavaArguments.parse(List.of("-Xint", "@" + file), file.getParent()).systemProperties();
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(UsageException.class);
    }

    @Override
    public List<String> words() {
        return List.of("@FILE ", "-cp ", "\"", "'", "\\", "#", "\n", "-jar ", "--module=", "-D");
    }
}
