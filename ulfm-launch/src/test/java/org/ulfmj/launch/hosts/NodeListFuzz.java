package org.ulfmj.launch.hosts;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the parsers of the variables in which Slurm lists nodes and tasks. */
final class NodeListFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        return List.of(text("n[1-3,7],m01\n8(x3),4(x2)"), text("r[01-12]c[0,3]\n2(x24)"), text("a,b-1\n1,16"));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void parse(byte[] input) {
        String[] lines = new String(input, StandardCharsets.UTF_8).split("\n", 2);
        NodeList.parse("SLURM_JOB_NODELIST", lines[0]);
        TaskCounts.parse("SLURM_TASKS_PER_NODE", lines[lines.length - 1]);
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(IllegalArgumentException.class);
    }

    /**
     * A short input may stand for as many names of nodes as a job may have, so the memory is not proportional to its
     * length.
     */
    @Override
    public long capBytes(int lengthBytes) {
        return 8L * 1024 * 1024;
    }

    @Override
    public List<String> words() {
        return List.of("[", "]", ",", "-", "(x", ")", "n[0-99999999]", "999999999", "\n", "[1]");
    }
}
