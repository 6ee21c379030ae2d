package org.ulfmj.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command {@code benchmarks/compare}: our jobs and those of others, side by side in one run. */
public final class Compare {
    /** System property: the project's folder. */
    static final String HOME = "compare.home";

    private Compare() {}

    /** Exit status 0 if everything was measured, 1 if something of ours could not be, 2 for a wrong command line. */
    public static void main(String[] args) throws InterruptedException {
        PrintStream out =
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        int status;
        try {
            status = run(Settings.parse(args), out);
        } catch (IllegalArgumentException e) {
            System.err.println("compare: " + e.getMessage());
            status = 2;
        } catch (IOException e) {
            System.err.println("compare: " + e.getMessage());
            status = 1;
        }
        System.exit(status);
    }

    private static int run(Settings settings, PrintStream out) throws IOException, InterruptedException {
        if (settings.help()) {
            out.println(Settings.USAGE);
            return 0;
        }
        Path home = Path.of(System.getProperty(HOME, ".")).toAbsolutePath().normalize();
        Peers peers = new Peers(home, settings.peers(), out);
        List<Group> groups = new Plan(settings, new Ours(home), peers.found()).groups();
        if (settings.list()) {
            peers.found().forEach(peer -> out.println(peer.label() + ": " + peer.version()));
            for (Group group : groups) {
                out.println(group.name() + " np " + group.ranks() + ": "
                        + String.join(
                                " ", group.cells().stream().map(Cell::name).toList()));
            }
            return 0;
        }
        if (groups.isEmpty()) {
            throw new IllegalArgumentException(
                    "--only " + String.join(",", settings.only()) + ": names nothing that is measured; see --list");
        }
        Machine machine = Machine.here(peers.found());
        machine.lines().forEach(out::println);
        List<Result> results = new ArrayList<>();
        for (int launch = 1; launch <= settings.launches(); launch++) {
            for (Group group : groups) {
                results.addAll(new GroupRun(group, launch, settings.rounds(), settings.roundNs(), out).run());
            }
        }
        Comparison comparison = new Comparison(results, machine.cores());
        comparison.print(out);
        return results.isEmpty() ? 1 : 0;
    }
}
