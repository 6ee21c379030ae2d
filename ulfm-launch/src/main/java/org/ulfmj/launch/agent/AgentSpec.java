package org.ulfmj.launch.agent;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.launch.command.BindTo;
import org.ulfmj.launch.program.StartCommand;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.transport.auth.JobSecret;

/**
 * The specification that an agent reads from its stdin when it starts: one line of text, which any shell, ssh and srun
 * can pass on, and which shows up neither in the arguments nor in the environment of a process.
 *
 * @param runId the id of the job's run
 * @param size the number of ranks of the job; in an elastic job the most members of its world
 * @param min how many members the world of an elastic job needs to begin; 0 in a static job
 * @param maxRestarts how often each rank is started again at most
 * @param secret the secret of the job
 * @param launcherNonce the nonce of the launcher's end of the line
 * @param addresses the launcher's addresses, as literals, the likeliest one first
 * @param linePort the port at which the launcher waits for agents
 * @param rendezvousPort the port at which the launcher waits for ranks
 * @param settings the options of the job
 * @param configuration the content of the configuration file for the processes of other hosts than the launcher's
 * @param bindTo to which cores the user wants ranks to be bound
 * @param cpuList the processors that the user names; null if none
 * @param hosts the hosts of the job that the launcher knows now, by index
 * @param commands the commands of the job's programs
 */
record AgentSpec(
        String runId,
        int size,
        int min,
        int maxRestarts,
        JobSecret secret,
        long launcherNonce,
        List<String> addresses,
        int linePort,
        int rendezvousPort,
        Map<String, String> settings,
        String configuration,
        BindTo bindTo,
        String cpuList,
        List<Host> hosts,
        List<StartCommand> commands) {
    /**
     * The longest accepted specification: longer than any real one, and short enough that reading a wrong one does no
     * harm.
     */
    static final int MAX_BYTES = 64 << 20;

    private static final String MAGIC = "ulfm-agent 2";

    /**
     * One host of the job.
     *
     * @param name the host's name in the job
     * @param key the key of the host in the job
     * @param formerKey the key of the processes that a former agent of this host may have left; 0 if there are none
     * @param formerAttempt the attempt number of that former agent
     * @param nonce the nonce of the agent's end of the line, different for each agent
     * @param attempt the number of the agent; a later agent of the host has a higher one
     * @param processes how many ranks the host has at first, or has slots for if it is discovered; 0 for the launcher's
     *     own host
     */
    record Host(String name, long key, long formerKey, int formerAttempt, long nonce, int attempt, int processes) {}

    /** Whether the job is elastic, so that its processes have no slots before a world gives them some. */
    boolean isElastic() {
        return min > 0;
    }

    /** Returns the specification as a line of text, without the end of the line. */
    String toLine() {
        WireWriter out = new WireWriter(MAX_BYTES);
        out.putText(MAGIC).putText(runId).putInt(size).putInt(min).putInt(maxRestarts);
        out.putBytes(secret.bytes());
        out.putLong(launcherNonce);
        putTexts(out, addresses);
        out.putInt(linePort).putInt(rendezvousPort);
        AgentMessage.putVariables(out, settings);
        out.putText(configuration).putText(bindTo.name()).putText(cpuList == null ? "" : cpuList);
        out.putInt(hosts.size());
        for (Host host : hosts) {
            out.putText(host.name).putLong(host.key);
            out.putLong(host.formerKey).putInt(host.formerAttempt);
            out.putLong(host.nonce).putInt(host.attempt).putInt(host.processes);
        }
        out.putInt(commands.size());
        for (StartCommand command : commands) {
            putTexts(out, command.words());
            AgentMessage.putVariables(out, command.environment());
            out.putText(command.directory().toString()).putByte(command.isJava() ? 1 : 0);
        }
        return Base64.getEncoder().encodeToString(out.toByteArray());
    }

    /**
     * Reads the specification from a line.
     *
     * @throws WireFormatException if the line was not made by {@link #toLine} of this version
     */
    static AgentSpec of(String line) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(line.trim());
        } catch (IllegalArgumentException wrong) {
            throw new WireFormatException("no specification of an agent: " + wrong.getMessage());
        }
        WireReader in = new WireReader(bytes);
        String magic = in.getText();
        if (!magic.equals(MAGIC)) {
            throw new WireFormatException("a specification for '" + magic + "', and this is '" + MAGIC
                    + "': all hosts of a job need the same version");
        }
        AgentSpec spec = readFrom(in);
        in.requireEnd();
        return spec;
    }

    private static AgentSpec readFrom(WireReader in) {
        String runId = in.getText();
        int size = in.getInt();
        int min = in.getInt();
        if (min < 0 || min > size) {
            throw new WireFormatException("a world of " + min + " to " + size + " ranks");
        }
        int maxRestarts = in.getInt();
        JobSecret secret = JobSecret.of(in.getBytes(JobSecret.LENGTH_BYTES));
        long launcherNonce = in.getLong();
        List<String> addresses = getTexts(in);
        int linePort = in.getInt();
        int rendezvousPort = in.getInt();
        Map<String, String> settings = new TreeMap<>(AgentMessage.getVariables(in));
        String configuration = in.getText();
        BindTo bindTo = bindTo(in.getText());
        String cpuList = in.getText();
        int hostCount = in.getInt();
        in.requireCount(hostCount, Integer.BYTES, "hosts");
        List<Host> hosts = new ArrayList<>();
        for (int i = 0; i < hostCount; i++) {
            hosts.add(new Host(
                    in.getText(), in.getLong(), in.getLong(), in.getInt(), in.getLong(), in.getInt(), in.getInt()));
        }
        int commandCount = in.getInt();
        in.requireCount(commandCount, Integer.BYTES, "commands");
        List<StartCommand> commands = new ArrayList<>();
        for (int i = 0; i < commandCount; i++) {
            List<String> words = getTexts(in);
            Map<String, String> environment = AgentMessage.getVariables(in);
            commands.add(new StartCommand(words, environment, path(in.getText()), in.getByte() != 0));
        }
        return new AgentSpec(
                runId,
                size,
                min,
                maxRestarts,
                secret,
                launcherNonce,
                addresses,
                linePort,
                rendezvousPort,
                settings,
                configuration,
                bindTo,
                cpuList.isEmpty() ? null : cpuList,
                hosts,
                commands);
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException wrong) {
            throw new WireFormatException("no path: " + wrong.getMessage());
        }
    }

    private static BindTo bindTo(String name) {
        for (BindTo each : BindTo.values()) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        throw new WireFormatException("no binding " + name);
    }

    private static void putTexts(WireWriter out, List<String> texts) {
        out.putInt(texts.size());
        texts.forEach(out::putText);
    }

    private static List<String> getTexts(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, Integer.BYTES, "texts");
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(in.getText());
        }
        return texts;
    }
}
