/**
 * Micro-benchmarks of single parts (JMH): {@code java -jar benchmarks/target/benchmarks.jar}. A benchmark of
 * package-private classes is in the package of those classes, among the sources of this module.
 */
package org.ulfmj.benchmarks.micro;
