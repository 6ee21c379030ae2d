package org.ulfmj.launch.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.command.Given;
import org.ulfmj.command.UsageException;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.embed.RendezvousUrl;
import org.ulfmj.rendezvous.etcd.EtcdBackend;

/** Reads {@code --rdzv}: a job whose coordinator is elected in etcd, so that it survives the end of its mpiexec. */
public final class Coordination {
    private static final String QUORUM = "ulfm.ft.quorum";
    private static final String MAJORITY = "majority";
    private static final String ORPHANS = "ulfm.orphans";
    private static final String CONTINUE = "continue";

    /**
     * Options that need mpiexec as coordinator for the whole job. They are refused with {@code --rdzv}, where a rank
     * may be elected coordinator.
     */
    private static final List<String> OF_MPIEXEC_ALONE = List.of(
            OptionModel.MAX_RESTARTS,
            OptionModel.SPARES,
            OptionModel.HOST_DISCOVERY,
            OptionModel.INJECT,
            OptionModel.INJECT_FILE,
            OptionModel.INJECT_SEED,
            OptionModel.INJECT_PLAN,
            OptionModel.INJECT_LOG,
            OptionModel.INJECT_REPORT,
            OptionModel.EXPECT);

    /**
     * Parameters of a URL that only programs use that run without mpiexec and gather by themselves. In a URL of
     * {@code --rdzv} they are refused.
     */
    private static final List<String> OF_PROGRAMS =
            List.of("min_workers", "max_workers", "timeout", "last_call_timeout");

    /**
     * Parameters of the URL that name files which ranks read too. Their paths must be absolute, as a rank may have
     * another working directory than mpiexec.
     */
    private static final List<String> FILES_OF_RANKS = List.of("password_file", "cacert");

    private Coordination() {}

    /**
     * Checks the URL of {@code --rdzv} and some of the options beside it, and returns the URL, unchanged.
     *
     * @param isHere whether all processes run on the launcher's host
     * @throws UsageException that names the option, or the part of the URL, that does not fit
     */
    static String url(Given given, boolean isHere) {
        String option = OptionModel.RDZV;
        for (String other : OF_MPIEXEC_ALONE) {
            if (given.has(other)) {
                throw new UsageException(
                        option + ": " + other + " needs an mpiexec that is the coordinator all the time," + " and with "
                                + option + " a rank may be; leave out one of both");
            }
        }
        if (given.has(OptionModel.REPORT_URI)) {
            throw new UsageException(option + ": others join such a job by its URL (" + OptionModel.JOIN
                    + " URL); leave out " + OptionModel.REPORT_URI);
        }
        if (!isHere) {
            throw new UsageException(option + ": only a job on one host has an elected coordinator; leave out "
                    + OptionModel.HOST + " and " + OptionModel.HOST_FILE);
        }
        return checked(option, given.text(option));
    }

    /**
     * Checks the URL of a job in etcd, and returns it unchanged. Does not connect to etcd.
     *
     * @throws UsageException that names what is wrong with it
     */
    public static String checked(String option, String text) {
        if (text.chars().anyMatch(c -> c <= ' ')) {
            throw new UsageException(option + ": '" + text + "' has a blank in it; write it as %20");
        }
        EtcdBackend etcd = new EtcdBackend();
        try {
            RendezvousUrl url = RendezvousUrl.parse(text, etcd.parameters());
            requireEtcd(option, text, url, etcd.schemes());
            EtcdBackend.check(url);
        } catch (RendezvousFailure wrong) {
            throw new UsageException(option + ": " + wrong.getMessage());
        }
        return text;
    }

    private static void requireEtcd(String option, String text, RendezvousUrl url, List<String> schemes) {
        if (!schemes.contains(url.scheme())) {
            throw new UsageException(option + ": " + url.scheme()
                    + "://… keeps nothing that outlives mpiexec; allowed: " + String.join("://… | ", schemes) + "://…");
        }
        for (String name : namesIn(text)) {
            if (OF_PROGRAMS.contains(name)) {
                throw new UsageException(option + ": " + name + " is for programs that gather by themselves; here -n"
                        + " says how many ranks there are");
            }
        }
        for (String name : FILES_OF_RANKS) {
            String file = url.parameter(name);
            if (file != null && !Path.of(file).isAbsolute()) {
                throw new UsageException(option + ": " + name + "=" + file
                        + ": the path must be absolute, as ranks read the file too, perhaps from another directory");
            }
        }
    }

    private static List<String> namesIn(String url) {
        List<String> names = new ArrayList<>();
        int query = url.indexOf('?');
        for (String pair : query < 0 ? new String[0] : url.substring(query + 1).split("&", -1)) {
            int equals = pair.indexOf('=');
            names.add(equals < 0 ? pair : pair.substring(0, equals));
        }
        return names;
    }

    /**
     * Adds the options that a job of {@code --rdzv} must have: a quorum of the majority, unless the world is elastic,
     * and orphans that continue.
     *
     * @param isElastic whether the world grows; then no majority is required, as the number of members changes
     * @throws UsageException if one of these options was set to something else, or fault tolerance is switched off
     */
    static void imply(Map<String, String> settings, boolean isElastic) {
        if (!isElastic) {
            require(settings, QUORUM, MAJORITY, QUORUM);
        }
        require(settings, ORPHANS, CONTINUE, OptionModel.ORPHANS);
        String recovery = settings.get("ulfm.ft");
        if (recovery != null && !recovery.equals("ulfm")) {
            throw new UsageException(OptionModel.RDZV + " and --with-ft " + recovery
                    + ": a job without fault tolerance ends at the first failure; leave out one of both");
        }
    }

    private static void require(Map<String, String> settings, String name, String value, String shown) {
        String asked = settings.put(name, value);
        if (asked != null && !asked.equals(value)) {
            throw new UsageException(OptionModel.RDZV + " and " + shown + "=" + asked + ": a job with "
                    + OptionModel.RDZV + " goes on without its mpiexec, which needs " + shown + "=" + value
                    + "; leave out one of both");
        }
    }
}
