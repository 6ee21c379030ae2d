/**
 * Determines what a process of a job executes: {@link org.ulfmj.launch.program.CommandResolver} makes a
 * {@link org.ulfmj.launch.program.StartCommand} of a user's words, {@link org.ulfmj.launch.program.JavaCommand} puts
 * our jar in front of a class path, {@link org.ulfmj.launch.program.QuickStart} adds options for the virtual machine.
 */
package org.ulfmj.launch.program;
