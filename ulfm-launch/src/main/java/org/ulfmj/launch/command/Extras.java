package org.ulfmj.launch.command;

/**
 * What few command lines ask for. A launcher whose command line asks for none of it does not load this class.
 *
 * @param hasTorchNames whether processes get the variables that programs for {@code torchrun} read
 */
public record Extras(boolean hasTorchNames) {}
