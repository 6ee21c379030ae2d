package org.ulfmj.launch.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.sim.fuzz.FuzzTarget;

/**
 * Fuzzes the reading of the words behind {@code mpiexec}, one per line of the input; files of hosts, of parameters, of
 * programs and of arguments hold the same input.
 */
final class CommandLineFuzz implements FuzzTarget {
    private final Path directory;
    private final Path file;

    CommandLineFuzz() throws IOException {
        directory = Files.createTempDirectory("ulfm-fuzz");
        file = directory.resolve("all");
        // The last one is deleted first.
        directory.toFile().deleteOnExit();
        file.toFile().deleteOnExit();
    }

    @Override
    public List<byte[]> samples() {
        return List.of(
                text("-n 2 --tag-output java -cp app.jar Main 7"),
                text("-n 2 --bind-to core --map-by slot --timeout 20 java Main"),
                text("-n 1 java A : -n 2 java B"),
                text("--host localhost:2,localhost --set ulfm.fd.timeout=5s --mca mpi_ft_enable 1 java Main"),
                text("-n 2 --inject kill:rank=1@t=2s --max-restarts 1 -x A=b java -Dulfm.transport=tcp Main"));
    }

    private static byte[] text(String words) {
        return words.replace(' ', '\n').getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void parse(byte[] input) throws IOException {
        Files.write(file, input);
        String[] words =
                new String(input, StandardCharsets.UTF_8).replace("\0", "").split("\n");
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].replace("FILE", file.toString());
        }
        Installation installation = new Installation(Path.of("/ulfm.jar"), Path.of("/none"), Path.of("/jdk/bin/java"));
        new CommandLine(installation, Map.of("PATH", "/nowhere:/bin:/usr/bin")).parse(words);
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(UsageException.class);
    }

    /**
     * More memory than for most parsers: the library that reads options makes its model of them anew for each command
     * line.
     */
    @Override
    public long capBytes(int lengthBytes) {
        return 8L * 1024 * 1024;
    }

    @Override
    public List<String> words() {
        return List.of(
                "\n",
                "-n\n",
                "--app\nFILE\n",
                "--hostfile\nFILE\n",
                "--host\n",
                "elsewhere:2,",
                "--launcher-exec\n",
                "{host}",
                "-am\nFILE\n",
                "-configfile\nFILE\n",
                "java\n",
                "@FILE\n",
                ":\n",
                "--bind-to\n",
                "cpu-list:0-99999999",
                "--set\n",
                "ulfm.",
                "=",
                "--timeout\n",
                "-x\n",
                "--inject\n",
                "-1",
                "99999999999",
                "--output-filename\n",
                "%r",
                "--stdin\n",
                "-wdir\n",
                "\"",
                "--");
    }
}
