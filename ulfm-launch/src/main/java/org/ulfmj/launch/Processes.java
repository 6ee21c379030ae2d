package org.ulfmj.launch;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ulfmj.launch.agent.Agents;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.command.StreamOptions;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.event.JobEvents;
import org.ulfmj.launch.hosts.JobHostNames;
import org.ulfmj.launch.inject.Injector;
import org.ulfmj.launch.output.LineSink;
import org.ulfmj.launch.output.OutputForwarder;
import org.ulfmj.launch.output.RankStreams;
import org.ulfmj.launch.process.Binding;
import org.ulfmj.launch.process.ForeignProcess;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.launch.process.Remote;
import org.ulfmj.launch.process.SharedInput;
import org.ulfmj.launch.process.SignalSender;
import org.ulfmj.launch.process.StackDumpNotice;
import org.ulfmj.launch.process.WholeStream;
import org.ulfmj.launch.program.StartCommand;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.inject.HostChoice;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.transport.host.ProcessStat;

/** The running processes of a job, spares among them, and the threads that forward their output. Used by one thread. */
final class Processes implements WaitSurvey.States, Injector.Executioner {
    private final LaunchRequest request;
    private final Binding binding;
    private final LineSink out;
    private final LineSink err;
    private final JobEvents events;
    /** Null if the user has set no option about the processes' streams. */
    private final RankStreams streams;

    private final Set<RankProcess> running = new LinkedHashSet<>();
    private final List<Forwarding> forwardings = new ArrayList<>();
    /** Set before any process is started. */
    private MeetingPoint meeting;

    /** Null in a job on one host. */
    private Agents agents;

    /** @param events take {@link JobEvent.DumpedStacks} */
    Processes(LaunchRequest request, Binding binding, LineSink out, LineSink err, JobEvents events) {
        this.events = events;
        this.request = request;
        this.binding = binding;
        this.out = out;
        this.err = err;
        this.streams = request.streams() == null ? null : new RankStreams(request.streams(), out, err, events);
    }

    /** Returns the handling of the streams that the user wants; null if the user has set no option about them. */
    RankStreams streams() {
        return streams;
    }

    /**
     * Starts a process on its host.
     *
     * @param id by which the launcher knows the process; null for a spare
     * @throws IOException if the system cannot start it on this host, or a file for its output cannot be opened
     */
    RankProcess start(ProcessId id, LaunchEnvironment place) throws IOException {
        return start(id, place, Map.of());
    }

    /**
     * As the other method, with more environment variables.
     *
     * @param more variables for the process
     */
    RankProcess start(ProcessId id, LaunchEnvironment place, Map<String, String> more) throws IOException {
        Map<String, String> added = new TreeMap<>(more);
        added.put("ULFM_FT", request.options().isFaultTolerant() ? "ulfm" : "none");
        if (request.extras() != null && request.extras().hasTorchNames()) {
            place.writeTorchNamesTo(added);
        }
        if (streams != null) {
            streams.open(id, place.spare());
        }
        RankProcess process = isHere(place) ? startHere(id, place, added) : startElsewhere(id, place, added);
        running.add(process);
        if (streams != null) {
            streams.started(process);
        }
        StackDumpNotice notice = new StackDumpNotice(events.putting(new JobEvent.DumpedStacks(process)));
        forward(process, process.process().getInputStream(), notice);
        if (streams == null || !streams.options().isMerged()) {
            forward(process, process.process().getErrorStream(), null);
        }
        return process;
    }

    private boolean isHere(LaunchEnvironment place) {
        return agents == null || agents.isHere(place.host().index());
    }

    private RankProcess startHere(ProcessId id, LaunchEnvironment place, Map<String, String> added) throws IOException {
        StartCommand command = request.command(id);
        Map<String, String> environment = new TreeMap<>(command.environment());
        place.writeTo(environment);
        environment.putAll(added);
        List<String> words = binding.words(command, id == null ? -1 : place.localRank());
        return RankProcess.start(id, place.spare(), words, environment, command.directory(), request.streams());
    }

    private RankProcess startElsewhere(ProcessId id, LaunchEnvironment place, Map<String, String> added) {
        RankProcess process = agents.start(
                place.host().index(), id, place.spare(), place.localRank(), request.commandIndex(id), added);
        int reader = streams == null ? 0 : streams.options().reader();
        if (reader != StreamOptions.ALL && RankProcess.isReader(id, reader)) {
            SharedInput input = new SharedInput();
            input.add(process.process().getOutputStream());
            input.start();
        }
        return process;
    }

    /** Adds a process that another launcher has started to the running processes of the job. */
    void add(RankProcess foreign) {
        running.add(foreign);
    }

    /** Gives a spare its place, and binds it to the cores of that place if ranks are bound. */
    void assign(RankProcess spare, ProcessId place, int localRank) {
        spare.assign(place);
        if (streams != null) {
            streams.assigned(spare);
        }
        if (spare.isHere()) {
            binding.bind(spare.pid(), localRank);
        } else {
            agents.assigned(spare, localRank);
        }
    }

    /**
     * Returns the running processes of the job: those that this launcher has started, spares without a place among
     * them, and those of other launchers that have joined.
     */
    Collection<RankProcess> running() {
        return Collections.unmodifiableCollection(running);
    }

    /** Returns the running process that the launcher knows by this id; null if none runs. */
    RankProcess find(ProcessId id) {
        for (RankProcess process : running) {
            if (id.equals(process.id())) {
                return process;
            }
        }
        return null;
    }

    /** Returns the running spare with this number that has no place; null if there is none. */
    RankProcess findSpare(int number) {
        for (RankProcess process : running) {
            if (process.id() == null && process.spare() == number) {
                return process;
            }
        }
        return null;
    }

    /**
     * Returns the state letter of a process, as {@link ProcessStat#state}; {@link ProcessStat#GONE} if it does not run.
     * For a process on another host, it is the letter that the agent has reported last, R before the first report.
     */
    @Override
    public char of(ProcessId id) {
        RankProcess process = find(id);
        if (process != null && process.process() instanceof Remote remote) {
            return remote.state();
        }
        ProcessStat stat = process == null ? null : ProcessStat.of(process.pid());
        return stat == null ? ProcessStat.GONE : stat.state();
    }

    /** Removes a process that was reaped, whose pid may belong to another process by now. */
    void ended(RankProcess process) {
        running.remove(process);
    }

    /** Removes a process that does not end or cannot be reaped, so that it is not waited for any more. */
    void giveUp(RankProcess process) {
        running.remove(process);
    }

    /** Whether no running process is left that must be waited for. */
    boolean isEmpty() {
        return running.isEmpty();
    }

    /** Sends SIGKILL to a process; returns its pid, or 0 if it has ended. */
    @Override
    public long kill(ProcessId id) {
        RankProcess process = find(id);
        if (process == null || process.hasEnded()) {
            return 0;
        }
        kill(process);
        return process.pid();
    }

    /**
     * Sends a signal to a process, or to its whole process group if the command is a script. Returns the process's pid,
     * or 0 if it has ended.
     */
    @Override
    public long signal(ProcessId id, String name) {
        RankProcess process = find(id);
        if (process == null || process.hasEnded()) {
            return 0;
        }
        if (request.command(id).isJava()) {
            SignalSender.sendAlone(name, List.of(process));
        } else {
            SignalSender.sendToGroups(name, List.of(process));
        }
        return process.pid();
    }

    @Override
    public void killLauncher() {
        SignalSender.sendTo("KILL", List.of(ProcessHandle.current().pid()));
    }

    @Override
    public void killAgents(HostChoice hosts) {
        for (String host : hosts.groups().get(0).hosts()) {
            agents.kill(JobHostNames.indexOf(host));
        }
    }

    @Override
    public void partition(HostChoice hosts, long durationNs) {
        agents.partition(hosts, durationNs);
    }

    @Override
    public void pauseStore(long durationNs) {
        meeting.server().pause(durationNs);
    }

    /**
     * Sets the meeting point, whose store a fault plan may pause, and the agents.
     *
     * @param ofOtherHosts the agents; null in a job on one host
     */
    void prepare(MeetingPoint point, Agents ofOtherHosts) {
        meeting = point;
        agents = ofOtherHosts;
    }

    /** Sends SIGKILL to a process. If the command is a script, its process group is killed too. */
    void kill(RankProcess process) {
        process.kill();
        if (!request.command(process.id()).isJava()) {
            // If the command is a script, the rank itself is a process that the script has started in its group.
            SignalSender.sendToGroups("KILL", List.of(process));
        }
    }

    /** Sends SIGKILL to the process group that the process has led, if any; it holds its children. */
    void killGroup(RankProcess process) {
        if (process.leadsGroup()) {
            SignalSender.sendToGroups("KILL", List.of(process));
        }
    }

    /**
     * Sends a signal to all running processes of the job, on other hosts too, and to the children in their process
     * groups.
     */
    void signal(String name) {
        SignalSender.sendToGroups(name, running);
    }

    /**
     * Sends SIGTERM to all running processes that this launcher has started, and to the children in their process
     * groups.
     */
    void terminateOwn() {
        List<RankProcess> own = new ArrayList<>(running);
        own.removeIf(process -> process.process() instanceof ForeignProcess);
        SignalSender.sendToGroups("TERM", own);
    }

    /**
     * Makes the Java virtual machines print the stacks of their threads, by SIGQUIT. Processes that are no virtual
     * machine do not get the signal, which would end them.
     *
     * @param isOfScripts whether virtual machines that scripts have started get the signal too
     */
    void dumpStacks(boolean isOfScripts) {
        List<Long> machines = new ArrayList<>();
        for (RankProcess process : running) {
            if (process.hasEnded()) {
                continue; // its number may be another process's by now
            }
            if (request.command(process.id()).isJava()) {
                if (process.process() instanceof Remote remote) {
                    remote.signal("QUIT", false);
                } else {
                    machines.add(process.pid());
                }
            } else if (isOfScripts) {
                process.process()
                        .descendants()
                        .filter(each -> each.info().command().orElse("").endsWith("/java"))
                        .forEach(each -> machines.add(each.pid()));
            }
        }
        SignalSender.sendTo("QUIT", machines);
    }

    /**
     * Whether the output of the processes has been forwarded.
     *
     * @param idleSinceNs a stream that has had no output since this time counts as ended, since children of the process
     *     may hold it open; {@link Long#MIN_VALUE} if every stream must really end
     */
    boolean isOutputWritten(long idleSinceNs) {
        for (Forwarding forwarding : forwardings) {
            boolean isIdle =
                    idleSinceNs != Long.MIN_VALUE && forwarding.forwarder().hasBeenIdleSince(idleSinceNs);
            if (forwarding.thread().isAlive() && !isIdle) {
                return false;
            }
        }
        return true;
    }

    /**
     * Forwards one output stream of a process on a separate thread.
     *
     * @param notice watches the stream if it is stdout; null for stderr
     */
    private void forward(RankProcess process, InputStream stream, StackDumpNotice notice) {
        boolean isOut = notice != null;
        String name = isOut ? "stdout" : "stderr";
        LineSink own = isOut ? out : err;
        LineSink sink = streams == null ? own : streams.sink(process, isOut);
        OutputForwarder forwarder = new OutputForwarder(
                isOut ? notice.watch(stream) : stream,
                sink,
                streams == null ? null : streams.words(process, name),
                process.process());
        Thread thread = new Thread(
                process.isHere() ? new WholeStream(stream, forwarder) : forwarder, name + "-" + process.name());
        thread.setDaemon(true);
        thread.start();
        forwardings.add(new Forwarding(forwarder, thread));
    }

    private record Forwarding(OutputForwarder forwarder, Thread thread) {}
}
