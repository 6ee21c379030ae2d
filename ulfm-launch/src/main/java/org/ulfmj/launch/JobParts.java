package org.ulfmj.launch;

import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.event.JobEvents;
import org.ulfmj.launch.host.DeathWatch;
import org.ulfmj.launch.host.EarlyBinding;
import org.ulfmj.launch.inject.Injection;
import org.ulfmj.launch.output.Report;

/**
 * The parts of a job that {@link JobActions} brings together.
 *
 * @param lostHosts null in a job on one host
 * @param joiners null in a static job
 * @param slots null in a job whose slots are not discovered
 */
record JobParts(
        LaunchRequest request,
        JobEvents events,
        Report report,
        JobLedger ledger,
        Processes processes,
        Injection injection,
        DeathWatch watch,
        EarlyBinding early,
        Starter starter,
        LostProcesses losses,
        LostHosts lostHosts,
        Joiners joiners,
        SlotKeeper slots,
        Verdicts verdicts,
        WaitSurvey survey,
        Suspension suspension,
        FinalOutput finalOutput,
        JobEnd end) {}
