package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.launch.process.UserLocale;

/**
 * Checks the shell scripts {@code bin/mpiexec} and {@code bin/mpijavac} with those that they call, run on a tree of
 * files that only looks like a clone and with a fake Maven that notes how it was called and makes empty jars.
 */
class CommandScriptsTest {
    private static final Path BIN = Path.of("..", "bin").toAbsolutePath().normalize();

    @TempDir
    Path home;

    private final Map<String, String> environment = new TreeMap<>();

    @BeforeEach
    void makeClone() throws IOException {
        write("pom.xml", "");
        write("examples/pom.xml", "");
        write("examples/src/main/java/Example.java", "");
        write("ulfm-api/pom.xml", "");
        write("ulfm-api/src/main/java/Api.java", "");
        write("ulfm-api/src/test/java/ApiTest.java", "");
        for (String script : List.of("mpiexec", "mpijavac", "find-jdk", "build-if-stale")) {
            Files.createDirectories(home.resolve("bin"));
            Files.copy(BIN.resolve(script), home.resolve("bin").resolve(script));
        }
        Files.createSymbolicLink(home.resolve("bin/mpirun"), Path.of("mpiexec"));
        // The fake Maven notes how it was called, and makes each of the two jars that does not exist. Where a test has
        // made a file for that, it fails instead: at an offline call, or at any call.
        program(
                "fake/mvn",
                "echo \"$1 $JAVA_HOME\" >> " + home + "/asked\n"
                        + "[ \"$1\" = -o ] && [ -f " + home + "/offline-fails ] && exit 1\n"
                        + "mkdir -p " + home + "/ulfm-launch/target " + home + "/examples/target\n"
                        + "[ -f " + home + "/build-fails ] && { echo compile error; exit 1; }\n"
                        + "[ -f " + home + "/ulfm-launch/target/ulfm.jar ] || : > " + home
                        + "/ulfm-launch/target/ulfm.jar\n"
                        + "[ -f " + home + "/examples/target/examples.jar ] || : > " + home
                        + "/examples/target/examples.jar\n");
        jdk("jdk21", "21.0.2");
        environment.put("PATH", home.resolve("fake") + ":/usr/bin:/bin");
        environment.put("JAVA_HOME", home.resolve("jdk21").toString());
        environment.put("HOME", home.toString());
    }

    @Test
    void shouldBuildOnceAndSaySoOnStderr() throws Exception {
        assertThat(run("mpiexec", "-n", "2", "true"))
                .isEqualTo(new Ran(
                        0,
                        "jdk21 runs org.ulfmj.launch.Main -n 2 true\n",
                        "mpiexec: building (the first time, or after a change of sources) ...\nmpiexec: built\n"));
        assertThat(run("mpirun", "x")).isEqualTo(new Ran(0, "jdk21 runs org.ulfmj.launch.Main x\n", ""));
        assertThat(asked()).containsExactly("-o " + home.resolve("jdk21"));
    }

    @Test
    void shouldAskTheNetworkOnlyWhenItMust() throws Exception {
        write("offline-fails", "");
        assertThat(run("mpiexec", "x").code()).isZero();
        assertThat(asked()).hasSize(2);
        assertThat(asked().get(1)).startsWith("-q ");
    }

    @Test
    void shouldShowTheLogWhenTheBuildFails() throws Exception {
        write("build-fails", "");
        Ran ran = run("mpiexec", "x");
        assertThat(ran.code()).isEqualTo(125);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("compile error\nmpiexec: the build failed");
    }

    @Test
    void shouldBuildAgainWhenASourceIsNewerAndOnlyThen() throws Exception {
        run("mpiexec", "x");
        touchLater("ulfm-api/src/test/java/ApiTest.java");
        run("mpiexec", "x");
        assertThat(asked()).hasSize(1);
        touchLater("ulfm-api/src/main/java/Api.java");
        run("mpiexec", "x");
        assertThat(asked()).hasSize(2);
        touchLater("examples/src/main/java/Example.java");
        run("mpiexec", "x");
        assertThat(asked()).hasSize(3);
    }

    @Test
    void shouldBuildOnceForASourceThatIsDatedInTheFuture() throws Exception {
        Path api = home.resolve("ulfm-api/src/main/java/Api.java");
        Files.setLastModifiedTime(api, FileTime.from(Instant.now().plusSeconds(3_600)));
        run("mpiexec", "x");
        run("mpiexec", "x");
        assertThat(asked()).hasSize(1);
        Files.setLastModifiedTime(api, FileTime.from(Instant.now().plusSeconds(7_200)));
        run("mpiexec", "x");
        run("mpiexec", "x");
        assertThat(asked()).hasSize(2);
    }

    @Test
    void shouldLeaveRunningJobsTheJarThatTheyHaveOpened() throws Exception {
        run("mpiexec", "x");
        Path jar = home.resolve("ulfm-launch/target/ulfm.jar");
        Object before = Files.readAttributes(jar, BasicFileAttributes.class).fileKey();
        touchLater("ulfm-api/src/main/java/Api.java");
        run("mpiexec", "x");
        assertThat(Files.readAttributes(jar, BasicFileAttributes.class).fileKey())
                .isNotEqualTo(before);
    }

    @Test
    void shouldGiveTheLauncherALocaleOfItsOwnAndTellItThatOfTheUser() throws Exception {
        program("jdk21/bin/java", "echo \"$LC_ALL $*\"\n");
        assertThat(run("mpiexec", "x").out()).startsWith("C.UTF-8 ").contains(" -D" + UserLocale.PROPERTY + "=unset ");
        environment.put("LC_ALL", "de_DE.UTF-8");
        assertThat(run("mpiexec", "x").out())
                .startsWith("C.UTF-8 ")
                .contains(" -D" + UserLocale.PROPERTY + "==de_DE.UTF-8 ");
    }

    @Test
    void shouldLeaveTheLauncherTheLocaleOfTheUserWhereItsEncodingIsNotUtf8() throws Exception {
        program("jdk21/bin/java", "echo \"[$LC_ALL][$LC_CTYPE][$LANG] $*\"\n");
        environment.put("LANG", "de_DE.ISO-8859-1");
        assertThat(run("mpiexec", "x").out())
                .startsWith("[][][de_DE.ISO-8859-1] ")
                .doesNotContain(UserLocale.PROPERTY);
        environment.put("LC_CTYPE", "C");
        assertThat(run("mpiexec", "x").out()).startsWith("[C.UTF-8][C][de_DE.ISO-8859-1] ");
        environment.put("LC_ALL", "de_DE@euro");
        assertThat(run("mpiexec", "x").out())
                .startsWith("[de_DE@euro][C][de_DE.ISO-8859-1] ")
                .doesNotContain(UserLocale.PROPERTY);
        environment.put("LC_ALL", "");
        assertThat(run("mpiexec", "x").out())
                .startsWith("[C.UTF-8][C][de_DE.ISO-8859-1] ")
                .contains(" -D" + UserLocale.PROPERTY + "== ");
    }

    @Test
    void shouldOpenTheStreamsThatAreClosed() throws Exception {
        run("mpiexec", "x");
        program(
                "jdk21/bin/java",
                "a=$(readlink /proc/$$/fd/0); b=$(readlink /proc/$$/fd/1); c=$(readlink /proc/$$/fd/2)\n"
                        + "echo $a $b $c > " + home + "/streams\n");
        Path streams = home.resolve("streams");
        await(new ProcessBuilder("/bin/sh", "-c", "/bin/sh " + home.resolve("bin/mpiexec") + " x <&- >&- 2>&-"));
        assertThat(Files.readAllLines(streams)).containsExactly("/dev/null /dev/null /dev/null");
    }

    @Test
    void shouldNotBuildWhereThereAreNoSources() throws Exception {
        run("mpiexec", "x");
        Files.delete(home.resolve("pom.xml"));
        touchLater("ulfm-api/src/main/java/Api.java");
        run("mpiexec", "x");
        assertThat(asked()).hasSize(1);
    }

    @Test
    void shouldTakeTheJarOfAReleaseAndBuildNothing() throws Exception {
        Path jar = home.resolve("lib/ulfm.jar");
        write("lib/ulfm.jar", "");
        Files.delete(home.resolve("bin/build-if-stale"));
        program("jdk21/bin/java", "echo \"$*\"\n");
        assertThat(run("mpiexec", "x").out()).contains(" -cp " + jar + " org.ulfmj.launch.Main x");
        assertThat(run("mpijavac", "Prog.java").out())
                .isEqualTo("jdk21 compiles [-XDstringConcat=inline][-cp][" + jar + ":.][Prog.java]\n");
        assertThat(home.resolve("asked")).doesNotExist();
        // The launcher names its own archive after the paths of Java and of the jar.
        String name = ("mpiexec" + home.resolve("jdk21") + jar).replace('/', '-') + ".jsa";
        write(".cache/ulfm/" + name, "");
        assertThat(run("mpiexec", "x").out()).contains(" -XX:SharedArchiveFile=" + home + "/.cache/ulfm/" + name + " ");
    }

    @Test
    void shouldSayWhatIsMissingToBuild() throws Exception {
        Files.delete(home.resolve("jdk21/bin/javac"));
        assertThat(run("mpiexec", "x").err()).contains("has no javac; install a JDK or set JAVA_HOME to one");
    }

    @Test
    void shouldChooseTheJdkThatWasNamedThenTheOneInPath() throws Exception {
        jdk("jdk17", "17.0.15");
        jdk("jdk8", "1.8.0_302");
        environment.put("PATH", home.resolve("jdk17/bin") + ":" + environment.get("PATH"));
        assertThat(run("mpiexec", "x").out()).endsWith("jdk21 runs org.ulfmj.launch.Main x\n");
        environment.put("JAVA_HOME", home.resolve("jdk8").toString());
        assertThat(run("mpiexec", "x").out()).isEqualTo("jdk17 runs org.ulfmj.launch.Main x\n");
        environment.remove("JAVA_HOME");
        assertThat(run("mpiexec", "x").out()).isEqualTo("jdk17 runs org.ulfmj.launch.Main x\n");
    }

    @Test
    void shouldCompileAgainstOurJarAndKeepTheClassPathThatWasGiven() throws Exception {
        run("mpiexec", "x");
        String jar = home.resolve("ulfm-launch/target/ulfm.jar").toString();
        assertThat(run("mpijavac", "-d", "out dir", "Prog.java").out())
                .isEqualTo("jdk21 compiles [-XDstringConcat=inline][-cp][" + jar + ":.][-d][out dir][Prog.java]\n");
        assertThat(run("mpijavac", "-cp", "a b:c", "Prog.java").out())
                .isEqualTo("jdk21 compiles [-XDstringConcat=inline][-cp][" + jar + ":a b:c][Prog.java]\n");
        assertThat(run("mpijavac", "-XDstringConcat=indy", "Prog.java").out())
                .isEqualTo("jdk21 compiles [-XDstringConcat=indy][-cp][" + jar + ":.][Prog.java]\n");
        environment.put("CLASSPATH", "classes");
        assertThat(run("mpijavac", "Prog.java").out())
                .isEqualTo("jdk21 compiles [-XDstringConcat=inline][-cp][" + jar + ":classes][Prog.java]\n");
        assertThat(run("mpijavac", "Prog.java", "-cp").code()).isEqualTo(2);
    }

    private record Ran(int code, String out, String err) {}

    private Ran run(String script, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("/bin/sh", home.resolve("bin").resolve(script).toString()));
        command.addAll(List.of(arguments));
        Path out = home.resolve("out");
        Path err = home.resolve("err");
        int code = await(new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .directory(home.toFile()));
        return new Ran(code, Files.readString(out), Files.readString(err));
    }

    private int await(ProcessBuilder builder) throws Exception {
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private List<String> asked() throws IOException {
        return Files.readAllLines(home.resolve("asked"));
    }

    private void jdk(String name, String version) throws IOException {
        write(name + "/release", "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"" + version + "\"\n");
        program(
                name + "/bin/java",
                "while [ \"$1\" != org.ulfmj.launch.Main ]; do shift; done; echo " + name + " runs \"$@\"\n");
        program(name + "/bin/javac", "printf '" + name + " compiles '; printf '[%s]' \"$@\"; echo\n");
    }

    private void program(String name, String script) throws IOException {
        write(name, "#!/bin/sh\n" + script);
        assertThat(home.resolve(name).toFile().setExecutable(true)).isTrue();
    }

    private void write(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        // Older than all that a test builds.
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(3_600)));
    }

    /**
     * Sets a file's time to now, so that the file is newer than all that was built so far, and waits until anything
     * built later is newer still.
     */
    private void touchLater(String name) throws IOException {
        FileTime now = FileTime.from(Instant.now());
        Files.setLastModifiedTime(home.resolve(name), now);
        while (FileTime.from(Instant.now()).toMillis() <= now.toMillis()) {
            Thread.onSpinWait();
        }
    }
}
