package org.ulfmj.agree;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The same inputs must give the same outputs at every rank and in every run. */
class PurityTest {
    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.ulfmj.agree");

    @Test
    void shouldDependOnNothingButProtocolAndDetector() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "org.ulfmj.agree..", "org.ulfmj.detector", "org.ulfmj.protocol", "java.lang..", "java.util..")
                .check(MODULE);
    }

    @Test
    void shouldNotReadAClockOrStartAThread() {
        noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("java.util.concurrent..")
                .check(MODULE);
    }

    @Test
    void shouldNotDrawRandomnessOrIterateUnorderedCollections() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(.*Random|HashMap|HashSet|IdentityHashMap|WeakHashMap|UUID)")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(System.class, "identityHashCode", Object.class)
                .check(MODULE);
    }
}
