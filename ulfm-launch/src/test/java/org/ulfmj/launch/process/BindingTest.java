package org.ulfmj.launch.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.command.BindTo;

class BindingTest {
    @TempDir
    Path sys;

    @BeforeEach
    void makeMachine() throws IOException {
        // The test's machine has two sockets with two cores of two hardware threads each; threads 0 and 4 belong to
        // core 0, 1 and 5 to core 1, and so on.
        for (int cpu = 0; cpu < 8; cpu++) {
            int core = cpu % 4;
            write("cpu/cpu" + cpu + "/topology/thread_siblings_list", core + "," + (core + 4));
            write("cpu/cpu" + cpu + "/topology/physical_package_id", "" + core / 2);
            write("cpu/cpu" + cpu + "/cache/index0/level", "1");
            write("cpu/cpu" + cpu + "/cache/index3/level", "3");
            write("cpu/cpu" + cpu + "/cache/index3/shared_cpu_list", core < 2 ? "0-1,4-5" : "2-3,6-7");
        }
        write("node/node0/cpulist", "0-1,4-5");
        write("node/node1/cpulist", "2-3,6-7");
        write("node/online", "0-1");
    }

    private void write(String name, String text) throws IOException {
        Path file = sys.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HWTHREAD|0|1|2|true",
                "CORE|0,4|1,5|2|true",
                "SOCKET|0,1,4,5|2|0,1,4,5|false",
                "NUMA|0,1,4,5|2|0,1,4,5|false",
                "L3CACHE|0,1,4,5|2|0,1,4,5|false"
            })
    void shouldGiveRanksTheGroupsOfTheProcessorsThatMayBeUsed(
            BindTo kind, String first, String second, String third, boolean isExclusive) {
        Binding binding = toGroups(kind, 3, Binding.parse("0-2,4-5"));
        assertThat(binding.prefix(0)).containsExactly("/bin/taskset", "-c", first);
        assertThat(binding.prefix(1)).containsExactly("/bin/taskset", "-c", second);
        assertThat(binding.prefix(2)).containsExactly("/bin/taskset", "-c", third);
        assertThat(binding.isToCores()).isEqualTo(isExclusive);
        assertThat(binding.isEarly()).isFalse();
    }

    @Test
    void shouldReadListsOfProcessorsAsTheKernelWritesThem() {
        assertThat(Binding.parse("0-2,7")).containsExactly(0, 1, 2, 7);
        assertThat(Binding.parse("")).as("of a node with memory alone").isEmpty();
        for (String wrong : new String[] {"0-2147483647", "0-99999999", "0-8191,0-8191", "-1", "1-", "x", ",", "5-2"}) {
            assertThatThrownBy(() -> Binding.parse(wrong)).as(wrong).isInstanceOf(NumberFormatException.class);
        }
    }

    @Test
    void shouldSayTheLimitWhenRanksExceedCores() {
        assertThatThrownBy(() -> toGroups(BindTo.CORE, 3, List.of(0, 4, 5)))
                .isInstanceOf(UsageException.class)
                .hasMessage("--bind-to core: 3 ranks, but mpiexec may use 2 cores; start at most 2,"
                        + " or use --bind-to none");
        assertThatThrownBy(() -> toGroups(BindTo.HWTHREAD, 2, List.of(0)))
                .hasMessageStartingWith("--bind-to hwthread: 2 ranks, but mpiexec may use 1 hwthread; ");
    }

    @Test
    void shouldSayWhatTheSystemDoesNotTell() throws IOException {
        Files.delete(sys.resolve("cpu/cpu1/cache/index3/level"));
        write("cpu/cpu1/cache/index3/level", "2");
        assertThatThrownBy(() -> toGroups(BindTo.L3CACHE, 1, List.of(0, 1)))
                .hasMessage("--bind-to l3cache: /sys/devices/system does not tell which processors belong to one;"
                        + " use --bind-to hwthread or none");
        Files.delete(sys.resolve("cpu/cpu1/topology/physical_package_id"));
        assertThatThrownBy(() -> toGroups(BindTo.SOCKET, 1, List.of(0, 1)))
                .hasMessageStartingWith("--bind-to socket: /sys");
    }

    @Test
    void shouldGiveRanksTheProcessorsOfAList() {
        Binding binding = Binding.toList("3,0-1,4+5", 4, "/bin/taskset", Binding.parse("0-7"));
        assertThat(binding.describe(0)).isEqualTo("processor 3");
        assertThat(binding.describe(2)).isEqualTo("processor 1");
        assertThat(binding.describe(3)).isEqualTo("processors 4,5");
        assertThat(Binding.NONE.describe(3)).isEqualTo("any processor");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "0,x~is no list of processors; write one as cpu-list:0,4-6,8+9",
                "''~is no list of processors; write one as cpu-list:0,4-6,8+9",
                "2-1~is no list of processors; write one as cpu-list:0,4-6,8+9",
                "0,9~processor 9 may not be used; allowed: 0,1,2",
                "1~2 ranks, but the list has 1 entry; start at most 1"
            })
    void shouldSayWhatIsWrongWithAList(String list, String message) {
        assertThatThrownBy(() -> Binding.toList(list, 2, "/bin/taskset", List.of(0, 1, 2)))
                .isInstanceOf(UsageException.class)
                .hasMessage("--bind-to cpu-list:" + list + ": " + message);
    }

    private Binding toGroups(BindTo kind, int size, List<Integer> allowed) {
        return Binding.toGroups(kind, size, "/bin/taskset", allowed, new CpuGroups(sys));
    }

    @ParameterizedTest(name = "{0} ranks, {1} cores, {2} processors: bound early: {3}")
    @CsvSource({"2,2,2,true", "3,4,4,true", "4,4,4,true", "2,4,4,false", "4,2,2,false", "1,1,1,false", "2,4,2,true"})
    void shouldBindEarlyWhereRanksDoNotExceedCoresButRanksAndCompilersDo(
            int ranks, int cores, int processors, boolean isBound) {
        Binding binding = Binding.early(ranks, "/bin/taskset", Binding.parse("0-" + (cores - 1)), processors);
        assertThat(binding.isEarly()).isEqualTo(isBound);
        assertThat(binding.isToCores()).isEqualTo(isBound);
        assertThat(binding.javaOptions()).hasSize(isBound ? 1 : 0);
    }

    @Test
    void shouldNotBindEarlyWithoutTasksetOrAListOfCores() {
        assertThat(Binding.early(2, null, List.of(0, 1), 2)).isSameAs(Binding.NONE);
        assertThat(Binding.early(2, "/bin/taskset", List.of(), 2)).isSameAs(Binding.NONE);
    }

    @Test
    void shouldPutNothingInFrontWhenNoProcessIsBound() {
        assertThat(Binding.NONE.prefix(5)).isEmpty();
    }
}
