package org.ulfmj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.ulfmj.benchmarks.result.Bar;
import org.ulfmj.benchmarks.result.Limit;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Results;
import org.ulfmj.benchmarks.result.Store;

/**
 * Tests some limits of the tables of bars for two and for four cores, that no bar is in a table twice or has no limit,
 * and that every place which the published figures have for MPJ Express has a bar against it for two cores.
 */
final class BarsTest {
    private static final List<Bar> ON_TWO = Bars.on(2);
    private static final List<Bar> ON_FOUR = Bars.on(4);

    @Test
    void shouldHaveABarForEverythingThatIsMeasuredBesideMpjExpress() throws Exception {
        Results published = new Results();
        Store.readInto(published, ConsoleReport.store(StandIn.HOME.resolve("docs")));
        Set<String> measured = published.all().stream()
                .filter(result -> result.job().equals("mpj"))
                .map(Result::place)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(measured).hasSize(13);
        assertThat(against(ON_TWO, "job mpj").keySet()).containsAll(measured);
        assertThat(against(ON_TWO, "job mpj").values()).hasSize(60).containsOnly(0.2);
    }

    @Test
    void shouldAllowLongMessagesMoreOfMpjExpressOnFourCoresOnly() {
        Map<String, Double> bars = against(ON_FOUR, "job mpj");
        assertThat(bars).containsEntry("shm/2/pp:64k", 0.2).containsEntry("shm/8/allgather:64k", 0.2);
        assertThat(bars).containsEntry("shm/2/pp:256k", 0.6).containsEntry("shm/4/bcast:4m", 0.6);
    }

    @Test
    void shouldAskForArraysAgainstCAndAgainstTheJavaBindingApart() {
        for (List<Bar> table : List.of(ON_TWO, ON_FOUR)) {
            assertThat(against(table, "openmpi")).containsEntry("shm/2/ppa:4m", 0.6);
            assertThat(against(table, "job ompi-java")).containsEntry("shm/2/ppa:4m", 0.35);
        }
    }

    @Test
    void shouldHoldRevocationsAgainstOpenMpi5AndAgainstABroadcastOfOurs() {
        double[] micros = {1.4, 9.3, 20};
        for (int i = 0; i < micros.length; i++) {
            String place = "revoke/" + (2 << i) + "/last, polling";
            List<Limit> limits = limitsAt(ON_TWO, place);
            assertThat(limits).hasSize(2);
            assertThat(limits.get(0).text("µs")).isEqualTo("2 × revoke/" + (2 << i) + "/bcast:8 to the last, polling");
            assertThat(limits.get(1).constant()).isEqualTo(micros[i]);
            assertThat(limits.get(1).text("µs")).endsWith(" µs (Open MPI 5)");
        }
    }

    @Test
    void shouldAskForTheWorstWindowOfFirstSecondsOnTwoCores() {
        assertThat(ON_TWO.stream()
                        .filter(bar -> bar.place().matches("(first|short)/.*"))
                        .map(bar -> bar.place() + ": " + bar.limits().get(0).text("µs")))
                .containsExactly(
                        "first/2/pp:8 from 0.3 s: worst 15.0 µs",
                        "first/2/pp:8 from 1.0 s: worst 1.20 µs",
                        "first/2/allreduce:8 from 0.3 s: worst 20.0 µs",
                        "first/2/allreduce:8 from 1.0 s: worst 1.50 µs",
                        "first/4/allreduce:8 from 1.0 s: worst 100 µs",
                        "first/4/allreduce:8 from 2.0 s: worst 30.0 µs",
                        "short/2/1 s: 20 × Open MPI (1/20 of its calls)",
                        "short/2/3 s: 4 × Open MPI (1/4 of its calls)");
    }

    @Test
    void shouldAskForMessagesThatAreRewritten() {
        assertThat(against(ON_TWO, "openmpi"))
                .containsEntry("shm/2/ppw:1m", 0.5)
                .containsEntry("shm/2/ppaw:1m", 0.7)
                .containsEntry("shm/2/ppsw:1m", 0.5);
    }

    @Test
    void shouldNotAskTheSameTwice() {
        for (List<Bar> table : List.of(ON_TWO, ON_FOUR)) {
            assertThat(table).doesNotHaveDuplicates();
            assertThat(table).allSatisfy(bar -> assertThat(bar.limits()).isNotEmpty());
        }
    }

    /** Returns, by place, the factor of each bar whose only limit refers to this reference. */
    private static Map<String, Double> against(List<Bar> table, String reference) {
        return table.stream()
                .filter(bar -> bar.limits().size() == 1
                        && bar.limits().get(0).reference().equals(reference))
                .collect(Collectors.toMap(Bar::place, bar -> bar.limits().get(0).factor()));
    }

    private static List<Limit> limitsAt(List<Bar> table, String place) {
        return table.stream()
                .filter(bar -> bar.place().equals(place))
                .flatMap(bar -> bar.limits().stream())
                .toList();
    }
}
