package org.ulfmj.rendezvous;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.WeakHashMap;
import org.junit.jupiter.api.Test;

/**
 * The protocol, not its sockets: the same inputs must give the same outputs: no clock, thread, socket, file, randomness
 * or unordered collection.
 */
class PurityTest {
    private static final JavaClasses MODULE = new ClassFileImporter()
            .importClasses(
                    RendezvousCore.class,
                    RunningWorld.class,
                    Silences.class,
                    News.class,
                    Refusals.class,
                    RollCall.class,
                    Roster.class,
                    Seat.class,
                    Incarnations.class,
                    Spares.class,
                    JoinSession.class,
                    KeyValueStore.class,
                    RendezvousMessage.class,
                    RendezvousCodec.class);

    private static final JavaClasses JUDGE = new ClassFileImporter().importPackages("org.ulfmj.rendezvous.silence");

    private static final JavaClasses REPLACEMENT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.ulfmj.rendezvous.replacement");

    private static void check(ArchRule rule) {
        rule.check(MODULE);
        rule.check(JUDGE);
        rule.check(REPLACEMENT);
    }

    @Test
    void shouldNotReadAClock() {
        check(noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("java.time.."));
    }

    @Test
    void shouldNotReachTheOutside() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.io..", "java.net..", "java.nio.channels..", "java.nio.file..", "java.util.concurrent..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class));
    }

    @Test
    void shouldNotDrawRandomness() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Random.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(SplittableRandom.class)
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(System.class, "identityHashCode", Object.class));
    }

    @Test
    void shouldNotUseUnorderedCollections() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(HashMap.class, HashSet.class, IdentityHashMap.class, WeakHashMap.class)
                .orShould()
                .callMethodWhere(target(nameMatching("of|ofEntries|copyOf"))
                        .and(target(owner(belongToAnyOf(Set.class, Map.class))))));
    }
}
