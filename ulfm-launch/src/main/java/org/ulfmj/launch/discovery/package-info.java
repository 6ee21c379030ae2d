/**
 * Runs a command of the user's again and again to find the hosts and slots of an elastic job
 * ({@code --host-discovery}), and decides from its output which processes to start and to end.
 */
package org.ulfmj.launch.discovery;
