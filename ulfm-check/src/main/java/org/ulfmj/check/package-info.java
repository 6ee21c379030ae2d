/**
 * The command {@code bin/ulfm-sim}. What it runs is in the packages below: worlds, what must hold in them, and mutants.
 */
package org.ulfmj.check;
