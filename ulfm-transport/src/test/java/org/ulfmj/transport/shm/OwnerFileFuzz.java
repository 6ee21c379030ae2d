package org.ulfmj.transport.shm;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;
import org.ulfmj.transport.host.HostProcess;

/** Fuzzes the reading of an owner record, in whose place any file may lie. */
final class OwnerFileFuzz implements FuzzTarget {
    private final Path directory;
    private final Path file;

    OwnerFileFuzz() throws IOException {
        directory = Files.createTempDirectory("ulfm-fuzz");
        file = directory.resolve(OwnerFile.PREFIX + "fuzz");
        // The last one is deleted first.
        directory.toFile().deleteOnExit();
        file.toFile().deleteOnExit();
    }

    @Override
    public List<byte[]> samples() {
        try {
            OwnerFile.create(directory, "fuzz", new HostProcess(12, 34, 56, "b00t-id"))
                    .keep();
            return List.of(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void parse(byte[] input) throws IOException {
        Files.write(file, input);
        OwnerFile.read(file.toFile());
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(IOException.class, EOFException.class);
    }
}
