package org.ulfmj.benchmarks;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** No package of any module depends, directly or over others, on a package that depends on it. */
class PackageCyclesTest {
    @Test
    void shouldFindNoCycleOfPackages() {
        JavaClasses all = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .withImportOption(location -> !location.contains("/generated/") && !location.contains("jmh_generated"))
                .importPackages("org.ulfmj", "mpi", "examples");
        slices().matching("(**)").should().beFreeOfCycles().check(all);
    }
}
