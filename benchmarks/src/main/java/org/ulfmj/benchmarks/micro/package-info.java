/**
 * Micro-benchmarks of the parts (JMH): {@code java -jar benchmarks/target/benchmarks.jar}. A benchmark that needs
 * classes that only their own package sees is in that package, among the sources of this module.
 */
package org.ulfmj.benchmarks.micro;
