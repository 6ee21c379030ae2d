package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ulfmj.launch.command.BindTo;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.launch.program.OwnOptions;
import org.ulfmj.launch.program.StartCommand;

/**
 * The archive from which processes of a job start: a cache with profiles if there is one that fits, else the class data
 * archive. Without either only speed is lost.
 */
public final class JobArchive {
    /** Options about archives; where a user gives one of them for a command, the launcher chooses no archive. */
    private static final List<String> OWN_ARCHIVES = List.of(
            "-Xshare",
            "-XX:SharedArchiveFile",
            "-XX:ArchiveClassesAtExit",
            "-XX:AOT",
            "-XX:SharedClassListFile",
            "-XX:DumpLoadedClassList");

    private final StartCommand command;
    private final OwnOptions own;
    private final Installation ours;
    private final Class<?> launcher;
    /** Null if the job can use no archive. */
    private final ArchiveKey key;
    /** Null if the job can use no cache with profiles. */
    private final AotCache cache;

    private JobArchive(OwnOptions own, Installation ours, Class<?> launcher, ArchiveKey key, AotCache cache) {
        this.command = own.command();
        this.own = own;
        this.ours = ours;
        this.launcher = launcher;
        this.key = key;
        this.cache = cache;
    }

    /**
     * Chooses the archive for the processes that run one of the job's commands.
     *
     * @param command one of the commands of the job
     * @param launcher the class whose main method runs the jobs from which archives are made
     * @param environment the environment variables of the launcher
     */
    public static JobArchive choose(
            LaunchRequest request,
            StartCommand command,
            Installation ours,
            Class<?> launcher,
            Map<String, String> environment) {
        OwnOptions own = new OwnOptions(command, environment);
        ArchiveKey key = key(request, ours, own);
        AotCache cache = key == null ? null : cache(key, request.bindTo(), own);
        return new JobArchive(own, ours, launcher, key, cache);
    }

    /** Returns the user's directory of archives, which need not exist; null if there is none. */
    public static Path directory(Map<String, String> environment) {
        return ArchiveKey.directory(environment);
    }

    private static ArchiveKey key(LaunchRequest request, Installation ours, OwnOptions own) {
        if (!request.options().useClassArchive() || !own.command().isJava() || own.isAny(OWN_ARCHIVES)) {
            return null;
        }
        try {
            List<String> words = own.command().words();
            ArchiveKey key = ArchiveKey.of(Path.of(words.get(0)), ours.jar(), own.environment());
            return key != null && key.isFirstIn(words) ? key : null;
        } catch (IOException noneThen) {
            return null;
        }
    }

    private static AotCache cache(ArchiveKey key, BindTo bindTo, OwnOptions own) {
        if (key.feature() < AotCache.FIRST_WITH_PROFILES
                || bindTo.compareTo(BindTo.HWTHREAD) > 0 && bindTo.compareTo(BindTo.NONE) < 0) {
            // The launcher does not know how many processors a rank will see that is bound to a list of processors, a
            // socket, a memory node or a cache.
            return null;
        }
        List<String> words = own.command().words();
        List<String> options = words.subList(1, words.indexOf("-cp"));
        int processors = bindTo == BindTo.CORE || bindTo == BindTo.HWTHREAD
                ? 1
                : Runtime.getRuntime().availableProcessors();
        MachineShape shape = MachineShape.of(options, own.inVariables(), processors);
        return shape == null ? null : new AotCache(key, shape);
    }

    /**
     * Returns the command, changed so that it starts from the archive; unchanged if no archive can be used. The class
     * data archive is made now if it is needed and does not exist.
     */
    public StartCommand command() {
        try {
            if (cache != null && cache.isUsable()) {
                return command.withJavaOptions(cache.options());
            }
            if (key != null && !ClassDataArchive.isRefusedBy(own)) {
                ClassDataArchive classData = new ClassDataArchive(key, launcher);
                return classData.isUsable(ours) ? command.withJavaOptions(classData.options()) : command;
            }
        } catch (IOException nothingButSpeedIsLost) {
            // The processes start without an archive.
        }
        return command;
    }

    /**
     * Starts a process that makes the cache with profiles, if it is missing. Called after a job that ended with exit
     * code 0.
     */
    public void afterGoodEnd() {
        try {
            if (cache != null && cache.isMissing()) {
                AotMaker.start(key, cache.shape(), ours, launcher.getName());
            }
        } catch (IOException nothingButSpeedIsLost) {
            // The next job tries again.
        }
    }
}
