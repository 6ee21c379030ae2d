package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.hosts.JobHosts;
import org.ulfmj.launch.hosts.JobHosts.JobHost;
import org.ulfmj.launch.process.Binding;
import org.ulfmj.launch.program.ShellWords;
import org.ulfmj.launch.program.StartCommand;
import org.ulfmj.protocol.ProcessId;

/** The page that {@code --do-not-launch} prints: what a job would start. */
final class PlanPage {
    private PlanPage() {}

    /**
     * Returns the lines of the page. If the job has other hosts, there is first a line per host, with the numbers of
     * its processes and slots and how its agent is started. Then there is a line per rank: its host if there are
     * others, its cores if they are known, its directory, the environment variables that its command sets or removes,
     * and its command as a shell understands it.
     *
     * @throws org.ulfmj.command.UsageException if the ranks cannot be bound as the user wants
     */
    static List<String> lines(LaunchRequest request) {
        JobHosts hosts = request.hosts();
        List<String> lines = new ArrayList<>(hosts == null ? List.of() : hostLines(hosts));
        Binding binding = Binding.of(request.bindTo(), request.cpuList(), processesHere(request), request.isJava());
        for (int slot = 0; slot < request.size(); slot++) {
            StartCommand command = request.command(ProcessId.of(slot));
            StringJoiner words = new StringJoiner(" ");
            words.add("rank " + slot + ": " + place(hosts, binding, slot) + ", in "
                    + ShellWords.quoted(command.directory().toString()) + ":");
            for (Map.Entry<String, String> variable : command.environment().entrySet()) {
                boolean isTaken = variable.getValue() == null;
                words.add(
                        isTaken
                                ? "-u " + variable.getKey()
                                : variable.getKey() + "=" + ShellWords.quoted(variable.getValue()));
            }
            command.words().forEach(word -> words.add(ShellWords.quoted(word)));
            lines.add(words.toString());
        }
        return lines;
    }

    private static List<String> hostLines(JobHosts hosts) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < hosts.hosts().size(); i++) {
            JobHost host = hosts.hosts().get(i);
            StringJoiner words = new StringJoiner(" ");
            words.add("host " + i + ": " + host.name() + ", " + hosts.processesOn(i) + " in " + host.slots()
                    + (host.slots() == 1 ? " slot," : " slots,"));
            List<String> agent = hosts.agents().wordsFor(List.of(host.name()));
            if (host.isHere()) {
                words.add("this host");
            } else if (agent.isEmpty()) {
                words.add("agent started by you");
            } else {
                words.add("agent by");
                agent.forEach(word -> words.add(ShellWords.quoted(word)));
            }
            lines.add(words.toString());
        }
        return lines;
    }

    private static int processesHere(LaunchRequest request) {
        JobHosts hosts = request.hosts();
        int here = 0;
        for (int slot = 0; slot < request.size(); slot++) {
            here += hosts == null || hosts.isHere(slot) ? 1 : 0;
        }
        return here;
    }

    /**
     * Returns where a rank is to run: its host, if the job has several, and its cores. Cores are known here only for
     * ranks of the launcher's own host.
     */
    private static String place(JobHosts hosts, Binding binding, int slot) {
        if (hosts == null) {
            return binding.describe(slot);
        }
        String name = hosts.hosts().get(hosts.hostOf(slot)).name();
        return name + (hosts.isHere(slot) ? ", " + binding.describe(hosts.localRank(slot)) : "");
    }
}
