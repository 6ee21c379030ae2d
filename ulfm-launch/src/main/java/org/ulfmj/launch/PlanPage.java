package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.command.StartCommand;
import org.ulfmj.launch.process.Binding;
import org.ulfmj.protocol.ProcessId;

/** What a job would start, for {@code --do-not-launch}. */
final class PlanPage {
    private PlanPage() {}

    /**
     * A line per rank: its cores, what differs from the launcher's own directory and environment, and its command in
     * words that a shell understands.
     *
     * @throws org.ulfmj.launch.command.UsageException if the ranks cannot be bound as the user wants
     */
    static List<String> lines(LaunchRequest request) {
        Binding binding = Binding.of(request.bindTo(), request.cpuList(), request.size(), request.isJava());
        List<String> lines = new ArrayList<>();
        for (int slot = 0; slot < request.size(); slot++) {
            StartCommand command = request.command(ProcessId.of(slot));
            StringJoiner words = new StringJoiner(" ");
            words.add("rank " + slot + ": " + binding.describe(slot) + ", in "
                    + quoted(command.directory().toString()) + ":");
            for (Map.Entry<String, String> variable : command.environment().entrySet()) {
                boolean isTaken = variable.getValue() == null;
                words.add(isTaken ? "-u " + variable.getKey() : variable.getKey() + "=" + quoted(variable.getValue()));
            }
            command.words().forEach(word -> words.add(quoted(word)));
            lines.add(words.toString());
        }
        return lines;
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
