package org.ulfmj.launch.command;

import java.util.List;

/**
 * Options of other launchers that this launcher does not have, each with advice on what to write instead. For these
 * options, to propose our option with the most similar name would not help the user.
 */
final class ForeignOptions {
    /**
     * The known options of other launchers. Each entry has the option's names with spaces between them, a tilde, and
     * the advice.
     */
    static final List<String> ALL = List.of(
            "--display -display --display-allocation --display-devel-map --display-topo ~ leave it out; --set ulfm.verbose=1 says when ranks join and end",
            "--xml ~ leave it out; --tag-output begins each line with its rank",
            "--log-dir -r --redirects -t ~ write --output-filename DIR, and --tee",
            "--ompi-server --report-events ~ leave it out; --report-pid FILE writes the pid of mpiexec",
            "-machines ~ write --hostfile FILE",
            "-genvuser ~ leave it out; the processes have the whole environment of mpiexec",
            "--path -path ~ write -x PATH=...",
            "--prefix -prefix --noprefix ~ leave it out; mpiexec uses the installation that it belongs to",
            "--use-hwthread-cpus --cpus-per-proc --cpus-per-rank --cpus-per-node --cpu-set --cpu-list -cpu-bind --cpu-bind -bindto --bind-to-core --bind-to-socket --bycore ~ write --bind-to core, or start mpiexec by taskset",
            "--pernode -pernode ~ write -N 1",
            "--nooversubscribe -nooversubscribe ~ leave it out; ranks may exceed cores, and hosts have no more processes than slots anyway",
            "-wd ~ write --wd DIR",
            "--n --ntasks -ntasks --tasks --num-procs ~ write -n N",
            "--launch-agent -rmk -iface ~ leave it out; --launcher says how other hosts are reached",
            "--plm-rsh-agent ~ write --launcher-exec CMD",
            "--spawn-timeout ~ write --set ulfm.rdzv.join=TIME, the time in which all ranks must join",
            "-prepend-pattern --prepend-pattern -ordered-output ~ write --tag-output, which begins each line with its rank",
            "--tune -tune ~ write its parameters as --mca NAME VALUE, or options as --set NAME=VALUE",
            "--omca --prtemca --pmca --pmixmca --gomca --gprtemca ~ write --mca NAME VALUE",
            "--debug -debug --tv -tv -gdb ~ write --set ulfm.fd.timeout=24h and attach a debugger to a rank, whose pid --set ulfm.verbose=1 says",
            "--xterm -xterm ~ start a terminal instead: xterm -e PROGRAM",
            "--rtos --runtime-options --continuous --personality --show-progress ~ leave it out; --enable-recovery and --max-restarts say what a failure does",
            "--stop-on-exec --stop-in-init --stop-in-app ~ leave it out; --inject says where ranks are to be killed",
            "-i ~ leave it out; rank 0 reads stdin",
            "--exit-timeout ~ write --set ulfm.grace=TIME, the time from SIGTERM to SIGKILL",
            "--preload-files --preload-binary --preload-files-dest-dir ~ leave it out, and copy the files to the other hosts before",
            "-print-rank-map ~ write --tag-output");

    private static final List<String> OF_JAVA = List.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-jar",
            "-ea",
            "-da",
            "--module-path",
            "--module",
            "--add-modules",
            "--add-opens",
            "--add-exports",
            "--enable-preview");

    private ForeignOptions() {}

    /** Whether an option, which mpiexec does not know, is an option of the command {@code java}. */
    static boolean isOfJava(String name) {
        return OF_JAVA.contains(name)
                || name.startsWith("-D")
                || name.startsWith("-X")
                || name.startsWith("-javaagent:")
                || name.startsWith("-agentlib:");
    }

    /**
     * The advice on what to write instead of an option of another launcher; null if no launcher is known to have this
     * option.
     */
    static String advice(String name) {
        for (String line : ALL) {
            int tilde = line.indexOf(" ~ ");
            if (List.of(line.substring(0, tilde).split(" ")).contains(name)) {
                return line.substring(tilde + 3);
            }
        }
        return null;
    }
}
