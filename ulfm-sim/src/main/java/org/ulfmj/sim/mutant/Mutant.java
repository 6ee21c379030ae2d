package org.ulfmj.sim.mutant;

import java.util.ArrayList;
import java.util.List;

/**
 * A shipped class without one or more of its rules, as substitutions in its source text.
 *
 * @param rule name of the omitted rule
 * @param says what the omitted rule says; if mutants were joined by {@link #and(Mutant)}, what the last one's rule says
 * @param className fully qualified name of the class
 * @param substitutions each must apply exactly once; otherwise the source has changed and the mutant must be changed
 *     too
 */
public record Mutant(String rule, String says, String className, List<Substitution> substitutions) {
    /** The replacement of one piece of text by another. */
    public record Substitution(String original, String replacement) {}

    /** A rule that a mutant lacks: its name, and a sentence that says it. */
    public record Rule(String name, String says) {
        /** Makes the mutant that lacks the rule: the class with one text of its source replaced. */
        public Mutant in(String className, String original, String replacement) {
            return new Mutant(name, says, className, List.of(new Substitution(original, replacement)));
        }
    }

    /** Begins a mutant that lacks a rule. */
    public static Rule without(String rule, String says) {
        return new Rule(rule, says);
    }

    /** Begins a mutant that lacks a rule; the rule's name also serves as the sentence that says the rule. */
    public static Rule without(String rule) {
        return new Rule(rule, rule);
    }

    /** Makes a mutant with one substitution; the rule's name also serves as the sentence that says the rule. */
    public static Mutant of(String rule, String className, String original, String replacement) {
        return without(rule).in(className, original, replacement);
    }

    /** Returns this mutant with one more substitution. */
    public Mutant and(String original, String replacement) {
        List<Substitution> more = new ArrayList<>(substitutions);
        more.add(new Substitution(original, replacement));
        return new Mutant(rule, says, className, List.copyOf(more));
    }

    /**
     * Returns a mutant of the same class that lacks the rule of this one and that of the other one.
     *
     * @throws IllegalArgumentException if the two mutants are of different classes
     */
    public Mutant and(Mutant other) {
        if (!other.className.equals(className)) {
            throw new IllegalArgumentException(rule + " and " + other.rule + " are rules of different classes");
        }
        List<Substitution> both = new ArrayList<>(substitutions);
        both.addAll(other.substitutions);
        return new Mutant(rule + ", without " + other.rule, other.says, className, List.copyOf(both));
    }

    /**
     * Applies the substitutions to a source text.
     *
     * @throws IllegalStateException if a substitution does not apply exactly once: then the mutant tests nothing
     */
    String applyTo(String source) {
        String mutated = source;
        for (Substitution substitution : substitutions) {
            int first = mutated.indexOf(substitution.original());
            if (first < 0 || mutated.indexOf(substitution.original(), first + 1) >= 0) {
                throw new IllegalStateException("mutant \"" + rule + "\" wants to replace, in " + className + ", "
                        + (first < 0 ? "a text that is not there: " : "a text that is there twice: ")
                        + substitution.original());
            }
            mutated = mutated.replace(substitution.original(), substitution.replacement());
        }
        return mutated;
    }

    @Override
    public String toString() {
        return rule;
    }
}
