package org.ulfmj.launch.doctor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.ulfmj.launch.command.CommandLine;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.hosts.JobHosts;
import org.ulfmj.launch.hosts.JobHosts.JobHost;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * Checks the hosts of a job to come: whether each host but this one can be reached by the command that starts agents,
 * and whether all have the same jar and Java, have about this host's time, and reach each other.
 */
final class HostChecks {
    private static final int WORD_BYTES = 16;
    private static final long MOST_CLOCK_MICROS = 1_000_000;
    private static final String ADDRESS_ADVICE =
            "name an interface that all hosts have by --set ulfm.net.interface, and let their firewalls pass TCP";

    private final Installation ours;
    private final JobHosts hosts;
    private final String interfaces;
    private final List<Finding> findings = new ArrayList<>();

    /** The facts that the {@link HostPeer} on a host has answered about it. */
    private record Described(String java, String jar, String port, String addresses) {}

    private HostChecks(Installation ours, JobHosts hosts, String interfaces) {
        this.ours = ours;
        this.hosts = hosts;
        this.interfaces = interfaces.isEmpty() ? HostPeer.ALL : interfaces;
    }

    /**
     * Checks the hosts that these options name, and returns the findings.
     *
     * @param words options about hosts, as on the command line of a job
     */
    static List<Finding> all(Installation ours, Map<String, String> environment, List<String> words) {
        List<String> line = new ArrayList<>(words);
        // With restarts allowed, a host counts also where no process would be started at first; without -n, each slot
        // gets a process.
        line.addAll(List.of("--max-restarts", "1", "/bin/true"));
        LaunchRequest request = new CommandLine(ours, environment).parse(line.toArray(String[]::new));
        if (request == null || request.hosts() == null) {
            return List.of(Finding.fine("hosts", "this one alone"));
        }
        HostChecks checks =
                new HostChecks(ours, request.hosts(), request.options().netInterface());
        checks.look();
        return checks.findings;
    }

    private void look() {
        String word = HexFormat.of().formatHex(RandomBytes.next(WORD_BYTES));
        List<PeerProcess> peers = new ArrayList<>();
        try {
            for (JobHost host : hosts.hosts()) {
                peers.add(start(host, word));
            }
            List<Described> all = new ArrayList<>();
            for (int i = 0; i < peers.size(); i++) {
                all.add(peers.get(i) == null ? null : describe(i, peers.get(i)));
            }
            compare(all);
            for (int i = 0; i < peers.size(); i++) {
                for (int j = i + 1; j < peers.size(); j++) {
                    if (all.get(i) != null && all.get(j) != null) {
                        lookAtPair(i, j, peers, all);
                    }
                }
            }
        } finally {
            for (PeerProcess peer : peers) {
                if (peer != null) {
                    peer.close();
                }
            }
        }
    }

    private String name(int host) {
        return hosts.hosts().get(host).name();
    }

    private PeerProcess start(JobHost host, String word) {
        try {
            PeerProcess peer = new PeerProcess(host, hosts.agents(), ours);
            peer.send("start " + word + " " + interfaces);
            return peer;
        } catch (IOException e) {
            findings.add(notReached(host.name(), e));
            return null;
        }
    }

    private static Finding notReached(String host, IOException why) {
        return new Finding(
                "host " + host,
                "not reached (" + why.getMessage() + ")",
                "mend what was said, or reach it otherwise: --launcher, --launcher-exec, --ssh-args");
    }

    private Described describe(int host, PeerProcess peer) {
        try {
            String[] words = peer.answer().split(" ");
            if (!words[0].equals("here")) {
                String why = String.join(" ", List.of(words).subList(1, words.length));
                findings.add(new Finding("host " + name(host), why, ADDRESS_ADVICE));
                return null;
            }
            long before = System.currentTimeMillis() * 1_000;
            long its = Long.parseLong(peer.ask("clock").split(" ")[1]);
            long after = System.currentTimeMillis() * 1_000;
            long ahead = its < before ? its - before : Math.max(0, its - after);
            findings.add(new Finding(
                    "host " + name(host),
                    "calls itself " + words[1] + ", Java " + words[2] + ", jar " + words[3] + ", at " + words[5]
                            + ", clock " + (ahead == 0 ? "the same" : ahead / 1_000 + " ms ahead"),
                    Math.abs(ahead) > MOST_CLOCK_MICROS
                            ? "its clock is not this host's: set both by NTP, or times in output and logs do not fit"
                            : null));
            return new Described(words[2], words[3], words[4], words[5]);
        } catch (IOException e) {
            findings.add(notReached(name(host), e));
            return null;
        }
    }

    private void compare(List<Described> all) {
        Described first = null;
        int whose = 0;
        for (int i = 0; i < all.size(); i++) {
            Described host = all.get(i);
            if (host != null && first == null) {
                first = host;
                whose = i;
            }
            if (host != null && !host.jar().equals(first.jar())) {
                findings.add(
                        new Finding(name(whose) + ", " + name(i), "two jars", "copy " + ours.jar() + " to all hosts"));
            }
            if (host != null && !host.java().equals(first.java())) {
                findings.add(new Finding(
                        name(whose) + ", " + name(i),
                        "two versions of Java",
                        "install the same one at " + ours.java()));
            }
        }
    }

    private void lookAtPair(int one, int other, List<PeerProcess> peers, List<Described> all) {
        String found = "";
        String advice = null;
        for (boolean isBack : new boolean[] {false, true}) {
            PeerProcess from = peers.get(isBack ? other : one);
            Described to = all.get(isBack ? one : other);
            String answer;
            try {
                answer = from.ask("reach " + to.addresses() + " " + to.port());
            } catch (IOException e) {
                answer = "unreached " + e.getMessage();
            }
            String[] words = answer.split(" ", 3);
            boolean isReached = words[0].equals("reached");
            found += (isBack ? "; back: " : "")
                    + (isReached
                            ? words[1] + ", " + words[2] + " us there and back"
                            : "not reached (" + answer.substring(answer.indexOf(' ') + 1) + ")");
            advice = isReached ? advice : ADDRESS_ADVICE;
        }
        findings.add(new Finding(name(one) + ", " + name(other), found, advice));
    }
}
