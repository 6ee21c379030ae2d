package org.ulfmj.launch;

import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.launch.command.ElasticJob;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.host.DeathWatch;
import org.ulfmj.launch.host.EarlyBinding;
import org.ulfmj.launch.host.JobDirectory;
import org.ulfmj.launch.inject.Injector;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.Binding;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.replacement.ReplacementTerms;
import org.ulfmj.rendezvous.replacement.Replacements;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.options.WithoutSlot;

/**
 * Starts the processes of a job: at first those of all slots, or those that {@link SlotKeeper} wants if slots are
 * discovered; once the world runs, the spares; and the processes that take the place of failed ones. Used by the
 * launcher's main thread.
 */
final class Starter implements Replacements.Effects {
    private final LaunchRequest request;
    private final Binding binding;
    private final EarlyBinding early;
    private final Processes processes;
    private final JobLedger ledger;
    private final DeathWatch watch;
    private final Injector injector;
    private final Report report;
    private final Replacements replacements;

    /** Spares without a place, by number. */
    private final SortedMap<Integer, RankProcess> spares = new TreeMap<>();

    private boolean haveSparesStarted;

    /** Set before any process is started. */
    private String runId;

    private HostMap hosts;

    private JobDirectory directory;
    private MeetingPoint meeting;

    Starter(
            LaunchRequest request,
            Binding binding,
            EarlyBinding early,
            Processes processes,
            JobLedger ledger,
            DeathWatch watch,
            Injector injector,
            Report report) {
        this.request = request;
        this.binding = binding;
        this.early = early;
        this.processes = processes;
        this.ledger = ledger;
        this.watch = watch;
        this.injector = injector;
        this.report = report;
        this.replacements = new Replacements(
                new ReplacementTerms(
                        request.size(),
                        request.maxRestarts(),
                        request.spares(),
                        "--max-restarts",
                        "mpiexec was started without --max-restarts and --spares"),
                this);
    }

    /**
     * Sets the id of the run, the map of its hosts, its directory, and the meeting point at which the processes join.
     */
    void prepare(String run, HostMap map, JobDirectory jobDirectory, MeetingPoint point) {
        runId = run;
        hosts = map;
        directory = jobDirectory;
        meeting = point;
    }

    /**
     * Sets the address at which other hosts reach the launcher's host. The processes that are started here from now on
     * announce it.
     */
    void isReachedAt(String address) {
        hosts.isReachedAt(address);
    }

    Replacements replacements() {
        return replacements;
    }

    /**
     * Starts the first process of a slot.
     *
     * @param slot the slot; in an elastic job the number of the child
     * @throws IOException if the system cannot start it on this host, or a file for its output cannot be opened
     */
    void startFirst(int slot) throws IOException {
        ProcessId process = ProcessId.of(slot);
        launch(process, place(process, 0));
    }

    /**
     * Starts a process of an elastic job whose slots are discovered.
     *
     * @param index the index of the process among those of its host
     * @param localSize how many processes the host has room for
     * @throws IOException if the system cannot start it on this host, or a file for its output cannot be opened
     */
    RankProcess startLater(ProcessId child, int host, int index, int localSize) throws IOException {
        hosts.place(child, host, index, localSize);
        RankProcess process = launch(child, place(child, 0));
        ledger.isOwnToo(child);
        return process;
    }

    /**
     * Starts the spares, once in a job, however many worlds the job has. If a spare cannot be started, the user is
     * told, and the job goes on without it.
     */
    void startSpares() {
        if (haveSparesStarted) {
            return;
        }
        haveSparesStarted = true;
        for (int number = 1; number <= request.spares(); number++) {
            try {
                LaunchEnvironment place = place(null, number);
                if (!hosts.isHere(place.host().index())) {
                    meeting.sparePlaced(number, place.host().index());
                }
                RankProcess spare = processes.start(place.process(), place);
                spares.put(number, spare);
                replacements.spareStarted(number);
                hosts.started(spare, place.host().index());
                if (spare.isHere()) {
                    watch.watch(spare, request.command(null).isJava());
                    report.detail("spare " + number + " is pid " + spare.pid());
                }
            } catch (IOException e) {
                report.say("cannot start spare " + number + ": " + e.getMessage());
            }
        }
    }

    /** Handles that a spare has ended before it was given a place. */
    void spareEnded(RankProcess spare) {
        spares.remove(spare.spare());
        meeting.server().spareEnded(spare.spare());
        replacements.spareEnded(spare.spare(), System.nanoTime());
    }

    /**
     * Handles that nothing is heard from the host of a spare: no place is given to this spare any more. Its end is
     * still waited for like that of any other process.
     */
    void spareLost(int number) {
        if (spares.remove(number) != null) {
            replacements.spareEnded(number, System.nanoTime());
        }
    }

    /**
     * Notes that a host has lost its network path to another host: processes are started there only if no other host
     * can have them.
     *
     * @param host the host; -1 for the launcher's own
     */
    void avoid(int host) {
        hosts.avoid(host);
    }

    @Override
    public void announce(ProcessId next) {
        ledger.awaitsNext(next.slot());
        meeting.server().allowRestart(next);
    }

    @Override
    public void assign(int spare, ProcessId next) {
        RankProcess process = spares.remove(spare);
        int localRank = hosts.assigned(process, next);
        if (!process.isHere()) {
            meeting.assignedElsewhere(next);
        }
        processes.assign(process, next, localRank);
        ledger.started(next);
        injector.started(next, System.nanoTime());
        meeting.server().assign(spare, next);
        report.detail("spare " + spare + ", pid " + process.pid() + ", is rank " + next + " now");
    }

    @Override
    public void start(ProcessId next) {
        try {
            launch(next, place(next, 0));
            injector.started(next, System.nanoTime());
        } catch (IOException e) {
            String how = "rank " + next + " cannot be started: " + e.getMessage();
            meeting.ended(next, how);
            if (!replacements.replace(next, how, System.nanoTime())) {
                report.say(how);
            }
        }
    }

    @Override
    public void refuse(int slot, String why) {
        ledger.awaitsNoMore(slot);
        if (request.restarts() || ledger.isFormed()) {
            meeting.server().noMore(slot, why);
        }
    }

    @Override
    public void say(String line) {
        report.say(line);
    }

    private RankProcess launch(ProcessId id, LaunchEnvironment place) throws IOException {
        if (!hosts.isHere(place.host().index())) {
            meeting.placed(id, place.host().index());
        }
        RankProcess process = processes.start(id, place);
        if (request.elastic() != null) {
            process.hasNoRank();
        }
        ledger.started(id);
        hosts.started(process, place.host().index());
        if (process.isHere()) {
            early.started(process, System.nanoTime());
            watch.watch(process, request.command(process.id()).isJava());
            report.detail(process.title() + " is pid " + process.pid());
        } else {
            report.detail(process.title() + " is started on "
                    + hosts.name(place.host().index()));
        }
        return process;
    }

    private LaunchEnvironment place(ProcessId process, int spare) {
        HostPlace host = hosts.placeFor(process);
        ElasticJob elastic = request.elastic();
        return new LaunchEnvironment(
                runId,
                elastic == null ? process : null,
                elastic == null ? request.size() : elastic.max(),
                hosts.localRank(process, host.index()),
                hosts.localSize(process, host.index()),
                host,
                host.address() + ":" + meeting.server().port(),
                directory.secret(),
                directory.configuration(),
                request.maxRestarts(),
                elastic == null && binding.isToCores(),
                elastic == null
                        ? WithoutSlot.spare(spare)
                        : new WithoutSlot(Children.told(process), elastic.min(), elastic.max()));
    }
}
