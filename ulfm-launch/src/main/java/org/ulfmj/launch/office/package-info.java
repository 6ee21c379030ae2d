/**
 * The launcher in a job whose coordinator is elected ({@code --rdzv}): how it takes the office of the coordinator,
 * loses it and wins it back.
 */
package org.ulfmj.launch.office;
