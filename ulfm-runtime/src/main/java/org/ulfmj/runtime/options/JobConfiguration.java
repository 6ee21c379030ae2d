package org.ulfmj.runtime.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * The file in the job directory by which the launcher hands the resolved options, and the points of planned faults, to
 * its processes. One line each: {@code ulfm.fd.timeout=5s}, or {@code trigger.2=1 allreduce 100 0} for the first
 * process of slot 2, or {@code fault.3=pause:rank=1@t=2s..5s} for a planned fault that processes must know.
 *
 * @param options the same for all processes
 * @param triggers by slot; a slot without triggers may be absent
 * @param faults the rules of planned faults that processes must know, as {@code --inject} has them, by their numbers in
 *     the plan; an entry {@link #REPORT} if processes are to report failures
 * @param launcher the launcher's process, by which its death can be proven; {@link LauncherProcess#UNKNOWN} where
 *     processes do not know it
 * @param rdzv URL of etcd, in which the coordinator is elected; null where the launcher alone is the coordinator
 */
public record JobConfiguration(
        Options options,
        Map<Integer, List<FaultTrigger>> triggers,
        Map<Integer, String> faults,
        LauncherProcess launcher,
        String rdzv) {
    /** The number that stands for the rule by which processes tell the launcher of failures and recoveries. */
    public static final int REPORT = 0;

    private static final int OWNER_ONLY = 0600;
    private static final String TRIGGER = "trigger.";
    private static final String FAULT = "fault.";
    private static final String LAUNCHER = "launcher";
    private static final String RDZV = "rdzv";

    /** Makes the configuration of a job that does not say which process its launcher is. */
    public JobConfiguration(Options options, Map<Integer, List<FaultTrigger>> triggers) {
        this(options, triggers, Map.of(), LauncherProcess.UNKNOWN, null);
    }

    /** The triggers of one process. */
    public List<FaultTrigger> triggersOf(ProcessId process) {
        List<FaultTrigger> own = new ArrayList<>();
        for (FaultTrigger trigger : triggers.getOrDefault(process.slot(), List.of())) {
            if (trigger.isFor(process.incarnation())) {
                own.add(trigger);
            }
        }
        return own;
    }

    /**
     * Writes the file, with mode 0600.
     *
     * @throws IOException if the file cannot be written
     */
    public void write(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, String> setting : options.toSettings().entrySet()) {
            line(text, setting.getKey(), setting.getValue());
        }
        line(text, LAUNCHER, launcher.text());
        if (rdzv != null) {
            line(text, RDZV, rdzv);
        }
        for (Map.Entry<Integer, List<FaultTrigger>> slot : triggers.entrySet()) {
            for (FaultTrigger trigger : slot.getValue()) {
                line(text, TRIGGER + slot.getKey(), triggerText(trigger));
            }
        }
        for (Map.Entry<Integer, String> fault : faults.entrySet()) {
            line(text, FAULT + fault.getKey(), fault.getValue());
        }
        Files.writeString(file, text);
        Files.setAttribute(file, "unix:mode", OWNER_ONLY);
    }

    /**
     * Reads the file.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if a line cannot be understood
     */
    public static JobConfiguration read(Path file) throws IOException {
        Map<String, String> settings = new TreeMap<>();
        Map<Integer, List<FaultTrigger>> triggers = new TreeMap<>();
        Map<Integer, String> faults = new TreeMap<>();
        LauncherProcess launcher = LauncherProcess.UNKNOWN;
        String rdzv = null;
        for (String line : Files.readAllLines(file)) {
            int equals = line.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException(file + ": '" + line + "' is no setting");
            }
            String name = line.substring(0, equals);
            String value = line.substring(equals + 1);
            if (name.startsWith(TRIGGER)) {
                Integer slot = Integer.valueOf(name.substring(TRIGGER.length()));
                List<FaultTrigger> ofSlot = triggers.get(slot);
                if (ofSlot == null) {
                    ofSlot = new ArrayList<>();
                    triggers.put(slot, ofSlot);
                }
                ofSlot.add(trigger(value));
            } else if (name.startsWith(FAULT)) {
                faults.put(Integer.valueOf(name.substring(FAULT.length())), value);
            } else if (name.equals(LAUNCHER)) {
                launcher = LauncherProcess.parse(value);
            } else if (name.equals(RDZV)) {
                rdzv = value;
            } else {
                settings.put(name, value);
            }
        }
        return new JobConfiguration(Options.of(settings), triggers, faults, launcher, rdzv);
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(name).append('=').append(value).append('\n');
    }

    private static String triggerText(FaultTrigger trigger) {
        return trigger.rule() + " " + trigger.operation() + " " + trigger.count() + " " + trigger.incarnation();
    }

    private static FaultTrigger trigger(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("'" + text + "' is not a trigger");
        }
        return new FaultTrigger(
                Integer.parseInt(parts[0]), parts[1], Long.parseLong(parts[2]), Integer.parseInt(parts[3]));
    }
}
