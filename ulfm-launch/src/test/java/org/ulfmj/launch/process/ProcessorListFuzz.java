package org.ulfmj.launch.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.ulfmj.launch.command.BindTo;
import org.ulfmj.sim.fuzz.FuzzTarget;
import org.ulfmj.transport.host.PendingSignals;

/**
 * Fuzzes the parsers of files in which {@code /sys} and {@code /proc} show processors and signals: all these files have
 * the input as their content.
 */
final class ProcessorListFuzz implements FuzzTarget {
    private static final List<String> FILES = List.of(
            "node/node0/cpulist",
            "cpu/cpu0/topology/thread_siblings_list",
            "cpu/cpu0/topology/physical_package_id",
            "cpu/cpu0/cache/index0/level",
            "cpu/cpu0/cache/index0/shared_cpu_list");

    private final Path sys;

    ProcessorListFuzz() throws IOException {
        sys = Files.createTempDirectory("ulfm-fuzz");
        sys.toFile().deleteOnExit();
        for (String file : FILES) {
            Path folder = sys;
            for (Path part : Path.of(file).getParent()) {
                folder = folder.resolve(part);
                if (!Files.exists(folder)) {
                    Files.createDirectory(folder).toFile().deleteOnExit();
                }
            }
            Files.createFile(sys.resolve(file)).toFile().deleteOnExit();
        }
    }

    @Override
    public List<byte[]> samples() {
        return List.of(
                "0-2,7\n".getBytes(StandardCharsets.US_ASCII),
                "\n".getBytes(StandardCharsets.US_ASCII),
                "SigPnd:\t0000000000000100\nShdPnd:\t0\n".getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void parse(byte[] input) throws IOException {
        for (String file : FILES) {
            Files.write(sys.resolve(file), input);
        }
        CpuGroups groups = new CpuGroups(sys);
        for (BindTo kind : List.of(BindTo.NUMA, BindTo.CORE, BindTo.SOCKET, BindTo.L3CACHE)) {
            groups.of(kind, List.of(0));
        }
        PendingSignals.hasKill(new String(input, StandardCharsets.US_ASCII));
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of();
    }

    /**
     * A short input may stand for as many processors as Linux may have, so half a MiB is allowed besides the memory
     * that the length allows.
     */
    @Override
    public long capBytes(int lengthBytes) {
        return 512 * 1024 + 64L * lengthBytes;
    }

    @Override
    public List<String> words() {
        return List.of("-", ",", "0-2147483647", "0-9999999", "SigPnd:", "\n", "zz", "3");
    }
}
