package org.ulfmj.launch.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.program.Installation;

/** Tests the options of a job whose coordinator is elected ({@code --rdzv}). */
class CoordinationTest {
    private static final String URL = "etcd://a:1,b:2/job";

    private final Map<String, String> environment = new TreeMap<>(Map.of("PATH", "/bin:/usr/bin"));

    @Test
    void shouldLetTheJobGoOnByAMajorityWithoutItsMpiexec() {
        LaunchRequest request = parse("-n 2 --rdzv " + URL + "?lease=3 sh");
        assertThat(request.rdzv()).isEqualTo(URL + "?lease=3");
        assertThat(request.options().needsMajority()).isTrue();
        assertThat(request.options().doOrphansContinue()).isTrue();
        LaunchRequest same =
                parse("-n 2 --rdzv " + URL + " --orphans continue --set ulfm.ft.quorum=majority --with-ft ulfm sh");
        assertThat(same.options().hash()).isEqualTo(request.options().hash());
        assertThat(parse("-n 2 sh").rdzv()).isNull();
        assertThat(parse("-n 2 sh").options().doOrphansContinue()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "--orphans exit~--rdzv and --orphans=exit: a job with --rdzv goes on without its mpiexec, which needs"
                        + " --orphans=continue; leave out one of both",
                "--set ulfm.ft.quorum=coordinator~--rdzv and ulfm.ft.quorum=coordinator: a job with --rdzv goes on without"
                        + " its mpiexec, which needs ulfm.ft.quorum=majority; leave out one of both",
                "--with-ft none~--rdzv and --with-ft none: a job without fault tolerance ends at the first failure;"
                        + " leave out one of both",
                "--max-restarts 1~--rdzv: --max-restarts needs an mpiexec that is the coordinator all the time, and with"
                        + " --rdzv a rank may be; leave out one of both",
                "--spares 1~--rdzv: --spares needs an mpiexec that is the coordinator all the time, and with --rdzv a rank"
                        + " may be; leave out one of both",
                "--inject kill:rank=1@t=1s~--rdzv: --inject needs an mpiexec that is the coordinator all the time, and with"
                        + " --rdzv a rank may be; leave out one of both",
                "--host-discovery x~--rdzv: --host-discovery needs an mpiexec that is the coordinator all the time, and"
                        + " with --rdzv a rank may be; leave out one of both",
                "--report-uri x~--rdzv: others join such a job by its URL (--join URL); leave out --report-uri",
                "--join x~--rdzv is for the mpiexec that starts the job; one with --join takes it from there, so leave it"
                        + " out here",
                "--host a,b~--rdzv: only a job on one host has an elected coordinator; leave out --host and --hostfile"
            })
    void shouldRefuseWhatDoesNotFit(String other, String message) {
        assertThatThrownBy(() -> parse("-n 2 --rdzv " + URL + " " + other + " sh"))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void shouldLetAWorldGrowWithoutAMajority() {
        LaunchRequest request = parse("-n 1:2 --rdzv " + URL + " sh");
        assertThat(request.elastic().min()).isEqualTo(1);
        assertThat(request.elastic().isJoining()).isFalse();
        assertThat(request.options().needsMajority()).isFalse();
        assertThat(request.options().doOrphansContinue()).isTrue();
        assertThat(request.joining().elastic())
                .isEqualTo(new ElasticJob(1, 2, null, URL))
                .matches(ElasticJob::isSecondRun)
                .matches(ElasticJob::isJoiningByUrl);
    }

    @Test
    void shouldJoinByTheUrl() {
        LaunchRequest request = parse("-n 2 --join " + URL + "?lease=3 sh");
        assertThat(request.size()).isEqualTo(2);
        assertThat(request.rdzv()).isNull();
        assertThat(request.elastic())
                .isEqualTo(new ElasticJob(0, 0, null, URL + "?lease=3"))
                .matches(ElasticJob::isJoiningByUrl)
                .matches(joining -> !joining.isSecondRun());
        assertThat(parse("-n 2 --join file sh").elastic().isJoiningByUrl()).isFalse();
        assertThatThrownBy(() -> parse("-n 2 --join memory://x/job sh"))
                .isInstanceOf(UsageException.class)
                .hasMessage("--join: memory://… keeps nothing that outlives mpiexec; allowed: etcd://… | etcds://…");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "memory://x/job~--rdzv: memory://… keeps nothing that outlives mpiexec; allowed: etcd://… | etcds://…",
                "nonsense~--rdzv: 'nonsense' is no URL of a rendezvous: scheme://host:port/job?name=value&… is expected",
                "etcd://a/job?lease=1~--rdzv: lease=1; allowed: a whole number from 2 to 3600",
                "etcd://a/job?min_workers=2~--rdzv: min_workers is for programs that gather by themselves; here -n says how"
                        + " many ranks there are",
                "etcd://a/job?user=u&password_file=p~--rdzv: password_file=p: the path must be absolute, as ranks read the"
                        + " file too, perhaps from another directory",
            })
    void shouldRefuseAUrlThatIsNoRunInEtcd(String url, String message) {
        assertThatThrownBy(() -> parse("-n 2 --rdzv " + url + " sh"))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void shouldForgetNothingBesideAJob() {
        assertThatThrownBy(() -> parse("-n 2 --rdzv-forget " + URL + " sh"))
                .isInstanceOf(UsageException.class)
                .hasMessage("--rdzv-forget stands alone: mpiexec --rdzv-forget URL, with the URL that the job had in"
                        + " --rdzv");
    }

    private LaunchRequest parse(String line) {
        return new CommandLine(
                        new Installation(Path.of("/ulfm.jar"), Path.of("/none"), Path.of("/jdk/bin/java")), environment)
                .parse(line.split(" "));
    }
}
