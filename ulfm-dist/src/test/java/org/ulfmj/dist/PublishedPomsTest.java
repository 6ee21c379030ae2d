package org.ulfmj.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.ulfmj.dist.Pom.Dependency;

/** Tests the poms that are published, and the pom in the README: mainly which dependencies our modules bring along. */
class PublishedPomsTest {
    private static final String OURS = "org.ulfmj:";
    private static final String LIBRARIES = "org.agrona:agrona org.jctools:jctools-core-jdk11";

    @Test
    void shouldBringAllOfTheRuntimeAndNothingOfTests() throws IOException {
        assertThat(String.join(" ", broughtBy("ulfm-api")))
                .isEqualTo(LIBRARIES + " org.ulfmj:ulfm-agree org.ulfmj:ulfm-detector org.ulfmj:ulfm-protocol"
                        + " org.ulfmj:ulfm-rendezvous org.ulfmj:ulfm-runtime org.ulfmj:ulfm-transport");
    }

    @Test
    void shouldBringTheApiAndTheSimulatorForTests() throws IOException {
        Set<String> expected = broughtBy("ulfm-api");
        expected.addAll(List.of(OURS + "ulfm-api", OURS + "ulfm-sim"));
        assertThat(broughtBy("ulfm-testkit")).isEqualTo(expected);
    }

    @Test
    void shouldNameTheEncodingOfTheSourcesInTheProjectOfTheReadme() throws IOException {
        assertThat(OutsideProject.pom().text("properties/project.build.sourceEncoding"))
                .isEqualTo("UTF-8");
    }

    @Test
    void shouldHaveNothingButTestsInCommon() throws IOException {
        assertThat(Pom.of("").dependencies())
                .isNotEmpty()
                .allMatch(dependency -> dependency.scope().equals("test"));
    }

    @Test
    void shouldListEachPublishedModuleInTheBom() throws IOException {
        List<String> published = new ArrayList<>();
        for (String module : Pom.of("").modules()) {
            Pom pom = Pom.of(module);
            if (!pom.text("packaging").equals("pom")
                    && !pom.text("properties/maven.deploy.skip").equals("true")) {
                published.add(OURS + module);
            }
        }
        Pom bom = Pom.of("ulfm-bom");
        assertThat(bom.managedDependencies())
                .extracting(Dependency::name)
                .containsExactlyInAnyOrderElementsOf(published);
        assertThat(bom.managedDependencies()).allMatch(each -> each.version().equals("${project.version}"));
        assertThat(bom.text("version")).isEqualTo(Pom.of("").text("version"));
        // The BOM has no parent: with one, a project that imports the BOM would also get the versions of our test
        // libraries.
        assertThat(bom.text("parent/artifactId")).isEmpty();
    }

    @Test
    void shouldShowTheVersionOfThisBuildInTheReadme() throws IOException {
        Pom outside = OutsideProject.pom();
        String version = Pom.of("").text("version");
        assertThat(outside.dependencies())
                .contains(
                        new Dependency(OURS + "ulfm-api", version, "", false),
                        new Dependency(OURS + "ulfm-testkit", version, "test", false),
                        new Dependency(
                                "org.junit.jupiter:junit-jupiter",
                                Pom.of("").text("properties/junit.version"),
                                "test",
                                false));
        assertThat(OutsideProject.pomText().lines()).hasSize(11);
    }

    /**
     * Returns the names of the artifacts that a project with this module as its dependency gets besides it: other
     * modules of ours and the libraries that these name, computed from our poms alone.
     */
    private static Set<String> broughtBy(String module) throws IOException {
        Set<String> brought = new TreeSet<>();
        ArrayDeque<String> open = new ArrayDeque<>(List.of(module));
        while (!open.isEmpty()) {
            for (Dependency dependency : Pom.of(open.remove()).dependencies()) {
                if (dependency.isPassedOn()
                        && brought.add(dependency.name())
                        && dependency.name().startsWith(OURS)) {
                    open.add(dependency.name().substring(OURS.length()));
                }
            }
        }
        return brought;
    }
}
