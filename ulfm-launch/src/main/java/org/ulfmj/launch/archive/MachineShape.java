package org.ulfmj.launch.archive;

import java.util.ArrayList;
import java.util.List;

/**
 * The collector of a virtual machine and its layout of objects, as far as options determine them. A cache that was made
 * with another collector or layout may be refused. The shape does not name the collector: it holds the options that
 * choose one, and the number of processors from which a virtual machine chooses one itself. The training job gets the
 * same options, and so chooses the same.
 *
 * @param options those of the user's options that choose collector or layout, in their order; then, for a large heap,
 *     an option that demands references of 8 bytes
 * @param processors how many processors the virtual machine sees: 1, or 2 for any larger number
 */
record MachineShape(List<String> options, int processors) {
    /**
     * The beginnings of options with which a virtual machine may refuse a cache, or of which the shape cannot be told:
     * such as those that add modules or agents, or replace parts of the platform.
     */
    private static final List<String> REFUSING = List.of(
            "--",
            "-p",
            "-javaagent",
            "-agent",
            "-Xrun",
            "-Xbootclasspath",
            "-Djava.system.class.loader",
            "-Djdk.module.",
            "-XX:StartFlightRecording",
            "-XX:+EnableJVMCI",
            "-XX:+UseJVMCI",
            "-XX:+AggressiveHeap",
            "-XX:MaxRAM",
            "-XX:InitialRAM",
            "-XX:Flags",
            "-XX:VMOptionsFile");

    /** The beginnings of options that choose a layout of objects or a collector, or influence that choice. */
    private static final List<String> SHAPING = List.of(
            "-XX:+UseCompressed",
            "-XX:-UseCompressed",
            "-XX:+UseCompactObjectHeaders",
            "-XX:-UseCompactObjectHeaders",
            "-XX:ObjectAlignmentInBytes",
            "-XX:ActiveProcessorCount",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:+NeverActAsServerClassMachine",
            "-XX:+AlwaysActAsServerClassMachine");

    private static final List<String> SIZES =
            List.of("-Xmx", "-Xms", "-XX:MaxHeapSize=", "-XX:InitialHeapSize=", "-XX:MinHeapSize=");
    private static final String UNITS = "kmgt";
    private static final int UNIT_BITS = 10;
    /**
     * The largest heap whose references surely have 4 bytes. From about 32 GB on they have 8 bytes. The exact limit
     * depends on the collector, so a heap between this size and the next constant has no shape.
     */
    private static final long SHORT_REFERENCES_BYTES = 30L << 30;

    private static final long LONG_REFERENCES_BYTES = 33L << 30;
    private static final String LONG_REFERENCES = "-XX:-UseCompressedOops";

    /**
     * Returns the shape of a virtual machine with these options; null if it cannot be told, or if a virtual machine
     * with these options refuses every cache that was made without them.
     *
     * @param options the options of the command line
     * @param variables options from environment variables; if one of them chooses a collector or a layout, the result
     *     is null
     */
    static MachineShape of(List<String> options, List<String> variables, int processors) {
        List<String> shaping = new ArrayList<>();
        long largest = 0;
        for (String option : options) {
            if (startsWithAny(option, REFUSING)) {
                return null;
            }
            if (isShaping(option)) {
                shaping.add(option);
            }
            largest = Math.max(largest, heapBytes(option));
        }
        for (String option : variables) {
            if (startsWithAny(option, REFUSING) || isShaping(option) || heapBytes(option) > SHORT_REFERENCES_BYTES) {
                return null;
            }
        }
        if (largest >= LONG_REFERENCES_BYTES) {
            shaping.add(LONG_REFERENCES);
        } else if (largest > SHORT_REFERENCES_BYTES) {
            return null;
        }
        return new MachineShape(List.copyOf(shaping), Math.min(2, processors));
    }

    /** Returns a short text that stands for the shape in the name of a file. */
    String name() {
        return ArchiveKey.digest(processors + "\n" + String.join("\n", options));
    }

    private static boolean isShaping(String option) {
        boolean isCollector = (option.startsWith("-XX:+Use") || option.startsWith("-XX:-Use")) && option.endsWith("GC");
        return isCollector || startsWithAny(option, SHAPING);
    }

    private static boolean startsWithAny(String option, List<String> beginnings) {
        for (String beginning : beginnings) {
            if (option.startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the size in bytes of the heap that an option demands; 0 if it demands none, or no decimal size. */
    private static long heapBytes(String option) {
        for (String name : SIZES) {
            if (option.startsWith(name)) {
                return bytes(option.substring(name.length()));
            }
        }
        return 0;
    }

    private static long bytes(String size) {
        int last = size.length() - 1;
        int unit = last < 0 ? -1 : UNITS.indexOf(Character.toLowerCase(size.charAt(last)));
        try {
            long number = Long.parseLong(unit < 0 ? size : size.substring(0, last));
            return number << UNIT_BITS * (unit + 1);
        } catch (NumberFormatException wrong) {
            return 0; // the virtual machine refuses it, or the size is not decimal: then the cache may be refused
        }
    }
}
