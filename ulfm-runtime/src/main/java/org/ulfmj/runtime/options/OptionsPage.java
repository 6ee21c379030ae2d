package org.ulfmj.runtime.options;

/** Writes {@code docs/use/options.md} from the registry. */
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

            The times must keep their order: `ulfm.link.rto` < `ulfm.link.budget` < `ulfm.fd.timeout`, `ulfm.fd.period` at
            most a third of `ulfm.fd.timeout`, `ulfm.rdzv.confirm` < `ulfm.rdzv.join`. Whatever is not set follows from what
            is, so to make detection faster set `ulfm.fd.timeout` alone.

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
