package org.ulfmj.sim.fuzz;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The command {@code bin/ulfm-fuzz}: finds each {@link FuzzTarget} whose name ends in {@code Fuzz} in the folders of
 * the class path, and runs those that are asked for, one after the other. Inputs that once showed a fault are kept
 * beside the target's class, in {@code TARGET.hex}, one per line in hexadecimal digits, and come first.
 */
public final class FuzzCommand {
    private static final String USAGE = "usage: ulfm-fuzz [--seconds N] [--seed N] [--only TARGET,...] [--list]\n"
            + "  --seconds  time for each target; 1 by default\n"
            + "  --seed     of the inputs; 1 by default\n"
            + "  --only     these targets; all by default";
    private static final String SUFFIX = "Fuzz.class";
    private static final long WATCH_MS = 1_000;
    /** How long one input may take before it counts as a hang, which ends the command. */
    private static final long HANG_NS = 20_000_000_000L;

    private double seconds = 1;
    private long seed = 1;
    private Set<String> only = Set.of();
    private boolean isList;
    private volatile Fuzzer running;

    private FuzzCommand() {}

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        FuzzCommand command = new FuzzCommand();
        if (!command.read(arguments)) {
            System.err.println(USAGE);
            System.exit(2);
        }
        System.exit(command.run() ? 0 : 1);
    }

    private boolean read(String... arguments) {
        try {
            for (int i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--seconds" -> seconds = Double.parseDouble(arguments[++i]);
                    case "--seed" -> seed = Long.parseLong(arguments[++i]);
                    case "--only" -> only = Set.of(arguments[++i].split(","));
                    case "--list" -> isList = true;
                    default -> {
                        return false;
                    }
                }
            }
            return true;
        } catch (NumberFormatException | IndexOutOfBoundsException wrong) {
            return false;
        }
    }

    private boolean run() throws IOException, ReflectiveOperationException {
        List<Class<?>> classes = targets();
        if (classes.isEmpty()) {
            System.err.println("ulfm-fuzz: no target is built, or none has this name; mvn test-compile builds them");
            return false;
        }
        watch();
        int faults = 0;
        System.out.printf(
                Locale.ROOT, "%-24s %12s %12s %12s %16s%n", "target", "inputs", "accepted", "refused", "most memory");
        for (Class<?> each : classes) {
            if (isList) {
                System.out.println(each.getName());
                continue;
            }
            var constructor = each.getDeclaredConstructor();
            constructor.setAccessible(true);
            Fuzzer fuzzer = new Fuzzer((FuzzTarget) constructor.newInstance());
            running = fuzzer;
            Fuzzer.Count count = fuzzer.run(kept(each), seed, (long) (seconds * 1e9));
            System.out.printf(
                    Locale.ROOT,
                    "%-24s %12d %12d %12d %10d bytes%n",
                    count.target(),
                    count.inputs(),
                    count.accepted(),
                    count.refused(),
                    count.mostBytes());
            if (!count.isSound()) {
                faults++;
                System.out.println("FAULT in " + each.getName() + ": " + count.fault());
            }
        }
        System.out.println(classes.size() + " targets, " + faults + " with a fault");
        return faults == 0;
    }

    /** The targets in the folders of the class path, sorted by name: those of {@code --only}, or all. */
    private List<Class<?>> targets() throws IOException, ClassNotFoundException {
        TreeMap<String, Class<?>> found = new TreeMap<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path folder = Path.of(entry);
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path file : files.filter(each -> each.toString().endsWith(SUFFIX))
                            .toList()) {
                        String path = folder.relativize(file).toString();
                        add(
                                found,
                                path.substring(0, path.length() - ".class".length())
                                        .replace(File.separatorChar, '.'));
                    }
                }
            }
        }
        return new ArrayList<>(found.values());
    }

    private void add(TreeMap<String, Class<?>> found, String name) throws ClassNotFoundException {
        Class<?> candidate = Class.forName(name, false, FuzzCommand.class.getClassLoader());
        if (FuzzTarget.class.isAssignableFrom(candidate)
                && (only.isEmpty() || only.contains(candidate.getSimpleName()))) {
            found.put(name, candidate);
        }
    }

    private static List<byte[]> kept(Class<?> target) throws IOException {
        List<byte[]> inputs = new ArrayList<>();
        try (InputStream file = target.getResourceAsStream(target.getSimpleName() + ".hex")) {
            if (file == null) {
                return inputs;
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    inputs.add(HexFormat.of().parseHex(line.trim()));
                }
            }
            return inputs;
        }
    }

    /** Ends the process when a parser hangs. */
    private void watch() {
        Thread watch = new Thread(() -> {
            while (true) {
                try {
                    Thread.sleep(WATCH_MS);
                } catch (InterruptedException e) {
                    return;
                }
                Fuzzer fuzzer = running;
                Fuzzer.Running input = fuzzer == null ? null : fuzzer.now();
                if (input != null && System.nanoTime() - input.sinceNs() > HANG_NS) {
                    System.out.println("FAULT: hangs: " + input.text());
                    System.out.flush();
                    Runtime.getRuntime().halt(3);
                }
            }
        });
        watch.setDaemon(true);
        watch.start();
    }
}
