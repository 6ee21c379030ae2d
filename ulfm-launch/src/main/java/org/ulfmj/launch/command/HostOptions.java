package org.ulfmj.launch.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.ulfmj.command.Given;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.hosts.HostFile;
import org.ulfmj.launch.hosts.HostList;
import org.ulfmj.launch.hosts.HostSlots;
import org.ulfmj.launch.hosts.JobHosts;
import org.ulfmj.launch.hosts.JobHosts.JobHost;
import org.ulfmj.launch.hosts.OwnHost;
import org.ulfmj.launch.hosts.Placement;
import org.ulfmj.launch.hosts.Placement.Room;
import org.ulfmj.launch.hosts.SlurmJob;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.transport.host.SystemReason;

/**
 * Chooses the hosts of a job, and which host gets which process. The hosts are those that the command line names, else
 * those of a file that an environment variable or a parameter of Open MPI names, else those of the batch system. A
 * program that names no hosts itself gets the slots of all hosts that the other programs leave.
 *
 * <p>A launcher whose command line and environment say nothing about hosts does not load this class.
 */
final class HostOptions {
    private static final String HYDRA_FILE = "HYDRA_HOST_FILE";

    private final Given given;
    private final List<Given> blocks;
    private final Map<String, String> environment;
    private final McaParameters mca;
    private final OwnHost own;

    /** The hosts that each program names itself. */
    private final List<List<HostSlots>> named = new ArrayList<>();

    /** All hosts, each once. */
    private final List<HostSlots> all = new ArrayList<>();

    /**
     * @param given the options of the job
     * @param blocks the options of each program
     * @param environment of the launcher
     */
    HostOptions(Given given, List<Given> blocks, McaParameters mca, Map<String, String> environment) {
        this.given = given;
        this.blocks = blocks;
        this.environment = environment;
        this.mca = mca;
        this.own = new OwnHost(environment);
        boolean isInFile = given.has(OptionModel.PROGRAMS_FILE);
        if (isInFile) {
            all.addAll(namedBy(given, null));
        }
        for (Given block : blocks) {
            List<HostSlots> hosts = merged(namedBy(block, isInFile ? given : null));
            named.add(hosts);
            all.addAll(hosts);
        }
        if (all.isEmpty()) {
            all.addAll(ofEnvironment());
        }
        List<HostSlots> once = merged(all);
        all.clear();
        all.addAll(once);
        if (all.size() > HostSlots.MOST_HOSTS) {
            throw new UsageException(all.size() + " hosts; allowed: 1 to " + HostSlots.MOST_HOSTS);
        }
    }

    /**
     * Returns the hosts that the options of a program itself name.
     *
     * @param defaults options of the command line, which {@code block} contains too and which are left out here; null
     *     for none
     */
    private static List<HostSlots> namedBy(Given block, Given defaults) {
        List<HostSlots> hosts = new ArrayList<>();
        for (String names : ownTexts(block, defaults, OptionModel.HOST)) {
            hosts.addAll(HostList.parse(OptionModel.HOST, names));
        }
        for (String file : ownTexts(block, defaults, OptionModel.HOST_FILE)) {
            hosts.addAll(read(OptionModel.HOST_FILE, CommandLine.workingDirectory(block), file));
        }
        return hosts;
    }

    private static List<String> ownTexts(Given block, Given defaults, String option) {
        List<String> texts = block.texts(option);
        return defaults == null ? texts : texts.subList(defaults.texts(option).size(), texts.size());
    }

    private List<HostSlots> ofEnvironment() {
        Path launchers = Path.of("").toAbsolutePath();
        if (mca.hostFile() != null) {
            return read("orte_default_hostfile", launchers, mca.hostFile());
        }
        if (environment.containsKey(HYDRA_FILE)) {
            return read(HYDRA_FILE, launchers, environment.get(HYDRA_FILE));
        }
        return SlurmJob.isIn(environment) ? SlurmJob.nodes(environment) : List.of();
    }

    private static List<HostSlots> read(String option, Path directory, String name) {
        Path file = directory.resolve(name);
        try {
            return HostFile.parse(option + " " + name, Files.readAllLines(file));
        } catch (IOException e) {
            throw new UsageException(option + ": cannot read " + file + ": " + SystemReason.withoutPath(e));
        }
    }

    /**
     * Merges entries of the same host: each host occurs once, with the sum of the slots of its entries. All names of
     * this host count as the same host.
     */
    private List<HostSlots> merged(List<HostSlots> hosts) {
        List<HostSlots> merged = new ArrayList<>();
        for (HostSlots host : hosts) {
            int before = indexIn(merged, host);
            if (before < 0) {
                merged.add(host);
            } else {
                HostSlots other = merged.get(before);
                merged.set(
                        before,
                        new HostSlots(
                                other.name(),
                                Math.min(other.slots() + host.slots(), HostSlots.MOST_SLOTS),
                                Math.min(other.most() + host.most(), HostSlots.MOST_SLOTS),
                                other.isNumbered() || host.isNumbered()));
            }
        }
        return merged;
    }

    private int indexIn(List<HostSlots> hosts, HostSlots host) {
        boolean isHere = own.isThis(host.name());
        for (int i = 0; i < hosts.size(); i++) {
            String name = hosts.get(i).name();
            if (isHere ? own.isThis(name) : name.equals(host.name())) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The number of slots of a program's hosts, which is the number of its processes if the command line gives no
     * other; 0 if no host is named. Also 0 for a program that names no hosts itself, if there are several programs, or
     * if this is a Slurm job and all hosts are this one.
     */
    int slots(int block) {
        int slots = 0;
        for (HostSlots host : named.get(block).isEmpty() && blocks.size() == 1 ? all : named.get(block)) {
            slots = Math.min(slots + host.slots(), HostSlots.MOST_SLOTS);
        }
        // Slots that come from Slurm for this host alone are not taken as the number of processes.
        return isAllHere() && named.get(block).isEmpty() && SlurmJob.isIn(environment) ? 0 : slots;
    }

    /**
     * The number of slots of a program's hosts, where a host counts for {@code perHost} slots at most, and a host
     * without a number of slots counts for exactly {@code perHost}.
     */
    int slots(int block, int perHost) {
        int slots = 0;
        for (HostSlots host : named.get(block).isEmpty() ? all : named.get(block)) {
            slots += host.isNumbered() ? Math.min(host.slots(), perHost) : perHost;
        }
        return slots;
    }

    /** On how many hosts a program may run. */
    int hosts(int block) {
        return isAllHere() ? 1 : (named.get(block).isEmpty() ? all : named.get(block)).size();
    }

    private boolean isAllHere() {
        for (HostSlots host : all) {
            if (!own.isThis(host.name())) {
                return false;
            }
        }
        return true;
    }

    /**
     * Assigns all processes of the job to hosts; null if all processes run on this host.
     *
     * @param counts number of processes of each program
     * @param restarts whether the job restarts processes or has spares; then hosts without a process at the start are
     *     kept too
     */
    JobHosts place(List<Integer> counts, boolean restarts) {
        if (isAllHere()) {
            // The options about agents are still checked for mistakes, though no agent is needed.
            AgentOptions.of(given, mca, environment, List.of());
            return null;
        }
        int[] used = new int[all.size()];
        List<List<Integer>> hostsOfBlocks = new ArrayList<>(Collections.nCopies(blocks.size(), List.of()));
        for (boolean isNamed : new boolean[] {true, false}) {
            for (int block = 0; block < blocks.size(); block++) {
                if (isNamed != named.get(block).isEmpty()) {
                    List<Integer> hosts = place(block, counts.get(block), used);
                    hosts.forEach(host -> used[host]++);
                    hostsOfBlocks.set(block, hosts);
                }
            }
        }
        List<Integer> hostOfSlot = new ArrayList<>();
        hostsOfBlocks.forEach(hostOfSlot::addAll);
        return jobHosts(hostOfSlot, used, restarts);
    }

    private List<Integer> place(int block, int count, int[] used) {
        boolean isShared = named.get(block).isEmpty();
        int perHost = blocks.get(block).has(OptionModel.COUNT_PER_HOST)
                ? CommandLine.number(
                        OptionModel.COUNT_PER_HOST,
                        blocks.get(block).text(OptionModel.COUNT_PER_HOST),
                        " processes",
                        1,
                        RunSpec.MAX_SIZE)
                : 0;
        List<Room> rooms = new ArrayList<>();
        for (HostSlots host : isShared ? all : named.get(block)) {
            int index = indexIn(all, host);
            int before = isShared ? used[index] : 0;
            int slots = host.isNumbered() || perHost == 0 ? host.slots() : perHost;
            int left = Math.max(0, slots - before);
            int most = Math.max(0, host.most() - before);
            rooms.add(
                    perHost == 0
                            ? new Room(index, left, most)
                            : new Room(index, Math.min(left, perHost), Math.min(most, perHost)));
        }
        Mapping mapping = Mapping.of(given);
        boolean mayExceed = given.has(OptionModel.OVERSUBSCRIBE) || mapping.mayExceed();
        return mapping.isByNode()
                ? Placement.byNode(rooms, count, mayExceed)
                : Placement.bySlot(rooms, count, mayExceed);
    }

    /**
     * The hosts of the job, without those that get no process; with restarts or spares, all hosts are kept. Null if no
     * other host than this one is left.
     */
    private JobHosts jobHosts(List<Integer> hostOfSlot, int[] used, boolean restarts) {
        List<JobHost> hosts = new ArrayList<>();
        List<String> others = new ArrayList<>();
        int[] indices = new int[used.length];
        for (int i = 0; i < used.length; i++) {
            HostSlots host = all.get(i);
            if (used[i] > 0 || restarts) {
                boolean isHere = own.isThis(host.name());
                indices[i] = hosts.size();
                hosts.add(new JobHost(host.name(), host.slots(), isHere));
                if (!isHere) {
                    others.add(host.name());
                }
            }
        }
        if (others.isEmpty()) {
            return null;
        }
        hostOfSlot.replaceAll(host -> indices[host]);
        return new JobHosts(hosts, List.copyOf(hostOfSlot), AgentOptions.of(given, mca, environment, others));
    }
}
