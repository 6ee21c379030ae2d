package org.ulfmj.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds a copy of the sources, deploys it into a file repository, and builds the project that the README shows from
 * that repository. The copy is built with another umask and in another time zone, and must give the same tar.gz.
 */
@Tag("release")
class OutsideProjectIT {
    private static final Duration BUILD = Duration.ofMinutes(14);
    private static final Duration RUN = Duration.ofMinutes(2);
    private static final String JAVA_HOME = System.getProperty("java.home");
    /** The local Maven repository of this build, with the artifacts that have been fetched already. */
    private static final Path FETCHED = Path.of(System.getProperty("test.localRepository"));

    @TempDir
    static Path directory;

    @BeforeAll
    static void deployACopy() throws Exception {
        Path copy = Files.createDirectory(directory.resolve("copy"));
        Ran copied = run(
                RUN,
                Pom.HOME,
                "/bin/sh",
                "-c",
                "umask 077; tar --exclude=target --exclude=./.git -cf - . | tar --no-same-permissions -xf - -C "
                        + copy);
        assertThat(copied.exitCode()).as(copied.toString()).isZero();
        Ran deployed = maven(
                copy,
                "-q -Pdist -Dmaven.test.skip=true -pl ulfm-bom,ulfm-testkit,ulfm-dist -am deploy"
                        + " -DaltDeploymentRepository=test::" + repository());
        assertThat(deployed.exitCode()).as(deployed.toString()).isZero();
        writeSettings();
    }

    @Test
    void shouldMakeTheSameTarGzAgain() throws Exception {
        Path again = directory
                .resolve("copy/ulfm-dist/target")
                .resolve(Release.file().getFileName());
        assertThat(Files.mismatch(Release.file(), again)).isEqualTo(-1);
    }

    @Test
    void shouldPublishSourcesAndJavadoc() throws Exception {
        for (String module : List.of("ulfm-api", "ulfm-testkit", "ulfm-runtime")) {
            assertThat(published(module)).anyMatch(file -> file.endsWith("-sources.jar"));
            assertThat(published(module)).anyMatch(file -> file.endsWith("-javadoc.jar"));
        }
        assertThat(published("ulfm-bom")).anyMatch(file -> file.endsWith(".pom"));
        assertThat(published("ulfm-dist")).anyMatch(file -> file.endsWith(".tar.gz"));
        assertThat(directory.resolve("repository/org/ulfmj/examples")).doesNotExist();
    }

    @Test
    void shouldBuildTestAndRunTheProjectOfTheReadme() throws Exception {
        Path project = Files.createDirectory(directory.resolve("project"));
        OutsideProject.write(project);
        Ran built = maven(
                project,
                "-s " + directory + "/settings.xml -Daether.offline.protocols=file -Dmaven.repo.local=" + directory
                        + "/local package org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath"
                        + " -DincludeScope=runtime -Dmdep.outputFile=class-path");
        assertThat(built.exitCode()).as(built.toString()).isZero();
        assertThat(built.lines()).as(built.toString()).anyMatch(line -> line.contains("Tests run: 1, Failures: 0"));
        assertThat(built.lines()).as("a warning of the encoding").noneMatch(line -> line.contains("platform encoding"));

        Path home = Release.unpackInto(directory);
        Ran ran = run(
                RUN,
                project,
                home + "/bin/mpiexec",
                "-n",
                "4",
                "--inject",
                "kill:rank=1@op=allReduce#1",
                "java",
                "-cp",
                "target/classes",
                "Headcount");
        assertThat(ran.exitCode()).as(ran.toString()).isZero();
        assertThat(ran.lines()).contains("rank 0: 3 of us", "rank 1: 3 of us", "rank 2: 3 of us");

        // Without mpiexec the program is a job of one rank, with the jars that come as dependencies of ulfm-api.
        String classPath = "target/classes:" + Files.readString(project.resolve("class-path"));
        assertThat(classPath).doesNotContain("/org/junit/", "/ulfm-sim/", "/ulfm-testkit/");
        Ran alone = run(RUN, project, JAVA_HOME + "/bin/java", "-cp", classPath, "Headcount");
        assertThat(alone.exitCode()).as(alone.toString()).isZero();
        assertThat(alone.lines()).containsExactly("rank 0: 1 of us");
    }

    /** Deletes the links before JUnit deletes the directory, since JUnit prints a warning for each link. */
    @AfterAll
    static void unlink() throws IOException {
        for (String links : List.of("local/org", "local")) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory.resolve(links))) {
                for (Path entry : entries) {
                    if (Files.isSymbolicLink(entry)) {
                        Files.delete(entry);
                    }
                }
            }
        }
    }

    private static String repository() {
        return "file://" + directory.resolve("repository");
    }

    private static List<String> published(String module) throws IOException {
        try (Stream<Path> files =
                Files.walk(directory.resolve("repository/org/ulfmj").resolve(module))) {
            return files.map(Path::toString).toList();
        }
    }

    /**
     * Makes a local Maven repository with links to all fetched artifacts except our own modules, and writes settings
     * that name the file repository in which our modules are deployed.
     */
    private static void writeSettings() throws IOException {
        Path local = Files.createDirectory(directory.resolve("local"));
        Path org = Files.createDirectory(local.resolve("org"));
        link(FETCHED, local);
        link(FETCHED.resolve("org"), org);
        Files.writeString(
                directory.resolve("settings.xml"),
                """
                <settings><activeProfiles><activeProfile>test</activeProfile></activeProfiles>
                <profiles><profile><id>test</id><repositories><repository><id>test</id><url>%s</url></repository>
                </repositories></profile></profiles></settings>
                """
                        .formatted(repository()));
    }

    private static void link(Path from, Path to) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(from)) {
            for (Path entry : entries) {
                Path link = to.resolve(entry.getFileName());
                if (!Files.exists(link) && !link.endsWith("org/ulfmj")) {
                    Files.createSymbolicLink(link, entry.toAbsolutePath());
                }
            }
        }
    }

    /** Runs Maven without the network, and if that fails, once more with the network. */
    private static Ran maven(Path project, String words) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", "umask 077; exec mvn \"$@\"", "mvn", "-o", "-B", "-ntp"));
        command.addAll(List.of(words.split(" ")));
        Ran ran = run(BUILD, project, command.toArray(String[]::new));
        if (ran.exitCode() == 0) {
            return ran;
        }
        command.remove("-o");
        return run(BUILD, project, command.toArray(String[]::new));
    }

    private static Ran run(Duration limit, Path in, String... command) throws IOException, InterruptedException {
        Map<String, String> environment =
                Map.of("JAVA_HOME", JAVA_HOME, "TZ", "Asia/Kolkata", "XDG_CACHE_HOME", directory + "/caches");
        return Ran.in(in, limit, environment, List.of(command));
    }
}
