package org.ulfmj.benchmarks;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests rules for the packages of all modules. */
class AllPackagesTest {
    /** The package whose classes programs import; bindings of other MPIs have the same class names. */
    private static final String OF_PROGRAMS = "mpi";

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/generated/") && !location.contains("jmh_generated"))
            .importPackages("org.ulfmj", OF_PROGRAMS, "examples");

    /** No package depends, directly or over others, on a package that depends on it. */
    @Test
    void shouldFindNoCycleOfPackages() {
        slices().matching("(**)").should().beFreeOfCycles().check(ALL);
    }

    /**
     * No package but {@code mpi} has more than 30 top-level classes. A larger one holds more than one idea: look for a
     * group of classes that the others reach through one or two of its classes, and make it a package.
     */
    @Test
    void shouldHaveAtMostThirtyFilesInAPackage() {
        Map<String, Integer> files = new TreeMap<>();
        for (JavaClass each : ALL) {
            if (each.isTopLevelClass() && !each.getPackageName().equals(OF_PROGRAMS)) {
                files.merge(each.getPackageName(), 1, Integer::sum);
            }
        }
        assertThat(files)
                .containsKeys("org.ulfmj.runtime", "org.ulfmj.rendezvous", "org.ulfmj.launch", "org.ulfmj.check")
                .allSatisfy((room, count) ->
                        assertThat(count).as("files of %s", room).isLessThanOrEqualTo(30));
    }
}
