package org.ulfmj.runtime.options;

/** Makes the text of {@code docs/use/options.md}: a fixed head, and one row per option of the registry. */
final class OptionsPage {
    private static final String HEAD =
            """
            # Options

            This page is generated from the code. An option can be given in four ways, which mean the same:

            * `mpiexec --set ulfm.fd.timeout=2s`
            * the environment variable `ULFM_FD_TIMEOUT=2s` of mpiexec
            * the system property `-Dulfm.fd.timeout=2s` after `java` on the command line of mpiexec
            * for a program started without mpiexec, either of the last two

            Given twice, the system property wins over `--set`, and `--set` over the environment. mpiexec resolves the
            options once, checks them against each other and hands them to all processes of the job. An unknown name is an
            error that names the nearest known one. Durations carry a unit (`ns us ms s min h`), sizes may (`KiB MiB GiB`).

            ## How the times follow each other

            `ulfm.link.rto` < `ulfm.link.budget` < `ulfm.fd.timeout` < `ulfm.silence.limit` < `ulfm.progress.limit`: each layer
            must have had its chance before the next one acts. Whatever is not set follows from what is, so to make detection
            faster set `ulfm.fd.timeout` alone. To tolerate a network that is gone for G seconds costs at least G seconds
            until the loss of a host is noticed; the crash of a process is known in milliseconds whatever stands here. mpiexec
            checks the times before it starts anything. An error refuses the job with code 2; a warning is told once.

            | rule | what must hold | else |
            |---|---|---|
            | E1 | each time is finite and above zero (`ulfm.grace`, which may be zero, is the exception) | error |
            | E2 | `ulfm.link.rto` < `ulfm.link.budget`; not with `ulfm.link.retry=off` | error |
            | E3 | `ulfm.link.budget` has room for `ulfm.link.rto` and three waits between attempts to dial; not with `ulfm.link.retry=off` | error |
            | E4 | `ulfm.link.budget` < `ulfm.fd.timeout`; not with `ulfm.fd=off` | error; a warning with `ulfm.link.retry=off` |
            | E5 | `ulfm.fd.period` is at most a third of `ulfm.fd.timeout`; not with `ulfm.fd=off` | error |
            | E6 | `ulfm.fd.timeout` < `ulfm.rdzv.lease`; not with `ulfm.fd=off` | error |
            | E7 | `ulfm.fd.timeout` < `ulfm.silence.limit` < `ulfm.progress.limit`, of those that are on; the first not with `ulfm.fd=off` | error |
            | E8 | `ulfm.rdzv.confirm` < `ulfm.rdzv.join` | error |
            | W1 | `ulfm.fd.timeout` is a second or more: a shorter one takes a long pause of a virtual machine for a death | warning |
            | W2 | `ulfm.rdzv.lease` is at least three times `ulfm.rdzv.keepalive` | warning |
            | W3 | all ranks have the same values: their hash is compared before two processes say anything else | error when the rank joins |

            The names of NVFlare's settings are understood by `--set`, plain numbers as seconds, and mpiexec says once what
            they became: `per_msg_timeout` is `ulfm.link.rto`, `tx_timeout` is `ulfm.link.budget`, `heart_beat_timeout` is
            `ulfm.fd.timeout`, `max_client_op_interval` is `ulfm.silence.limit`, `progress_timeout` is `ulfm.progress.limit`.
            What NVFlare only documents is a rule here: its settings in an order that makes one of them useless are refused.
            The time that a message's receiver takes to answer, or its length, is part of no timeout of a link: `ulfm.link.rto`
            bounds the wait for the acknowledgement of a piece that has arrived, and follows the time that these take.

            ## The options

            | option | default | allowed | meaning |
            |---|---|---|---|
            """;

    private OptionsPage() {}

    static String text() {
        StringBuilder page = new StringBuilder(HEAD);
        for (OptionDefinition definition : KnownOptions.byName().values()) {
            page.append("| `").append(definition.name()).append("` | ");
            page.append(definition.defaultText()).append(" | ");
            page.append(definition.range().replace("|", "\\|")).append(" | ");
            page.append(definition.meaning()).append(" |\n");
        }
        return page.toString();
    }
}
