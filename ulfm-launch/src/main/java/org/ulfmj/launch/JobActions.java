package org.ulfmj.launch;

import java.util.List;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.end.ExitPolicy;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.event.JobEvents;
import org.ulfmj.launch.host.DeathWatch;
import org.ulfmj.launch.host.EarlyBinding;
import org.ulfmj.launch.inject.HostWords;
import org.ulfmj.launch.inject.Injection;
import org.ulfmj.launch.inject.Injector;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.waits.RankView;

/** The actions of a job at each of its events. Used by the launcher's main thread. */
final class JobActions implements JobEvent.Handler, HangWatch.Outcomes {
    /**
     * The actions of a job on its other hosts. Not a lambda, since the first lambda would cost a starting launcher
     * time.
     */
    interface Hosts extends HostWords {
        /**
         * Starts the processes of the job; called once every other host has an agent.
         *
         * @param address the launcher's address at which agents reach it
         */
        void startOnHosts(String address);

        /** Cuts off the processes and agents of other hosts: nothing more is said to them. */
        void partFromOtherHosts();
    }

    private final LaunchRequest request;
    private final JobEvents events;
    private final Report report;
    private final JobLedger ledger;
    private final Processes processes;
    private final Injection injection;
    private final Injector injector;
    private final DeathWatch watch;
    private final EarlyBinding early;
    private final Starter starter;
    private final LostProcesses losses;
    /** Null in a job on one host. */
    private final LostHosts lostHosts;

    /** Null in a static job. */
    private final Joiners joiners;

    /** Starts and ends processes as slots are discovered and lost; null in a job whose slots are not discovered. */
    private final SlotKeeper slots;

    private final Verdicts verdicts;
    private final WaitSurvey survey;
    private final Suspension suspension;
    private final FinalOutput finalOutput;
    private final JobEnd end;
    private final Hosts hosts;

    /** The watch for hung ranks; null unless the job has a limit after which a program counts as hung. */
    private HangWatch hangs;

    /** Set before any process is started. */
    private MeetingPoint meeting;

    JobActions(JobParts parts, Hosts hosts) {
        this.request = parts.request();
        this.events = parts.events();
        this.report = parts.report();
        this.ledger = parts.ledger();
        this.processes = parts.processes();
        this.injection = parts.injection();
        this.injector = parts.injection().injector();
        this.watch = parts.watch();
        this.early = parts.early();
        this.starter = parts.starter();
        this.losses = parts.losses();
        this.lostHosts = parts.lostHosts();
        this.joiners = parts.joiners();
        this.slots = parts.slots();
        this.verdicts = parts.verdicts();
        this.survey = parts.survey();
        this.suspension = parts.suspension();
        this.finalOutput = parts.finalOutput();
        this.end = parts.end();
        this.hosts = hosts;
    }

    /** @param watchForHangs the watch for hung ranks; null if the job has none */
    void prepare(MeetingPoint point, HangWatch watchForHangs) {
        meeting = point;
        hangs = watchForHangs;
    }

    private void heardOut(ProcessId process, int exitCode) {
        end.decideIf(losses.heardOut(process, exitCode, end.isUnderWay(), end.reason()));
        if (joiners != null) {
            joiners.joined(meeting);
        }
        if (slots != null) {
            slots.ended(process);
        }
    }

    @Override
    public void onHostsReady(JobEvent.HostsReady ready) {
        if (!end.isUnderWay()) {
            report.detail("all hosts have agents");
            hosts.startOnHosts(ready.address());
        }
    }

    @Override
    public void onHostFailed(JobEvent.HostFailed failed) {
        String message = "host " + failed.host() + ": " + failed.why();
        end.decide(new EndReason(EndReason.Kind.LAUNCHER, ExitPolicy.LAUNCHER_FAILED, message));
    }

    @Override
    public void onHostUsable(JobEvent.HostUsable usable) {
        if (!end.isUnderWay()) {
            starter.isReachedAt(usable.address());
            end.decideIf(slots.onUsable(System.nanoTime()));
        }
    }

    @Override
    public void onHostUnusable(JobEvent.HostUnusable unusable) {
        if (!end.isUnderWay()) {
            slots.onUnusable(unusable.host(), unusable.why());
        }
    }

    @Override
    public void onNotStarted(JobEvent.NotStarted not) {
        if (slots != null) {
            // A discovered host may turn out to be unusable; the number of processes that are left decides whether the
            // world can begin.
            ledger.notStarted(not.process().id());
        }
        String message = "cannot start " + not.process().title() + " on " + not.host() + ": " + not.why();
        if (ledger.isFormed() || slots != null) {
            report.say(message);
        } else {
            end.decide(new EndReason(EndReason.Kind.LAUNCHER, UsageException.NOT_EXECUTABLE, message));
        }
    }

    @Override
    public void onHostNotice(JobEvent.HostNotice notice) {
        report.say(notice.line());
    }

    @Override
    public void onHostLost(JobEvent.HostLost lost) {
        lostHosts.lost(lost.host(), lost.processes());
    }

    @Override
    public void onMinority(JobEvent.Minority minority) {
        if (!end.isDecided()) {
            hosts.partFromOtherHosts();
            end.decide(EndReason.minority(minority.reached(), minority.members()));
        }
    }

    @Override
    public void onHostCutOff(JobEvent.HostCutOff cutOff) {
        starter.avoid(cutOff.host());
        lostHosts.cutOff(cutOff.host());
    }

    @Override
    public void onLeaseOver(JobEvent.LeaseOver over) {
        lostHosts.leaseOver(over.process(), meeting);
    }

    @Override
    public void onAgentSilent(JobEvent.AgentSilent silent) {
        lostHosts.agentSilent(silent, meeting);
    }

    @Override
    public void onCoreWaitsAsked(JobEvent.CoreWaitsAsked asked) {
        lostHosts.askCoreWaits(asked.process(), asked.pid(), asked.question(), meeting);
    }

    @Override
    public void onDied(JobEvent.Died died) {
        report.detail(died.process().title() + " is dead");
        injection.died(died.process());
        losses.died(died.process(), died.exitCode());
    }

    @Override
    public void onDeathHeard(JobEvent.DeathHeard heard) {
        losses.deathHeard(heard.process(), heard.exitCode(), end.isUnderWay());
    }

    @Override
    public void onEnded(JobEvent.Ended ended) {
        injection.died(ended.process());
        if (losses.canBePutOff(ended.process(), ended.exitCode(), end.isUnderWay())) {
            events.putOff(ended);
            return;
        }
        losses.ended(ended.process(), ended.exitCode(), end.isUnderWay());
    }

    @Override
    public void onHeardOut(JobEvent.HeardOut heardOut) {
        heardOut(heardOut.process(), heardOut.exitCode());
    }

    @Override
    public void onJoined(JobEvent.Joined joined) {
        report.detail(ledger.title(joined.process()) + " joined");
        injector.joined(joined.process(), System.nanoTime());
        end.decideIf(ledger.joined(joined.process()));
        if (joiners != null) {
            joiners.joined(meeting);
        }
    }

    @Override
    public void onAllJoined(JobEvent.AllJoined event) {
        report.detail("all ranks joined");
        if (ledger.hasWorldGone()) {
            report.say("all ranks had died; the program has begun anew with those that were started again");
        }
        ledger.formed();
        early.formed(System.nanoTime());
        watch.rehearse(meeting.server()::rehearseDeath);
        injector.start(System.nanoTime());
        if (!end.isUnderWay()) {
            starter.startSpares();
        }
    }

    @Override
    public void onSpareReady(JobEvent.SpareReady ready) {
        report.detail("spare " + ready.spare() + " is ready");
        starter.replacements().spareReady(ready.spare());
    }

    @Override
    public void onCommitted(JobEvent.Committed committed) {
        report.detail("rank " + committed.from() + " says the world is " + committed.members() + " in epoch "
                + committed.epoch());
        ledger.committed(committed.epoch(), committed.members());
    }

    @Override
    public void onArrived(JobEvent.Arrived arrived) {
        joiners.arrived(arrived.child(), arrived.process());
    }

    @Override
    public void onMembersAre(JobEvent.MembersAre members) {
        joiners.membersAre(members);
    }

    @Override
    public void onSlotsFound(JobEvent.SlotsFound found) {
        if (!end.isUnderWay()) {
            end.decideIf(slots.onFound(found.hosts(), System.nanoTime()));
        }
    }

    @Override
    public void onNotDiscovered(JobEvent.NotDiscovered not) {
        if (!end.isUnderWay()) {
            slots.onFailed(not.failure());
        }
    }

    @Override
    public void onWorldGone(JobEvent.WorldGone event) {
        report.detail("all ranks have died");
        ledger.worldGone();
    }

    @Override
    public void onFinalized(JobEvent.Finalized finalized) {
        report.detail(
                ledger.title(finalized.process()) + " finalized, holding for failed " + finalized.heldForFailed());
        ledger.finalized(finalized.process(), finalized.heldForFailed());
    }

    @Override
    public void onLeft(JobEvent.Left left) {
        report.detail(ledger.title(left.process()) + " leaves: " + left.why());
        ledger.left(left.process(), left.why());
    }

    @Override
    public void onReached(JobEvent.Reached reached) {
        injector.reached(reached.process(), reached.kill(), System.nanoTime());
    }

    @Override
    public void onAborted(JobEvent.Aborted aborted) {
        String message = ledger.title(aborted.process()) + " called abort with code " + aborted.code();
        end.decide(new EndReason(EndReason.Kind.ABORT, aborted.code(), message));
        meeting.abort(aborted.code(), message);
    }

    @Override
    public void onSuspected(JobEvent.Suspected suspected) {
        report.detail(ledger.title(suspected.from()) + " hears nothing of " + ledger.title(suspected.about()));
    }

    @Override
    public void onSilent(JobEvent.Silent silent) {
        RankProcess process = processes.find(silent.process());
        if (process == null && lostHosts != null) {
            lostHosts.endPresumed(silent.process());
        }
        verdicts.silent(process, silent.reason());
    }

    @Override
    public void onGivenUp(JobEvent.GivenUp givenUp) {
        verdicts.givenUp(processes.find(givenUp.process()), givenUp.reason());
        if (request.elastic() == null) {
            starter.replacements().replaceOnProof(givenUp.process().slot());
        }
    }

    @Override
    public void onUnreaped(JobEvent.Unreaped unreaped) {
        verdicts.unreaped(unreaped.process());
    }

    @Override
    public void onSpareSilent(JobEvent.SpareSilent silent) {
        verdicts.silent(processes.findSpare(silent.spare()), silent.reason());
    }

    @Override
    public void onSpareGivenUp(JobEvent.SpareGivenUp givenUp) {
        verdicts.givenUp(processes.findSpare(givenUp.spare()), givenUp.reason());
    }

    @Override
    public void onFenced(JobEvent.Fenced fenced) {
        report.say(ledger.title(fenced.process()) + " must end: " + fenced.why());
    }

    @Override
    public void onWaitsTold(JobEvent.WaitsTold told) {
        survey.told(told.process(), told.request(), told.report());
        if (hangs != null) {
            hangs.told(told, System.nanoTime());
        }
    }

    @Override
    public void onFellSilent(JobEvent.FellSilent silent) {
        if (hangs != null && !end.isUnderWay()) {
            hangs.fellSilent(meeting, System.nanoTime());
        }
    }

    @Override
    public void tell(String line) {
        report.say(line);
    }

    @Override
    public void fail(ProcessId process, String why) {
        if (!end.isUnderWay()) {
            ProcessId key = ledger.ofRank(process);
            verdicts.silent(key == null ? null : processes.find(key), why);
        }
    }

    @Override
    public void endJob(EndReason reason, String title, List<RankView> views) {
        if (!end.isUnderWay()) {
            end.decide(reason);
            report.waits(title, views);
        }
    }

    @Override
    public void onDumpedStacks(JobEvent.DumpedStacks dumped) {
        if (!end.isUnderWay() && dumped.process().id() != null) {
            survey.ask(dumped.process().id(), meeting, System.nanoTime());
        }
    }

    @Override
    public void onAskedForWaits(JobEvent.AskedForWaits event) {
        survey.askAll(meeting, System.nanoTime());
    }

    @Override
    public void onNotFormed(JobEvent.NotFormed event) {
        if (ledger.isFormed()) {
            return;
        }
        ledger.toldToEnd();
        // If a process has just died, its exit code will come and says more than this event. This does not apply if all
        // members have died before.
        if (!ledger.hasAnybodyDied() || ledger.hasWorldGone()) {
            end.decide(EndReason.notFormed(event.why()));
        }
    }

    @Override
    public void onStranger(JobEvent.Stranger stranger) {
        report.say("a process that does not know this job's secret calls and was cut off (" + stranger.why()
                + "); further calls of this kind will not be told");
    }

    @Override
    public void onMeetingBroken(JobEvent.MeetingBroken broken) {
        String message = "the rendezvous is broken: " + broken.cause();
        end.decide(new EndReason(EndReason.Kind.LAUNCHER, ExitPolicy.LAUNCHER_FAILED, message));
        losses.unheard().forEach(this::heardOut);
    }

    @Override
    public void onSignalled(JobEvent.Signalled signalled) {
        if (!end.isDecided()) {
            end.decide(EndReason.signalled(signalled.name()));
        } else {
            end.hurry();
            finalOutput.cutShort();
        }
    }

    @Override
    public void onNoticed(JobEvent.Noticed noticed) {
        if (request.extras() != null && !request.extras().signals().contains(noticed.name())) {
            report.say("got SIG" + noticed.name() + ", which is not passed on to the processes (--forward-signals"
                    + " none); the job goes on");
        } else {
            new SignalPassing(request, processes, ledger, meeting, report).pass(noticed.name());
        }
    }

    @Override
    public void onStopAsked(JobEvent.StopAsked asked) {
        suspension.stop(asked.continued());
    }

    @Override
    public void onContinued(JobEvent.Continued event) {
        suspension.goOn();
    }

    @Override
    public void onOutputLost(JobEvent.OutputLost lost) {
        end.decide(lost.reason());
    }
}
