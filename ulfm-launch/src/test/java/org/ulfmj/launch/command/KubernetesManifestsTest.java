package org.ulfmj.launch.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.launch.program.Installation;

/**
 * Checks the manifests in {@code examples/kubernetes}: {@code mpiexec} accepts the command in them, the hosts in it are
 * the names that Kubernetes gives to the pods, and the containers run without root and without added rights.
 */
class KubernetesManifestsTest {
    private static final String IMAGE_HOME = "/opt/ulfm/";
    private static final String KEYS = "/home/mpi/.ssh";
    private static final int READABLE_BY_OWNER = 0400;

    @TempDir
    Path directory;

    private final Map<String, String> environment = new TreeMap<>(Map.of("PATH", "/bin:/usr/bin"));

    @Test
    void shouldNameThePodsOfTheIndexedJobAsKubernetesDoes() throws Exception {
        List<Manifest> documents = Manifest.read("indexed-job.yaml");
        Manifest service = documents.get(0);
        Manifest job = documents.get(1);
        assertThat(service.at("spec.clusterIP").text()).isEqualTo("None");
        assertThat(service.at("spec.publishNotReadyAddresses").value()).isEqualTo(true);
        String name = job.at("metadata.name").text();
        assertThat(service.at("spec.selector.job-name").text()).isEqualTo(name);
        String domain = job.at("spec.template.spec.subdomain").text();
        assertThat(domain).isEqualTo(service.at("metadata.name").text());
        assertThat(job.at("spec.completionMode").text()).isEqualTo("Indexed");
        int pods = job.at("spec.completions").number();
        assertThat(job.at("spec.parallelism").number()).isEqualTo(pods);

        Ran ran = runScript(job.at("spec.template.spec.containers.0.args").words(), "0");
        assertThat(described(parse(ran.mpiexec()))).isEqualTo(hosts(pods, name + "-%d." + domain));
        assertThat(ran.asked()).containsExactlyElementsOf(names(pods, name + "-%d." + domain, 1));
        assertThat(runScript(job.at("spec.template.spec.containers.0.args").words(), "2")
                        .host())
                .isTrue();
        // The pod of mpiexec decides whether the job succeeds, and the end of a pod that Kubernetes evicts is ignored.
        assertThat(job.at("spec.successPolicy.rules.0.succeededIndexes").text()).isEqualTo("0");
        assertThat(job.at("spec.podFailurePolicy.rules.0").text())
                .isEqualTo("{action=Ignore, onPodConditions=[{type=DisruptionTarget}]}");
        assertThat(job.at("spec.podFailurePolicy.rules.1.onExitCodes.containerName"))
                .isEqualTo(job.at("spec.template.spec.containers.0.name"));
        assertThat(job.at("spec.template.spec.restartPolicy").text()).isEqualTo("Never");
    }

    @Test
    void shouldNameThePodsOfTheJobSetAsItDoes() throws Exception {
        Manifest set = Manifest.read("jobset.yaml").get(0);
        assertThat(set.at("spec.network.enableDNSHostnames").value()).isEqualTo(true);
        Manifest launcher = set.at("spec.replicatedJobs.0");
        Manifest workers = set.at("spec.replicatedJobs.1");
        assertThat(set.at("spec.successPolicy.targetReplicatedJobs").words())
                .containsExactly(launcher.at("name").text());
        assertThat(set.at("spec.failurePolicy.maxRestarts").number()).isZero();
        int pods = workers.at("template.spec.completions").number();
        assertThat(workers.at("template.spec.parallelism").number()).isEqualTo(pods);
        assertThat(workers.at("replicas").number()).isEqualTo(1);

        String names = set.at("metadata.name").text() + "-" + workers.at("name").text() + "-0-%d."
                + set.at("spec.network.subdomain").text();
        Ran ran = runScript(
                launcher.at("template.spec.template.spec.containers.0.args").words(), "0");
        assertThat(described(parse(ran.mpiexec()))).isEqualTo(hosts(pods, names));
        assertThat(ran.asked()).containsExactlyElementsOf(names(pods, names, 0));
        assertThat(workers.at("template.spec.template.spec.containers.0.args").words())
                .containsExactly(IMAGE_HOME + "examples/kubernetes/host");
    }

    @Test
    void shouldTakeTheHostsOfTheMpiJobFromItsOperator() throws Exception {
        Manifest job = Manifest.read("mpijob.yaml").get(0);
        int pods = job.at("spec.mpiReplicaSpecs.Worker.replicas").number();
        int slots = job.at("spec.slotsPerWorker").number();
        String names = job.at("metadata.name").text() + "-worker-%d."
                + job.at("metadata.name").text() + ".default.svc";
        Path file = directory.resolve("hostfile");
        Files.write(
                file,
                names(pods, names, 0).stream()
                        .map(host -> host + " slots=" + slots)
                        .toList());
        environment.put("OMPI_MCA_orte_default_hostfile", file.toString());
        environment.put("OMPI_MCA_orte_keep_fqdn_hostnames", "true");
        environment.put("OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=10");

        List<String> words = job.at("spec.mpiReplicaSpecs.Launcher.template.spec.containers.0.args")
                .words();
        assertThat(words.get(0)).isEqualTo("mpiexec");
        LaunchRequest request = parse(words.subList(1, words.size()));
        assertThat(described(request)).isEqualTo(hosts(pods, names));
        assertThat(request.size()).isEqualTo(pods * slots);
        assertThat(request.warnings()).isEmpty();
        assertThat(job.at("spec.sshAuthMountPath").text()).isEqualTo(KEYS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"indexed-job.yaml", "jobset.yaml", "mpijob.yaml"})
    void shouldGiveContainersNoMoreThanTheyNeed(String name) throws IOException {
        Path image = Path.of("..", "Dockerfile");
        List<Manifest> containers = new ArrayList<>();
        for (Manifest document : Manifest.read(name)) {
            document.having("secret")
                    .forEach(volume ->
                            assertThat(volume.at("secret.defaultMode").number()).isEqualTo(READABLE_BY_OWNER));
            for (Manifest pod : document.having("containers")) {
                assertThat(pod.at("securityContext.runAsNonRoot").value()).isEqualTo(true);
                // As a member of this group the user of the containers can read keys of mode 0400 that belong to root.
                assertThat(pod.at("securityContext.fsGroup"))
                        .isEqualTo(pod.at("securityContext.runAsGroup"))
                        .isEqualTo(pod.at("securityContext.runAsUser"));
                assertThat(Files.readString(image))
                        .contains("useradd --uid "
                                + pod.at("securityContext.runAsUser").text() + " ")
                        .contains(" mpi\n");
                containers.addAll(pod.at("containers").list());
            }
        }
        assertThat(containers).isNotEmpty();
        for (Manifest container : containers) {
            assertThat(container.at("securityContext.allowPrivilegeEscalation").value())
                    .isEqualTo(false);
            assertThat(container.at("securityContext.capabilities.drop").words())
                    .containsExactly("ALL");
            assertThat(container.at("image").text()).isEqualTo(builtImage(image));
            assertThat(container.has("command"))
                    .as("the image has an entry point, which a command would replace")
                    .isFalse();
            for (Manifest mount : container.having("mountPath")) {
                assertThat(mount.has("readOnly"))
                        .isEqualTo(mount.at("mountPath").text().equals(KEYS));
            }
        }
    }

    @Test
    void shouldNameFilesThatAreInTheImage() throws Exception {
        for (String name : List.of("indexed-job.yaml", "jobset.yaml", "mpijob.yaml")) {
            String text = Files.readString(Manifest.DIRECTORY.resolve(name));
            List<String> files = Arrays.stream(text.split("[\\s,\\[\\]]+"))
                    .filter(word -> word.startsWith(IMAGE_HOME))
                    .map(word -> word.substring(IMAGE_HOME.length()))
                    .toList();
            assertThat(files).isNotEmpty().allMatch(file -> Files.isExecutable(Path.of("..", file)));
        }
        for (String script : List.of("host", "before-stop")) {
            assertThat(exitCode(
                            "/bin/sh", "-n", Manifest.DIRECTORY.resolve(script).toString()))
                    .isZero();
        }
    }

    @Test
    void shouldReturnAtOnceFromTheHookWhereThereIsNoAgent() throws Exception {
        program("pgrep", "exit 1\n");
        environment.put("PATH", directory + ":/usr/bin:/bin");
        assertThat(exitCode("/bin/sh", Manifest.DIRECTORY.resolve("before-stop").toString()))
                .isZero();
    }

    @Test
    void shouldEndTheAgentAndWaitForItInTheHook() throws Exception {
        Process agent = new ProcessBuilder(
                        "/bin/sh", "-c", "trap 'sleep 0.3; exit 3' TERM; echo; while :; do sleep 0.05; done")
                .start();
        assertThat(agent.getInputStream().read()).isEqualTo('\n');
        program("pgrep", "echo " + agent.pid() + "\n");
        environment.put("PATH", directory + ":/usr/bin:/bin");
        assertThat(exitCode("/bin/sh", Manifest.DIRECTORY.resolve("before-stop").toString()))
                .isZero();
        assertThat(Path.of("/proc", Long.toString(agent.pid())))
                .as("the hook waits until the agent has gone")
                .doesNotExist();
        assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(agent.exitValue()).isEqualTo(3);
    }

    /**
     * The actions of a container's script.
     *
     * @param host whether it started the program {@code host}, to wait there for agents
     * @param asked the pods that it reached by ssh
     * @param mpiexec the words that it gave to mpiexec
     */
    private record Ran(boolean host, List<String> asked, List<String> mpiexec) {}

    /** Runs a container's script with stand-ins for {@code sleep}, {@code ssh}, {@code mpiexec} and {@code host}. */
    private Ran runScript(List<String> words, String index) throws Exception {
        assertThat(words).hasSize(3).startsWith("/bin/sh", "-c");
        Files.deleteIfExists(directory.resolve("asked"));
        Files.deleteIfExists(directory.resolve("words"));
        program("sleep", "");
        program("host", "echo host > " + directory + "/words\n");
        program("mpiexec", "printf '%s\\n' \"$@\" > " + directory + "/words\n");
        // The fake ssh fails at its first call, as if the pod could not be reached yet.
        program(
                "ssh",
                "[ -f " + directory + "/tried ] || { : > " + directory + "/tried; exit 255; }\n" + "echo $3 >> "
                        + directory + "/asked\n");
        environment.put("PATH", directory + ":/usr/bin:/bin");
        environment.put("JOB_COMPLETION_INDEX", index);
        String script = words.get(2).replace(IMAGE_HOME + "examples/kubernetes/host", directory + "/host");
        assertThat(exitCode("/bin/sh", "-c", script)).isZero();
        List<String> called = Files.readAllLines(directory.resolve("words"));
        Path asked = directory.resolve("asked");
        boolean isHost = called.equals(List.of("host"));
        return new Ran(
                isHost, Files.exists(asked) ? Files.readAllLines(asked) : List.of(), isHost ? List.of() : called);
    }

    private void program(String name, String script) throws IOException {
        Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + script);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private int exitCode(String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /**
     * Parses a command line of mpiexec. The words {@code examples NAME} are replaced by {@code java NAME}, after a
     * check that the example exists.
     */
    private LaunchRequest parse(List<String> words) {
        List<String> command = new ArrayList<>(words);
        int program = command.indexOf("examples");
        Path source = Path.of("..", "examples/src/main/java/examples", command.get(program + 1) + ".java");
        assertThat(source).exists();
        command.set(program, "java");
        Installation installation =
                new Installation(Path.of("/ulfm.jar"), Path.of("/none"), Path.of("/opt/jdk/bin/java"));
        return new CommandLine(installation, environment).parse(command.toArray(String[]::new));
    }

    private static String described(LaunchRequest request) {
        return request.hosts().hosts().stream()
                .map(host -> host.name() + ":" + host.slots())
                .collect(Collectors.joining(" "));
    }

    private static List<String> names(int pods, String pattern, int first) {
        return IntStream.range(first, pods)
                .mapToObj(pod -> pattern.formatted(pod))
                .toList();
    }

    private static String hosts(int pods, String pattern) {
        return names(pods, pattern, 0).stream().map(host -> host + ":2").collect(Collectors.joining(" "));
    }

    /** The name of the image in the command {@code docker build} in the first line of the Dockerfile. */
    private static String builtImage(Path image) throws IOException {
        return Files.readAllLines(image).get(0).replaceFirst(".*docker build -t (\\S+) .*", "$1");
    }
}
