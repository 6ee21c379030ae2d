package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.command.ElasticJob;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.discovery.DiscoveryFailure;
import org.ulfmj.launch.discovery.HostDiscovery;
import org.ulfmj.launch.discovery.SlotPlan;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.event.JobEvents;
import org.ulfmj.launch.hosts.HostSlots;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.Guardian;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.Durations;
import org.ulfmj.runtime.options.Options;

/**
 * Fits the number of processes of an elastic job to the slots that {@code --host-discovery} finds, as {@link SlotPlan}
 * decides. It has agents started on hosts that need one ({@link FoundHosts}), starts processes, sends SIGTERM to the
 * youngest processes where slots have gone, and SIGKILL to those that outlive {@code ulfm.grace}. The first processes
 * are started once there are as many slots, on the launcher's host and on hosts with an agent, as the world needs to
 * begin; one slot is enough with {@code --report-uri}. No process is told to end before the world has begun, and none
 * is started or told to end once a rank has finalized. Used by the launcher's main thread, except for the methods of
 * {@link HostDiscovery.Listener}.
 */
final class SlotKeeper implements HostDiscovery.Listener, AutoCloseable {
    static final String OPTION = "--host-discovery: ";
    private static final String STAYS = "; the slots stay as they were (told once)";

    private final Options options;
    private final ElasticJob job;
    private final JobLedger ledger;
    private final Processes processes;
    private final Starter starter;
    private final Joiners joiners;
    private final JobEvents events;
    private final Report report;
    private final SlotPlan plan;
    private final FoundHosts hosts;

    /** The place of each process of this launcher that has not ended. */
    private final SortedMap<ProcessId, Place> running = new TreeMap<>();

    private final Set<DiscoveryFailure.Kind> told = EnumSet.noneOf(DiscoveryFailure.Kind.class);
    private boolean isWaitTold;
    private boolean haveStarted;
    /**
     * How many processes this launcher has started or tried to start; in a job without other launchers it is also the
     * number of the next child.
     */
    private int count;
    /** The time by which the first processes must have been started. */
    private long waitUntilNs;
    /** Null before {@link #begin}. */
    private HostDiscovery discovery;

    /**
     * Where a process runs.
     *
     * @param index the index of the process among those of its host
     * @param isEnding whether the process was told to end
     * @param killNs when the process is killed; {@code MAX_VALUE} for never
     */
    private record Place(String host, int index, boolean isEnding, long killNs) {
        Place ending(long newKillNs) {
            return new Place(host, index, true, newKillNs);
        }
    }

    SlotKeeper(
            LaunchRequest request,
            JobLedger ledger,
            Processes processes,
            Starter starter,
            Joiners joiners,
            JobEvents events,
            Report report,
            FoundHosts hosts) {
        this.hosts = hosts;
        this.options = request.options();
        this.job = request.elastic();
        this.ledger = ledger;
        this.processes = processes;
        this.starter = starter;
        this.joiners = joiners;
        this.events = events;
        this.report = report;
        this.plan = new SlotPlan(job.max());
    }

    /**
     * Begins to run the command of {@code --host-discovery} repeatedly.
     *
     * @param hostKey the key by which the guardian of the job recognizes the command as a process to end
     * @param directory the directory of the job
     */
    void begin(long hostKey, Path directory, long nowNs) {
        waitUntilNs = nowNs + options.joinTimeoutNs();
        Guardian.Mark mark = Guardian.Mark.ofHost(hostKey);
        discovery = new HostDiscovery(
                job.discovery(),
                options.discoveryIntervalNs(),
                options.discoveryTimeoutNs(),
                Map.of(mark.variable(), mark.value()),
                directory,
                this);
        discovery.start();
    }

    @Override
    public void found(List<HostSlots> hosts) {
        events.accept(new JobEvent.SlotsFound(hosts));
    }

    @Override
    public void failed(DiscoveryFailure failure) {
        events.accept(new JobEvent.NotDiscovered(failure));
    }

    /** Ends the command, if it runs. */
    @Override
    public void close() {
        if (discovery != null) {
            discovery.close();
        }
    }

    /**
     * Whether the first processes have been started, or need not be started since a world of other launchers' processes
     * has begun.
     */
    boolean hasBegun() {
        return haveStarted || ledger.isFormed();
    }

    /**
     * Handles the hosts that the command has found: starts or ends processes. Returns why the job must end; null if it
     * goes on.
     */
    EndReason onFound(List<HostSlots> found, long nowNs) {
        Map<String, Integer> slots = hosts.found(found);
        if (slots.isEmpty()) {
            onFailed(new DiscoveryFailure(
                    DiscoveryFailure.Kind.NO_HOSTS, "the command has found no slot on the host of mpiexec"));
            return null;
        }
        if (ledger.hasAnybodyFinalized()) {
            return null;
        }
        plan.found(slots);
        need();
        EndReason why = goOn(nowNs);
        release();
        return why;
    }

    /** Handles that a host has an agent now. Returns why the job must end; null if it goes on. */
    EndReason onUsable(long nowNs) {
        return ledger.hasAnybodyFinalized() ? null : goOn(nowNs);
    }

    /**
     * Handles that a host has no agent, and gets none for now.
     *
     * @param why the reason for the user; null if the user was told already
     */
    void onUnusable(int host, String why) {
        hosts.isUnusable(host, why);
        if (!ledger.hasAnybodyFinalized()) {
            need();
        }
        if (!hasBegun()) {
            tellWait();
        }
    }

    /** Has agents started where processes would be started if each host that may have an agent had one. */
    private void need() {
        hosts.need(plan.decide(present(), hosts.possible()).starts().keySet());
    }

    private EndReason goOn(long nowNs) {
        Set<String> usable = hosts.usable();
        if (!hasBegun() && plan.wanted(usable) < least()) {
            tellWait();
            return null;
        }
        SlotPlan.Steps steps = plan.decide(present(), usable);
        if (ledger.isFormed() && !steps.ends().isEmpty()) {
            end(steps.ends(), nowNs);
        }
        return start(steps.starts());
    }

    /** Returns how many slots there must be before the first processes are started. */
    private int least() {
        return job.reportFile() == null ? job.min() : 1;
    }

    private void release() {
        Set<String> withProcesses = new TreeSet<>();
        running.values().forEach(place -> withProcesses.add(place.host()));
        hosts.releaseBut(withProcesses);
    }

    /**
     * Handles that the command has failed or found nothing that can be used: the slots stay as they are, and the user
     * is told once per kind of failure.
     */
    void onFailed(DiscoveryFailure failure) {
        if (told.add(failure.kind())) {
            report.say(OPTION + failure.why() + STAYS);
        } else {
            report.detail(OPTION + failure.why());
        }
    }

    /**
     * Tells the user once if too few slots were found for the world to begin. Slots of hosts that still wait for an
     * agent count as found: these hosts get an agent, or the user is told that they get none.
     */
    private void tellWait() {
        int wanted = plan.wanted(hosts.possible());
        if (!isWaitTold && wanted < least()) {
            isWaitTold = true;
            report.say(OPTION + text(wanted) + ", and the world needs " + job.min() + " to begin; waiting "
                    + Durations.text(options.joinTimeoutNs()) + " at most (ulfm.rdzv.join)");
        }
    }

    private static String text(int slots) {
        return slots == 1 ? "1 slot" : slots + " slots";
    }

    private List<SlotPlan.Running> present() {
        List<SlotPlan.Running> present = new ArrayList<>();
        running.forEach(
                (child, place) -> present.add(new SlotPlan.Running(child.slot(), place.host(), place.isEnding())));
        return present;
    }

    private void end(List<Integer> numbers, long nowNs) {
        StringJoiner names = new StringJoiner(", ");
        for (int number : numbers) {
            names.add(ledger.title(Membership.child(number)));
        }
        report.say(text(plan.slots()) + " left: SIGTERM to " + names);
        for (int number : numbers) {
            ProcessId child = Membership.child(number);
            running.put(child, running.get(child).ending(nowNs + options.graceNs()));
            ledger.toldToEnd(child);
            processes.signal(child, "TERM");
        }
    }

    /**
     * Starts processes. Returns why the job must end; null if it goes on.
     *
     * @param wanted how many processes each host gets
     */
    private EndReason start(Map<String, Integer> wanted) {
        StringJoiner names = new StringJoiner(", ");
        EndReason why = null;
        for (Map.Entry<String, Integer> each : wanted.entrySet()) {
            for (int i = 0; i < each.getValue() && why == null; i++) {
                why = start(each.getKey(), names);
            }
        }
        tellStarted(names.toString());
        return why;
    }

    private EndReason start(String host, StringJoiner names) {
        String name = "process " + (count + 1);
        try {
            int number = joiners.takeNumber(count);
            if (number < 0) {
                return null; // the next run of the command finds the slot still free
            }
            ProcessId child = Membership.child(number);
            name = ledger.title(child);
            int index = freeIndex(host);
            starter.startLater(child, hosts.indexOf(host), index, localSize(host));
            running.put(child, new Place(host, index, false, Long.MAX_VALUE));
            names.add(host.equals(FoundHosts.HERE) ? name : name + " on " + host);
            count++;
            return null;
        } catch (IOException e) {
            count++;
            plan.spent(host);
            return notStarted("cannot start " + name + ": " + e.getMessage());
        }
    }

    /**
     * Returns how many processes a host has room for. If no other host has slots, this host may come to have as many
     * processes as the world may have members.
     */
    private int localSize(String host) {
        return plan.isAlone(host) ? job.max() : Math.min(plan.slots(host), job.max());
    }

    private void tellStarted(String names) {
        if (names.isEmpty()) {
            return;
        }
        String text = text(plan.slots()) + ": starting " + names;
        if (haveStarted) {
            report.say(text);
        } else {
            haveStarted = true;
            report.detail(text);
            if (processes.streams() != null) {
                processes.streams().allStarted();
            }
        }
    }

    /**
     * Handles that a process could not be started. If it is one of the first processes, that ends the job; later the
     * user is told, and the job goes on without the process.
     */
    private EndReason notStarted(String message) {
        if (!haveStarted) {
            return new EndReason(EndReason.Kind.LAUNCHER, UsageException.NOT_EXECUTABLE, message);
        }
        report.say(message);
        return null;
    }

    /** Returns the lowest index that no running process of the host has. */
    private int freeIndex(String host) {
        Set<Integer> taken = new TreeSet<>();
        for (Place place : running.values()) {
            if (place.host().equals(host)) {
                taken.add(place.index());
            }
        }
        int index = 0;
        while (taken.contains(index)) {
            index++;
        }
        return index;
    }

    /** Handles that a process has ended and all its messages have been read. */
    void ended(ProcessId child) {
        Place place = running.remove(child);
        if (place != null && !place.isEnding() && !ledger.hasLeft(child)) {
            plan.spent(place.host());
        }
        if (place != null) {
            release();
        }
    }

    /** Returns when {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
    long deadlineNs() {
        long dueNs = hasBegun() ? Long.MAX_VALUE : waitUntilNs;
        for (Place place : running.values()) {
            dueNs = Math.min(dueNs, place.killNs());
        }
        return dueNs;
    }

    /**
     * Kills the processes that were told to end and have not ended in time. Returns why the job must end, if the first
     * processes could not be started in time; null if it goes on.
     */
    EndReason tick(long nowNs) {
        for (Map.Entry<ProcessId, Place> each : running.entrySet()) {
            Place place = each.getValue();
            RankProcess process = place.killNs() <= nowNs ? processes.find(each.getKey()) : null;
            if (process != null) {
                report.say(process.title() + " has not ended within " + Durations.text(options.graceNs())
                        + " of SIGTERM (ulfm.grace) and is killed");
                processes.kill(process);
            }
            if (place.killNs() <= nowNs) {
                each.setValue(place.ending(Long.MAX_VALUE));
            }
        }
        return hasBegun() || nowNs < waitUntilNs
                ? null
                : EndReason.notFormed("no world can begin: --host-discovery has found " + text(plan.slots())
                        + withoutAgent() + " within " + Durations.text(options.joinTimeoutNs())
                        + " (ulfm.rdzv.join), and it needs " + job.min());
    }

    private String withoutAgent() {
        int without = plan.slots() - plan.slots(hosts.usable());
        return without == 0 ? "" : ", " + without + " of them on hosts without an agent,";
    }
}
