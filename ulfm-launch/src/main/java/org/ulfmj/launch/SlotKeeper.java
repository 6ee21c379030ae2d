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
import org.ulfmj.launch.command.ElasticJob;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.command.OwnHost;
import org.ulfmj.launch.command.UsageException;
import org.ulfmj.launch.discovery.DiscoveryFailure;
import org.ulfmj.launch.discovery.HostDiscovery;
import org.ulfmj.launch.discovery.SlotPlan;
import org.ulfmj.launch.hosts.HostSlots;
import org.ulfmj.launch.process.Guardian;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.Durations;
import org.ulfmj.runtime.options.Options;

/**
 * Keeps as many processes of an elastic job running as {@code --host-discovery} finds slots ({@link SlotPlan}): starts
 * processes, sends SIGTERM to the youngest where slots have gone, and SIGKILL to those that outlive {@code ulfm.grace}.
 * The first processes are started once there are as many slots as the world needs to begin; none is told to end before
 * the world has begun, and none is started or told to end once a rank has finalized. Used by the launcher's main
 * thread, but for the methods of {@link HostDiscovery.Listener}.
 */
final class SlotKeeper implements HostDiscovery.Listener, AutoCloseable {
    private static final String OPTION = "--host-discovery: ";
    private static final String STAYS = "; the slots stay as they were (told once)";

    /** The launcher's own host, whatever the command calls it. */
    private static final String HERE = "localhost";

    private final Options options;
    private final ElasticJob job;
    private final OwnHost own = new OwnHost(System.getenv());
    private final JobLedger ledger;
    private final Processes processes;
    private final Starter starter;
    private final Joiners joiners;
    private final JobEvents events;
    private final Report report;
    private final SlotPlan plan;

    /** The processes of this launcher that have not ended. */
    private final SortedMap<ProcessId, Place> running = new TreeMap<>();

    private final Set<DiscoveryFailure.Kind> told = EnumSet.noneOf(DiscoveryFailure.Kind.class);
    private boolean isOtherHostTold;
    private boolean isWaitTold;
    private boolean haveStarted;
    /** How many processes this launcher has started, which are the numbers below in a job without other launchers. */
    private int count;
    /** When the first processes must have been started. */
    private long waitUntilNs;
    /** Null before {@link #begin}. */
    private HostDiscovery discovery;

    /** Where a process runs among those of the host, and when it is killed; that is {@code MAX_VALUE} for never. */
    private record Place(int index, boolean isEnding, long killNs) {}

    SlotKeeper(
            LaunchRequest request,
            JobLedger ledger,
            Processes processes,
            Starter starter,
            Joiners joiners,
            JobEvents events,
            Report report) {
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
     * Begins to ask the command.
     *
     * @param hostKey by which the guardian of the job knows what it has to end
     * @param directory of the job
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

    /** Whether the first processes have been started, or need not be, as those of other launchers have begun. */
    boolean hasBegun() {
        return haveStarted || ledger.isFormed();
    }

    /** The command has found these hosts. Returns why the job must end; null if it goes on. */
    EndReason onFound(List<HostSlots> hosts, long nowNs) {
        int slots = slotsHere(hosts);
        if (slots == 0) {
            onFailed(new DiscoveryFailure(
                    DiscoveryFailure.Kind.NO_HOSTS, "the command has found no slot on the host of mpiexec"));
            return null;
        }
        if (ledger.hasAnybodyFinalized()) {
            return null;
        }
        plan.found(Map.of(HERE, slots));
        if (!hasBegun() && plan.wanted() < job.min() && job.reportFile() == null) {
            tellWait();
            return null;
        }
        SlotPlan.Steps steps = plan.decide(present());
        if (ledger.isFormed() && !steps.ends().isEmpty()) {
            end(steps.ends(), slots, nowNs);
        }
        return start(steps.starts().getOrDefault(HERE, 0), slots);
    }

    /** The command has found nothing that can be used. Nothing changes. */
    void onFailed(DiscoveryFailure failure) {
        if (told.add(failure.kind())) {
            report.say(OPTION + failure.why() + STAYS);
        } else {
            report.detail(OPTION + failure.why());
        }
    }

    private int slotsHere(List<HostSlots> hosts) {
        int slots = 0;
        for (HostSlots host : hosts) {
            if (own.isThis(host.name())) {
                slots = Math.min(slots + host.slots(), HostSlots.MOST_SLOTS);
            } else if (!isOtherHostTold) {
                isOtherHostTold = true;
                report.say(OPTION + "processes of a world that grows run on the host of mpiexec alone, so slots of "
                        + host.name() + " and of other hosts are not used (told once)");
            }
        }
        return slots;
    }

    private void tellWait() {
        if (!isWaitTold) {
            isWaitTold = true;
            report.say(OPTION + text(plan.wanted()) + ", and the world needs " + job.min() + " to begin; waiting "
                    + Durations.text(options.joinTimeoutNs()) + " at most (ulfm.rdzv.join)");
        }
    }

    private static String text(int slots) {
        return slots == 1 ? "1 slot" : slots + " slots";
    }

    private List<SlotPlan.Running> present() {
        List<SlotPlan.Running> present = new ArrayList<>();
        running.forEach((child, place) -> present.add(new SlotPlan.Running(child.slot(), HERE, place.isEnding())));
        return present;
    }

    private void end(List<Integer> numbers, int slots, long nowNs) {
        StringJoiner names = new StringJoiner(", ");
        for (int number : numbers) {
            names.add(ledger.title(Membership.child(number)));
        }
        report.say(text(slots) + " left: SIGTERM to " + names);
        for (int number : numbers) {
            ProcessId child = Membership.child(number);
            running.put(child, new Place(running.get(child).index(), true, nowNs + options.graceNs()));
            ledger.toldToEnd(child);
            processes.signal(child, "TERM");
        }
    }

    private EndReason start(int wanted, int slots) {
        StringJoiner names = new StringJoiner(", ");
        EndReason why = null;
        for (int i = 0; i < wanted && why == null; i++) {
            String name = "process " + (count + 1);
            try {
                int number = joiners.takeNumber(count);
                if (number < 0) {
                    break; // the next run of the command finds the slot still free
                }
                ProcessId child = Membership.child(number);
                name = ledger.title(child);
                int index = freeIndex();
                starter.startLater(child, index);
                running.put(child, new Place(index, false, Long.MAX_VALUE));
                names.add(name);
            } catch (IOException e) {
                why = notStarted("cannot start " + name + ": " + e.getMessage());
                plan.spent(HERE);
            }
            count++;
        }
        tellStarted(names.toString(), slots);
        return why;
    }

    private void tellStarted(String names, int slots) {
        if (names.isEmpty()) {
            return;
        }
        if (haveStarted) {
            report.say(text(slots) + ": starting " + names);
        } else {
            haveStarted = true;
            report.detail(text(slots) + ": starting " + names);
            if (processes.streams() != null) {
                processes.streams().allStarted();
            }
        }
    }

    /** Of the first processes each must be started; what cannot be started later is not there. */
    private EndReason notStarted(String message) {
        if (!haveStarted) {
            return new EndReason(EndReason.Kind.LAUNCHER, UsageException.NOT_EXECUTABLE, message);
        }
        report.say(message);
        return null;
    }

    /** The lowest index that no running process of the host has. */
    private int freeIndex() {
        Set<Integer> taken = new TreeSet<>();
        running.values().forEach(place -> taken.add(place.index()));
        int index = 0;
        while (taken.contains(index)) {
            index++;
        }
        return index;
    }

    /** A process has ended, and all that it had said was heard. */
    void ended(ProcessId child) {
        Place place = running.remove(child);
        if (place != null && !place.isEnding() && !ledger.hasLeft(child)) {
            plan.spent(HERE);
        }
    }

    /** When {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
    long deadlineNs() {
        long dueNs = hasBegun() ? Long.MAX_VALUE : waitUntilNs;
        for (Place place : running.values()) {
            dueNs = Math.min(dueNs, place.killNs());
        }
        return dueNs;
    }

    /** Kills what was told to end and has not. Returns why the job must end; null if it goes on. */
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
                each.setValue(new Place(place.index(), true, Long.MAX_VALUE));
            }
        }
        return hasBegun() || nowNs < waitUntilNs
                ? null
                : EndReason.notFormed("no world can begin: --host-discovery has found " + text(plan.wanted())
                        + " within " + Durations.text(options.joinTimeoutNs()) + " (ulfm.rdzv.join), and it needs "
                        + job.min());
    }
}
