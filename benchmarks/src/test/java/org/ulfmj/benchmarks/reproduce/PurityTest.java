package org.ulfmj.benchmarks.reproduce;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** A measured figure follows from its seed: no real time, no input from outside, no chance but the seed's. */
class PurityTest {
    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.ulfmj.benchmarks.reproduce");

    @Test
    void shouldUseNoRealTimeAndNoThread() {
        noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .check(MODULE);
    }

    @Test
    void shouldDrawNoChanceButTheSeedsAndIterateNothingUnordered() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(.*Random|HashMap|HashSet|WeakHashMap|UUID)")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(System.class, "identityHashCode", Object.class)
                .check(MODULE);
    }

    @Test
    void shouldTouchNoSocketAndNoFileButThoseThatItWrites() {
        noClasses()
                .that()
                .doNotHaveSimpleName("OutputFiles")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.channels..", "java.nio.file..")
                .check(MODULE);
    }
}
