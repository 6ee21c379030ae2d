package org.ulfmj.launch.hosts;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** A file of hosts. */
final class HostFileFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        return List.of(
                text("# mine\nnode1 slots=4 max_slots=8\nnode2:4\n"),
                text("10.0.0.1:2 # first\n[fd00::1]:3\nfd00::2 slots=2\n"));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void parse(byte[] input) {
        List<String> lines = List.of(new String(input, StandardCharsets.UTF_8).split("\n"));
        for (HostSlots host : HostFile.parse("--hostfile", lines)) {
            if (host.slots() < 1 || host.most() < 1 || host.name().startsWith("-")) {
                throw new AssertionError(host.toString());
            }
        }
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(IllegalArgumentException.class);
    }

    @Override
    public List<String> words() {
        return List.of("slots=", "max_slots=", ":", "[", "]", "#", "\n", "99999999999", "-", "=");
    }
}
