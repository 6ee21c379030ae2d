package org.ulfmj.rendezvous.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RendezvousUrlTest {
    private static RendezvousUrl parse(String url) {
        return RendezvousUrl.parse(url, List.of("lease"));
    }

    @Test
    void shouldReadAllPartsOfAUrl() {
        RendezvousUrl url = parse("etcd://a:2379,[::1]:2380/job-1?min_workers=2&max_workers=4&timeout=60"
                + "&last_call_timeout=5&lease=3&secret_file=%2Ftmp%2Fs");
        assertThat(url.scheme()).isEqualTo("etcd");
        assertThat(url.endpoints()).containsExactly("a:2379", "[::1]:2380");
        assertThat(url.job()).isEqualTo("job-1");
        assertThat(url.minWorkers()).isEqualTo(2);
        assertThat(url.maxWorkers()).isEqualTo(4);
        assertThat(url.timeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(url.lastCallTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(url.parameter("lease", 15, 2, 3600)).isEqualTo(3);
        assertThat(url.parameter("secret_file")).isEqualTo("/tmp/s");
        assertThat(url).hasToString("etcd://a:2379,[::1]:2380/job-1");
    }

    @Test
    void shouldHaveTheDefaultsOfTorchelastic() {
        RendezvousUrl url = parse("etcd://localhost/1234?min_workers=3");
        assertThat(url.timeout()).isEqualTo(Duration.ofSeconds(600));
        assertThat(url.lastCallTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(url.maxWorkers()).isEqualTo(3);
        assertThat(parse("etcd://localhost/1234").minWorkers()).isEqualTo(1);
        assertThat(url.parameter("lease")).isNull();
        assertThat(url.parameter("lease", 15, 2, 3600)).isEqualTo(15);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nonsense | 'nonsense' is no URL of a rendezvous: scheme://host:port/job?name=value&… is expected",
                "etcd://h:1 | the job of a rendezvous is '' in 'etcd://h:1'; allowed: 1 to 128 letters, digits, '.',"
                        + " '_' and '-'",
                "etcd://h:1/a/b | the job of a rendezvous is 'a/b' in 'etcd://h:1/a/b'; allowed: 1 to 128 letters,"
                        + " digits, '.', '_' and '-'",
                "etcd://h:70000/j | an endpoint of a rendezvous is 'h:70000' in 'etcd://h:70000/j'; allowed: a name or"
                        + " an address (IPv6 in brackets), ':' and a port from 1 to 65535",
                "etcd://h,/j | an endpoint of a rendezvous is '' in 'etcd://h,/j'; allowed: a name or an address (IPv6"
                        + " in brackets), ':' and a port from 1 to 65535",
                "etcd://h/j?min_workers=0 | min_workers=0; allowed: a whole number from 1 to 4096",
                "etcd://h/j?max_workers=2&min_workers=3 | max_workers=2 is below min_workers=3; allowed: at least"
                        + " min_workers",
                "etcd://h/j?timeout=soon | timeout=soon; allowed: a whole number from 1 to 31536000",
                "etcd://h/j?timeout=-5 | timeout=-5; allowed: a whole number from 1 to 31536000",
                "etcd://h/j?last_call_timeout= | the parameter 'last_call_timeout' of a rendezvous has no value",
                "etcd://h/j?min_worker=1 | a rendezvous has no parameter 'min_worker'; did you mean min_workers?;"
                        + " allowed: min_workers, max_workers, timeout, last_call_timeout, secret_file, lease",
                "etcd://h/j?lease=2&lease=3 | the parameter 'lease' of a rendezvous is given twice",
                "etcd://h/j?lease=%zz | lease=%zz: '%' needs two hexadecimal digits after it",
            })
    void shouldNameWhatIsWrongInAUrl(String url, String message) {
        assertThatThrownBy(() -> parse(url))
                .isInstanceOf(RendezvousFailure.Refused.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefuseAUrlThatIsTooLong() {
        assertThatThrownBy(() -> parse("etcd://h/j?lease=" + "1".repeat(4096)))
                .hasMessage("the URL of a rendezvous has 4113 characters, at most 4096 are allowed");
    }

    @Test
    void shouldNameTheSchemesThatThereAre() {
        assertThatThrownBy(() -> SharedStore.open("zookeeper://h/j"))
                .isInstanceOf(RendezvousFailure.Refused.class)
                .hasMessageStartingWith("'zookeeper://h/j' has the scheme 'zookeeper'; there are ")
                .hasMessageContaining("memory, embedded, etcd, etcds");
    }

    @Test
    void shouldFindABackendThatAnotherJarAdds() {
        try (SharedStore red = SharedStore.open("added://h/j?colour=red");
                SharedStore blue = SharedStore.open("added://h/j?colour=blue")) {
            red.set("k", "1");
            assertThat(SharedStore.open("memory://red/j").get("k").text()).isEqualTo("1");
            assertThat(blue.get("k")).isNull();
        }
        assertThatThrownBy(() -> SharedStore.open("added://h/j?lease=3"))
                .hasMessageContaining("a rendezvous has no parameter 'lease'")
                .hasMessageEndingWith("secret_file, colour");
    }
}
