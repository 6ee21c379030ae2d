package org.ulfmj.launch;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.end.ExitText;
import org.ulfmj.launch.inject.Injector;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.launch.program.MissingClass;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.replacement.Replacements;

/**
 * The consequences of the end of a process. In a running world with fault tolerance the survivors are told at once of a
 * death. The messages that the process had sent are read before another process takes its place or the user is told how
 * it ended. Used by the launcher's main thread.
 */
final class LostProcesses {
    /**
     * The reason that survivors in a running world are told when a process is found dead. It names no exit code, even
     * if the code is known by then.
     */
    static final String DEAD = "its process is dead";

    /** The exit code of a Java virtual machine that cannot load the main class. */
    private static final int JAVA_FAILED = 1;

    private final JobLedger ledger;
    private final Processes processes;
    private final Starter starter;
    private final Replacements replacements;
    private final Injector injector;
    private final Report report;
    private final LaunchRequest request;
    private final boolean isFaultTolerant;

    /** The exit codes of processes that were reaped and whose last messages are not read yet. */
    private final SortedMap<ProcessId, Integer> unheard = new TreeMap<>();

    /** The processes whose places were given or promised to spares before these processes were reaped. */
    private final Set<ProcessId> followed = new TreeSet<>();

    /** The processes whose ends were put off. */
    private final Set<ProcessId> putOff = new TreeSet<>();

    /** The exit codes of spares that ended without a place. */
    private final SortedMap<Integer, Integer> unused = new TreeMap<>();

    /** Set before any process is started. */
    private MeetingPoint meeting;

    LostProcesses(
            JobLedger ledger,
            Processes processes,
            Starter starter,
            Injector injector,
            Report report,
            LaunchRequest request) {
        this.ledger = ledger;
        this.processes = processes;
        this.starter = starter;
        this.replacements = starter.replacements();
        this.injector = injector;
        this.report = report;
        this.request = request;
        this.isFaultTolerant = request.options().isFaultTolerant();
    }

    /** Sets the meeting point through which the survivors are told. */
    void prepare(MeetingPoint point) {
        meeting = point;
    }

    /** Returns a copy of the exit codes of processes that were reaped and whose last messages are not read yet. */
    Map<ProcessId, Integer> unheard() {
        return new TreeMap<>(unheard);
    }

    /** Returns the exit codes of spares that ended without a place. */
    SortedMap<Integer, Integer> unusedSpares() {
        return unused;
    }

    /**
     * Handles that a process is dead for certain.
     *
     * @param exitCode 0 also if the code is not known yet
     */
    void died(RankProcess process, int exitCode) {
        ProcessId id = process.id();
        // While a world is still gathering, the others are told of a death only once the exit code is known: they end
        // because of it, and the code tells them why.
        if (id != null && ledger.isFormed()) {
            tellDeath(id, DEAD);
            if (exitCode != 0 && replacements.hasSpare()) {
                meeting.hearDeath(id, exitCode);
            }
        }
    }

    /**
     * Tells the survivors of a death at once, if it is news. In a running job without fault tolerance, which the
     * failure ends anyway, they are not told: their own errors would hide which process failed first.
     */
    private void tellDeath(ProcessId process, String why) {
        boolean isNews = ledger.died(process);
        if (isNews && (isFaultTolerant || !ledger.isFormed())) {
            meeting.ended(process, why);
        }
    }

    /**
     * Called when all messages of a dead process that is not reaped yet have been read. If the death is a failure and
     * there is a spare, the place is given to it as soon as the spare is ready. The spare has its memory already, so it
     * need not wait until the memory of the dead process is free, which may take half a second for a big heap.
     */
    void deathHeard(ProcessId process, int exitCode, boolean isEnding) {
        if (isLost(process, isEnding) && replacements.hasSpare() && followed.add(process)) {
            boolean hasLeft = ledger.hasLeft(process);
            String how = hasLeft ? ledger.describe(process) : ledger.title(process) + " " + ExitText.of(exitCode);
            replacements.replace(process, how, !hasLeft, System.nanoTime());
        }
    }

    /** Whether the end of a process is a failure for which another process may be started. */
    private boolean isLost(ProcessId process, boolean isEnding) {
        return isFaultTolerant && !ledger.hasFinalized(process) && !isEnding;
    }

    /**
     * Whether handling the end of this process can be put off, which is done once per process: the survivors have been
     * told of the death, and only lines for the user and news would follow, since the job starts no other processes.
     * The survivors are recovering now, and need the cores that this would take, a millisecond or two of code that has
     * not run before. Part of the news is that no process will come, for which a {@code replace()} waits in such a job.
     */
    boolean canBePutOff(RankProcess process, int exitCode, boolean isEnding) {
        ProcessId id = process.id();
        return id != null
                && exitCode != 0
                && request.elastic() == null
                && request.command(id).isJava()
                && !request.restarts()
                && ledger.isFormed()
                && ledger.isGone(id)
                && isLost(id, isEnding)
                && putOff.add(id);
    }

    /** A process was reaped. */
    void ended(RankProcess process, int exitCode, boolean isEnding) {
        ProcessId id = process.id();
        if (id != null && !request.command(id).isJava() && ledger.hasJoined(id)) {
            // The command was a script, which has ended; the rank that it started must not outlive it.
            processes.killGroup(process);
        }
        processes.ended(process);
        if (id == null) {
            spareEnded(process, exitCode, isEnding);
        } else {
            tellDeath(id, ledger.isOwn(id) ? ExitText.of(exitCode) : DEAD);
            unheard.put(id, exitCode);
            meeting.hearOut(id, exitCode);
        }
    }

    private void spareEnded(RankProcess process, int exitCode, boolean isEnding) {
        unused.put(process.spare(), exitCode);
        // A spare that is not needed any more ends with code 0. It may have been told so before the launcher knows.
        if (!isEnding && exitCode != 0) {
            report.say("spare " + process.spare() + " " + ExitText.of(exitCode) + " before it was needed");
        }
        starter.spareEnded(process);
    }

    /**
     * Acts on the end of a reaped process once all its messages have been read. Returns why the job must end; null if
     * it goes on.
     *
     * @param ending why the job is being ended before its time; null if it is not
     */
    EndReason heardOut(ProcessId process, int exitCode, boolean isEnding, EndReason ending) {
        if (unheard.remove(process) == null) {
            return null;
        }
        EndReason reason = ledger.ended(process, exitCode);
        if (!isFaultTolerant && ledger.hasFinalized(process)) {
            meeting.departed(process);
        }
        if (followed.contains(process)) {
            return null;
        }
        if (request.elastic() != null) {
            if (reason == null && ledger.isOwn(process)) {
                tellEnd(process, exitCode, isEnding);
            }
            return reason;
        }
        boolean hasLeft = ledger.hasLeft(process);
        boolean isLost = isLost(process, isEnding);
        boolean isToBeReplaced = isLost && (exitCode != 0 || hasLeft);
        boolean isReplaceable = hasLeft ? replacements.canReplaceUncounted() : replacements.canReplace(process.slot());
        String hopeless = isToBeReplaced && isReplaceable ? whyHopeless(process, exitCode) : null;
        if (hopeless != null) {
            report.say("rank " + process.slot() + " is not started again: " + hopeless);
            replacements.giveUp(process.slot(), hopeless);
        } else if (isToBeReplaced && isReplaceable) {
            replacements.replace(process, ledger.describe(process), !hasLeft, System.nanoTime());
            return null;
        }
        boolean isExplained = ending != null && ending.explains(exitCode, !ledger.isEndedByLauncher(process));
        if (reason == null && (hasLeft || !isExplained)) {
            tellEnd(process, exitCode, isEnding);
        }
        if (isToBeReplaced && hopeless == null) {
            replacements.replace(process, ledger.describe(process), !hasLeft, System.nanoTime());
        } else if (isLost && hopeless == null) {
            replacements.giveUp(process.slot(), "it ended by itself, with code 0");
        }
        return reason;
    }

    /**
     * Returns why every other process of this command would end in the same way, without joining; null if that is not
     * known. It is decided only for the first process of a slot: once such a process has joined, the main class was
     * there, and may be there again.
     */
    private String whyHopeless(ProcessId process, int exitCode) {
        boolean isLikely = exitCode == JAVA_FAILED
                && process.incarnation() == 0
                && !ledger.hasJoined(process)
                && request.hosts() == null;
        return isLikely ? MissingClass.sentence(request.command(process), System.getenv()) : null;
    }

    private void tellEnd(ProcessId process, int exitCode, boolean isEnding) {
        boolean isEarly = ledger.isFormed() && !ledger.hasFinalized(process);
        boolean isNewcomer = ledger.isFormed() && !ledger.isMember(process);
        if (isNewcomer && exitCode == 0 || injector.hasKilled(process) || exitCode == 0 && !isEarly) {
            return;
        }
        String when = isNewcomer ? " before the others took it in" : " before MPI.Finalize";
        report.say(ledger.describe(process)
                + (isEarly && !ledger.hasLeft(process) ? when : "")
                + (isEarly && !isNewcomer && !isEnding && !ledger.haveAllEnded() ? "; the others go on" : ""));
    }
}
